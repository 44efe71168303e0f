"""The workbook behind a filled chart."""

from collections.abc import Mapping

from msgspec import Struct

from meetdeck.present.deck.limits import DEFAULT_LIMITS
from meetdeck.present.deck.opc.packed import ZipEntry, pack
from meetdeck.present.deck.opc.zipwrite import ZipStart, ZipWriter
from meetdeck.present.deck.program.scope import Program, Scope, render


class RowsNode(Struct, frozen=True):
    """The rows that the chart has left in a slot; empty when the chart is dropped and its workbook stays."""

    slot: str

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the rows."""
        out.append(scope.slots.get(self.slot, b""))


class WorkbookNode(Struct, frozen=True):
    """The whole .xlsx: the `fixed` entries never change, the `filled` ones follow them."""

    fixed: ZipStart
    filled: Mapping[str, Program]

    @property
    def size(self) -> int:
        """The approximate number of bytes that it keeps in memory."""
        return len(self.fixed.local)

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the archive."""
        archive = ZipWriter(DEFAULT_LIMITS.deck_bytes, self.fixed)
        for name, program in self.filled.items():
            archive.add(name, pack(render(program, scope)))
        out.append(archive.finish())


def make_workbook(fixed: Mapping[str, ZipEntry], filled: Mapping[str, Program]) -> WorkbookNode:
    """Return the node of an .xlsx with these entries."""
    archive = ZipWriter(DEFAULT_LIMITS.deck_bytes)
    for name, packed in fixed.items():
        archive.add(name, packed)
    return WorkbookNode(archive.as_start(), filled)
