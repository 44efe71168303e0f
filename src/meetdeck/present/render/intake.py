"""Checks of a presentation before it is rendered: LibreOffice forgives broken files and leaves their slides out.

Everything is unpacked here under limits, and packed again without compression: LibreOffice reads exactly the parts that
were checked, and a small file that unpacks to gigabytes never reaches it.
"""

import io
import zipfile
import zlib
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from meetdeck.present.deck.opc.packed import store
from meetdeck.present.deck.opc.xml import new_parser
from meetdeck.present.deck.opc.zipwrite import ZipWriter
from meetdeck.present.render.markup import Root, read_root, scan
from meetdeck.present.render.pictures import EMPTY_SVG, defuse, is_office_vocabulary, leads_nowhere
from meetdeck.present.render.renderer import RenderingFailed
from meetdeck.present.render.sanitize import Relationship, read_relationships, strip_relationships

_OLE2_MAGIC: Final = bytes.fromhex("d0cf11e0a1b11ae1")
# What macOS adds to a folder that it packs: names like those of parts, and no XML inside.
_OF_MACOS: Final = "__MACOSX/"
_CUSTOM_XML: Final = frozenset({"customXml", "customXmlProps"})
_MOST_PACKED_BYTES: Final = 2**31  # never reached: `IntakeLimits` are lower
_UNREADABLE: Final = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)


@dataclass(frozen=True, slots=True)
class IntakeLimits:
    """Limits of a presentation's unpacked size, in bytes; a part's ratio counts from `ratio_from_bytes` on."""

    entries: int = 10_000
    unpacked_bytes: int = 256 * 2**20
    xml_bytes: int = 64 * 2**20  # in memory, a parsed part takes many times its size
    ratio: int = 200
    ratio_from_bytes: int = 16 * 2**20  # small parts of repeated text legitimately shrink a lot


@dataclass(frozen=True, slots=True)
class CheckedPresentation:
    """A checked presentation, safe for LibreOffice, and its number of pages."""

    package: bytes
    shown_slides: int


def check_presentation(pptx: bytes, limits: IntakeLimits | None = None) -> CheckedPresentation:
    """Return a presentation checked and stripped of outside references. Raises RenderingFailed for an invalid one."""
    _check_kind(pptx)
    limits = limits or IntakeLimits()
    parts = _unpack(pptx, limits)
    roots = _read_roots(parts)
    shown_slides = _count_shown_slides(parts, roots)
    return CheckedPresentation(_pack(_stripped(parts, roots, limits)), shown_slides)


def _read_roots(parts: dict[str, bytes]) -> dict[str, Root]:
    """Return the roots of XML parts; custom XML is the author's own, and no page needs it to be well-formed."""
    roots, parser, custom_xml = dict[str, Root](), new_parser(), set[str]()
    for name, content in parts.items():
        if name.lower().endswith(".xml"):
            try:
                roots[name] = read_root(name, content, parser)
            except RenderingFailed:
                custom_xml = custom_xml or _list_custom_xml(parts)  # asked once, and of few files
                if name.lower() not in custom_xml:
                    raise
    return roots


def _check_kind(pptx: bytes) -> None:
    if not pptx:
        raise RenderingFailed("The file is empty; send a PowerPoint presentation (.pptx).")
    if pptx.startswith(_OLE2_MAGIC):
        if "EncryptedPackage".encode("utf-16-le") in pptx:
            raise RenderingFailed("The presentation is password-protected; save it without a password.")
        raise RenderingFailed("The file has PowerPoint's format from before 2007; save it as .pptx.")
    if not pptx.startswith(b"PK"):
        raise RenderingFailed("The file is not a PowerPoint presentation (.pptx is a ZIP package; this is not).")


# ---------------------------------------------------------------- the package


def _unpack(pptx: bytes, limits: IntakeLimits) -> dict[str, bytes]:
    """Return every part by its name."""
    try:
        with zipfile.ZipFile(io.BytesIO(pptx)) as package:
            entries = [entry for entry in package.infolist() if not entry.filename.endswith("/")]  # may be empty
            entries = [entry for entry in entries if not entry.filename.startswith(_OF_MACOS)]
            _check_limits(entries, limits)
            return {entry.filename: package.read(entry) for entry in entries}
    except _UNREADABLE as error:
        raise RenderingFailed(f"The presentation is damaged or cut short ({error}); send it again.") from error


def _check_limits(entries: list[zipfile.ZipInfo], limits: IntakeLimits) -> None:
    """Raise RenderingFailed by the declared sizes, which reading never exceeds, so they cannot lie."""
    if len(entries) > limits.entries:
        raise RenderingFailed(f"The presentation has {len(entries)} parts; at most {limits.entries} are accepted.")
    if len({entry.filename.lower() for entry in entries}) != len(entries):
        raise RenderingFailed("The presentation holds two parts of one name; save it again in PowerPoint.")
    if any(entry.flag_bits & 1 for entry in entries):
        raise RenderingFailed("The presentation is encrypted; save it without a password.")
    if sum(entry.file_size for entry in entries) > limits.unpacked_bytes:
        raise _too_large(limits)
    for entry in entries:
        is_xml = entry.filename.lower().endswith((".xml", ".rels", ".vml"))
        dense = entry.file_size > limits.ratio_from_bytes and entry.file_size > limits.ratio * entry.compress_size
        if dense or (is_xml and entry.file_size > limits.xml_bytes):
            raise RenderingFailed(
                f"The part {entry.filename} unpacks to {entry.file_size >> 20} MB, which is too much."
            )


def _too_large(limits: IntakeLimits) -> RenderingFailed:
    return RenderingFailed(f"The presentation unpacks to more than {limits.unpacked_bytes >> 20} MB; make it smaller.")


def _pack(parts: dict[str, bytes]) -> bytes:
    writer = ZipWriter(_MOST_PACKED_BYTES)
    for name, content in parts.items():
        writer.add(name, store(content))
    return writer.finish()


def _stripped(parts: dict[str, bytes], roots: dict[str, Root], limits: IntakeLimits) -> dict[str, bytes]:
    """Return the parts with those replaced that LibreOffice may not see: it knows a picture by its first bytes."""
    stripped = dict[str, bytes]()
    left = limits.unpacked_bytes
    for name, content in parts.items():
        stripped[name] = _strip(name, content, parts, roots)
        left -= len(stripped[name])  # a picture may have been packed in itself
        if left < 0:
            raise _too_large(limits)
    return stripped


def _strip(name: str, content: bytes, parts: dict[str, bytes], roots: dict[str, Root]) -> bytes:
    if name.lower().endswith(".rels") and leads_nowhere(content):
        source = _source_of(name)
        return strip_relationships(name, content, parts.get(source), _list_dangling(parts, source))
    if name not in roots:
        return defuse(content)
    return content if is_office_vocabulary(roots[name].namespace) and leads_nowhere(content) else EMPTY_SVG


def _list_dangling(parts: dict[str, bytes], source: str) -> set[str]:
    """Return the ids of a part's relationships to missing parts: with some, LibreOffice opens no file."""
    names = {name.lower() for name in parts}
    related = _related(parts, source).items()
    return {
        key
        for key, (entry, target) in related
        if not entry.is_unwanted and names.isdisjoint({target.lower(), unquote(target).lower()})
    }


# ---------------------------------------------------------------- the slides


def _count_shown_slides(parts: dict[str, bytes], roots: dict[str, Root]) -> int:
    main = next((target for entry, target in _related(parts, "").values() if entry.kind == "officeDocument"), "")
    if main not in roots:
        raise RenderingFailed("The file is a ZIP package without a presentation in it; send a PowerPoint presentation.")
    if roots[main].name != "presentation":
        raise RenderingFailed("The file is another kind of Office document; send a PowerPoint presentation (.pptx).")
    slides = _slides_of(parts, main)
    if not slides:
        raise RenderingFailed("The presentation has no slides; add at least one.")
    for number, slide in enumerate(slides, start=1):
        if slide not in roots:
            raise RenderingFailed(f"Slide {number} is missing from the presentation; save it again in PowerPoint.")
    shown = sum(roots[slide].attributes.get("show", "1") not in {"0", "false"} for slide in slides)  # p:sld/@show
    if not shown:
        raise RenderingFailed("Every slide of the presentation is hidden; show at least one.")
    return shown


def _slides_of(parts: dict[str, bytes], main: str) -> list[str]:
    """Return the part names of the slides, one for each entry of the slide list (`p:sldIdLst`)."""
    ids: list[str] = []

    def take(element: str, attributes: dict[str, str]) -> None:
        if element == "sldId":
            ids.extend(value for key, value in attributes.items() if key.endswith(" id"))

    scan(main, parts[main], take)
    targets = {key: target for key, (_, target) in _related(parts, main).items()}
    return [targets.get(key, "") for key in ids]


def _related(parts: dict[str, bytes], source: str) -> dict[str, tuple[Relationship, str]]:
    """Return the relationships of a part ("" is the package) by id, each with the name of its target part."""
    folder, _, name = source.rpartition("/")
    rels = f"{folder}/_rels/{name}.rels".lstrip("/")
    entries = read_relationships(rels, parts[rels]) if rels in parts else []
    return {entry.id: (entry, _resolve(folder, entry.target)) for entry in entries}


def _list_custom_xml(parts: dict[str, bytes]) -> set[str]:
    sources = [_source_of(name) for name in parts if name.lower().endswith(".rels")]
    related = [entry for source in sources for entry in _related(parts, source).values()]
    return {target.lower() for entry, target in related if entry.kind in _CUSTOM_XML}


def _resolve(folder: str, target: str) -> str:
    """Return the name of a relationship's target part, seen from its source's folder."""
    steps = [] if target.startswith("/") else folder.split("/")
    for step in target.split("/"):
        if step == "..":
            del steps[-1:]
        elif step not in {"", "."}:
            steps.append(step)
    return "/".join(filter(None, steps))


def _source_of(rels: str) -> str:
    """Return the part of a `.rels` part: `ppt/slides/slide1.xml` of `ppt/slides/_rels/slide1.xml.rels`."""
    folder, _, name = rels.rpartition("/")
    return f"{folder.removesuffix('_rels')}{name.removesuffix('.rels')}"
