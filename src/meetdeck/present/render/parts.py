"""The parts of a presentation to be rendered: unpacked under limits, and packed again without compression.

LibreOffice reads exactly the parts that were checked, and a small file that unpacks to gigabytes never reaches it.
"""

from typing import Final

from meetdeck.present.deck import Limits, TemplateError
from meetdeck.present.deck.opc.packed import DamagedEntryError, ZipEntry, store, unpack
from meetdeck.present.deck.opc.relationships import Relationship, relationships_name
from meetdeck.present.deck.opc.zipread import Entry, find_directory, read_entries, slice_entries
from meetdeck.present.deck.opc.zipwrite import ZipWriter
from meetdeck.present.render.renderer import RenderingFailed
from meetdeck.present.render.sanitize import read_relationships

# Added by macOS to a folder that it packs: names like those of parts, and no XML inside.
_OF_MACOS: Final = "__MACOSX/"
_DAMAGED: Final = frozenset({"not-a-zip", "compression"})


class Parts(dict[str, bytes]):
    """The unpacked parts by their entry names."""

    def __init__(self, parts: dict[str, bytes]) -> None:
        super().__init__(parts)
        self.entries = {name.lower(): name for name in parts}

    def relationships(self, source: str) -> dict[str, Relationship]:
        """Return the relationships of a part ("" is the package) by id; raises RenderingFailed for malformed ones."""
        name = relationships_name(source)
        return {entry.id: entry for entry in read_relationships(name, self[name], self.entries)} if name in self else {}


def unpack_parts(pptx: bytes, limits: Limits) -> Parts:
    """Return every part. Raises RenderingFailed for a damaged package, and before unpacking for one over a limit."""
    try:
        archive = _read_archive(pptx, limits)
    except TemplateError as error:
        if error.findings[0].code in _DAMAGED:
            raise _damaged(error.findings[0].message.removesuffix(".")) from error
        raise RenderingFailed(error.findings[0].message) from error
    return Parts({name: _unpack(name, packed) for name, packed in archive.items()})


def pack_parts(parts: dict[str, bytes], limits: Limits) -> bytes:
    """Return the package of the parts, none of them compressed."""
    writer = ZipWriter(limits.deck_bytes)
    for name, content in parts.items():
        writer.add(name, store(content))
    return writer.finish()


def too_large(limits: Limits) -> RenderingFailed:
    """Return the refusal of a presentation whose parts are too large together."""
    return RenderingFailed(f"The presentation unpacks to more than {limits.unpacked_bytes >> 20} MB; make it smaller.")


def _read_archive(pptx: bytes, limits: Limits) -> dict[str, ZipEntry]:
    if len(pptx) > limits.file_bytes:
        raise too_large(limits)
    directory = find_directory(pptx)
    if directory.entries > limits.entries:
        raise RenderingFailed(f"The presentation has {directory.entries} parts; at most {limits.entries} are accepted.")
    entries = [entry for entry in read_entries(pptx, directory) if not entry.name.startswith(_OF_MACOS)]
    _check_entries(entries, limits)
    return slice_entries(pptx, directory, entries, limits)


def _check_entries(entries: list[Entry], limits: Limits) -> None:
    """Raise RenderingFailed for declared sizes over a limit; reading never exceeds them, so they cannot lie."""
    if len({entry.name.lower() for entry in entries}) != len(entries):
        raise RenderingFailed("The presentation holds two parts of one name; save it again in PowerPoint.")
    if any(entry.is_encrypted for entry in entries):
        raise RenderingFailed("The presentation is encrypted; save it without a password.")
    if sum(entry.size for entry in entries) > limits.unpacked_bytes:
        raise too_large(limits)
    for entry in entries:
        is_xml = entry.name.lower().endswith((".xml", ".rels", ".vml"))
        dense = entry.size > limits.ratio_counts_from_bytes and entry.size > limits.ratio * entry.packed_size
        if dense or (is_xml and entry.size > limits.xml_part_bytes):
            raise RenderingFailed(f"The part {entry.name} unpacks to {entry.size >> 20} MB, which is too much.")


def _unpack(name: str, packed: ZipEntry) -> bytes:
    try:
        return unpack(packed)
    except DamagedEntryError as error:
        raise _damaged(f"{name}: {error}") from error


def _damaged(reason: str) -> RenderingFailed:
    return RenderingFailed(f"The presentation is damaged or cut short ({reason}); send it again.")
