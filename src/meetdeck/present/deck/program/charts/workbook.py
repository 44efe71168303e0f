"""The workbook behind a filled chart."""

from collections.abc import Mapping

from msgspec import Struct

from meetdeck.present.deck.limits import DEFAULT_LIMITS
from meetdeck.present.deck.opc.packed import Packed, pack
from meetdeck.present.deck.opc.zipwrite import ZipWriter
from meetdeck.present.deck.program.scope import Program, Scope, render


class RowsNode(Struct, frozen=True):
    """The rows that the chart has left in a slot; none when the chart is dropped and its workbook stays."""

    slot: str

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the rows."""
        out.append(scope.slots.get(self.slot, b""))


class WorkbookNode:
    """The whole .xlsx: `fixed` entries never change, the `filled` ones follow them."""

    __slots__ = ("_archive", "_filled", "size")

    def __init__(self, fixed: Mapping[str, Packed], filled: Mapping[str, Program]) -> None:
        self._archive = ZipWriter(DEFAULT_LIMITS.deck_bytes)
        for name, packed in fixed.items():
            self._archive.add(name, packed)
        self._filled = tuple(filled.items())
        # About how many bytes it keeps in memory.
        self.size: int = sum(len(packed.content) for packed in fixed.values())

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the archive."""
        archive = self._archive.fork()
        for name, program in self._filled:
            archive.add(name, pack(render(program, scope)))
        out.append(archive.finish())
