"""Parts and relationships added while a deck is built: pictures, and relationships to them or to addresses."""

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct, field

from meetdeck.present.deck.language.values import escape_attribute
from meetdeck.present.deck.opc.packed import ZipEntry, store
from meetdeck.present.deck.opc.relationships import HYPERLINK, IMAGE, SLIDE
from meetdeck.present.deck.program.images.pictures import Drawer, Picture


class DeckMedia:
    """The pictures from the data, each stored once however many slides show it.

    `contents` are the stored files that the data may name, by id; `claim` returns a free part name for a file
    extension; `pictures` are those already read, by their value in the data, `made` those that are made here, codes and
    pictures in new frames, by everything that they are made of. `drawer` draws SVGs; without one they are refused.
    `last` is the last picture asked for, with its directive, the relationships of its part, and the items around it.
    """

    def __init__(
        self, contents: Mapping[str, bytes], claim: Callable[[str], str], drawer: Drawer | None = None
    ) -> None:
        self.contents = contents
        self.drawer = drawer
        self.pictures: dict[str | bytes, Picture] = {}
        self.made: dict[tuple[object, ...], Picture] = {}
        self.last: tuple[object, object, object, Picture] | None = None
        self._claim = claim
        # By checksum and length: hashing a picture takes thirty times as long, and is not needed for its zip entry.
        self._added: dict[tuple[int, int], list[tuple[str, ZipEntry]]] = {}
        # By identity, for a picture that many slides show; kept beside its name, so that no other gets its identity.
        self._names: dict[int, tuple[str, bytes]] = {}

    def add(self, content: bytes, extension: str) -> str:
        """Return the name of the part that holds the picture."""
        known = self._names.get(id(content))
        if known is None:
            known = self._names[id(content)] = self._find(content, extension), content
        return known[0]

    def _find(self, content: bytes, extension: str) -> str:
        packed = store(content)
        alike = self._added.setdefault((packed.crc, packed.size), [])
        for name, other in alike:
            if other.content == content:
                return name
        name = self._claim(extension)
        alike.append((name, packed))
        return name

    def parts(self) -> Iterator[tuple[str, ZipEntry]]:
        """Yield the names and contents of the parts."""
        for alike in self._added.values():
            yield from alike


class NewRelationships(Struct):
    """The relationships added to a part while it is rendered; `highest` is the number of the part's last id.

    `ids` are theirs by type, target and whether it is external.
    """

    highest: int = 0
    ids: dict[tuple[str, str, bool], str] = field(default_factory=dict[tuple[str, str, bool], str])

    def __bool__(self) -> bool:
        return bool(self.ids)

    def add_address(self, address: str) -> bytes:
        """Return the id of a new hyperlink relationship to an address (a URI)."""
        return self._add(HYPERLINK, address, external=True)

    def add_slide(self, part: str) -> bytes:
        """Return the id of a new relationship to a slide."""
        return self._add(SLIDE, "/" + part, external=False)

    def add_picture(self, part: str) -> bytes:
        """Return the id of a new relationship to a picture of `DeckMedia`."""
        return self._add(IMAGE, "/" + part, external=False)

    def _add(self, kind: str, target: str, *, external: bool) -> bytes:
        identifier = self.ids.setdefault((kind, target, external), f"rId{self.highest + len(self.ids) + 1}")
        return identifier.encode()

    def written(self) -> bytes:
        """Return the relationships as elements of a relationships part."""
        written: list[str] = []
        for (kind, target, external), identifier in self.ids.items():
            mode = ' TargetMode="External"' if external else ""
            written.append(f'<Relationship Id="{identifier}" Type="{kind}" Target="{escape_attribute(target)}"{mode}/>')
        return "".join(written).encode()
