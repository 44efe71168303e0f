"""What is checked before a presentation is rendered: LibreOffice forgives broken files and leaves their slides out.

Everything is unpacked here under limits, and packed again without compression: LibreOffice reads exactly the parts
that were checked, and a small file that unpacks to gigabytes never reaches it.
"""

import io
import zipfile
import zlib
from dataclasses import dataclass
from typing import Final
from xml.parsers import expat

from lxml import etree

from meetdeck.present.render.renderer import RenderingFailed
from meetdeck.present.render.sanitize import strip_relationships

OLE2_MAGIC: Final = bytes.fromhex("d0cf11e0a1b11ae1")
MAX_ENTRIES: Final = 10_000
MAX_UNPACKED_BYTES: Final = 512 * 2**20
MAX_XML_BYTES: Final = 64 * 2**20  # in memory, a parsed part takes many times its size
MAX_RATIO: Final = 200
RATIO_COUNTS_FROM_BYTES: Final = 16 * 2**20  # small parts of repeated text legitimately shrink a lot

_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)


@dataclass(frozen=True, slots=True)
class Deck:
    """A presentation that is safe to hand to LibreOffice, and how many pages must come back."""

    package: bytes
    shown_slides: int


def take_in(pptx: bytes) -> Deck:
    """Check a presentation and strip what reaches outside of it; raises RenderingFailed saying what is wrong."""
    _check_kind(pptx)
    parts = _unpack(pptx)
    slides = _slide_names(parts)
    shown = sum(_is_shown(parts, name) for name in slides)
    if not shown:
        raise RenderingFailed(
            "Every slide of the presentation is hidden; show at least one."
            if slides
            else "The presentation has no slides; add at least one."
        )
    _check_xml(parts)
    return Deck(_pack(_stripped(parts)), shown)


def _check_kind(pptx: bytes) -> None:
    if not pptx:
        raise RenderingFailed("The file is empty; send a PowerPoint presentation (.pptx).")
    if pptx.startswith(OLE2_MAGIC):
        if "EncryptedPackage".encode("utf-16-le") in pptx:
            raise RenderingFailed(
                "The presentation is password-protected; save it without a password and send it again."
            )
        raise RenderingFailed("The file has PowerPoint's format from before 2007; save it as .pptx and send it again.")
    if not pptx.startswith(b"PK"):
        raise RenderingFailed("The file is not a PowerPoint presentation (.pptx is a ZIP package; this is not).")


def _unpack(pptx: bytes) -> dict[str, bytes]:
    """Every part by its name."""
    try:
        with zipfile.ZipFile(io.BytesIO(pptx)) as package:
            entries = [entry for entry in package.infolist() if not entry.is_dir()]
            _check_limits(entries)
            return {entry.filename: package.read(entry) for entry in entries}
    except _UNREADABLE as error:
        raise RenderingFailed(f"The presentation is damaged or cut short ({error}); send it again.") from error


def _check_limits(entries: list[zipfile.ZipInfo]) -> None:
    """Refuse by what the directory declares; `read` then stops at the declared size, so it cannot lie."""
    if len(entries) > MAX_ENTRIES:
        raise RenderingFailed(f"The presentation has {len(entries)} parts; at most {MAX_ENTRIES} are accepted.")
    if len({entry.filename.lower() for entry in entries}) != len(entries):
        raise RenderingFailed("The presentation holds two parts of one name; save it again in PowerPoint.")
    if any(entry.flag_bits & 1 for entry in entries):
        raise RenderingFailed("The presentation is encrypted; save it without a password and send it again.")
    if sum(entry.file_size for entry in entries) > MAX_UNPACKED_BYTES:
        raise RenderingFailed(f"The presentation unpacks to more than {MAX_UNPACKED_BYTES >> 20} MB; make it smaller.")
    for entry in entries:
        ratio = entry.file_size / max(1, entry.compress_size)
        too_dense = entry.file_size > RATIO_COUNTS_FROM_BYTES and ratio > MAX_RATIO
        if too_dense or (_is_xml(entry.filename) and entry.file_size > MAX_XML_BYTES):
            raise RenderingFailed(
                f"The part {entry.filename} unpacks to {entry.file_size >> 20} MB, which is too much."
            )


def _is_xml(name: str) -> bool:
    return name.lower().endswith((".xml", ".rels", ".vml"))


# ---------------------------------------------------------------- the package's structure


def _slide_names(parts: dict[str, bytes]) -> list[str]:
    """Part names of the slides, in order, one for each entry of the slide list."""
    main = next((target for kind, target in _related(parts, "").values() if kind == "officeDocument"), None)
    if main is None or main not in parts:
        raise RenderingFailed("The file is a ZIP package without a presentation in it; send a PowerPoint presentation.")
    root = _parse(parts, main)
    if etree.QName(root).localname != "presentation":
        raise RenderingFailed("The file is another kind of Office document; send a PowerPoint presentation (.pptx).")
    related = _related(parts, main)
    names = [related.get(_relationship_id(slide), ("", ""))[1] for slide in root.iterfind("{*}sldIdLst/{*}sldId")]
    for number, name in enumerate(names, start=1):
        if name not in parts:
            raise RenderingFailed(f"Slide {number} is missing from the presentation; save it again in PowerPoint.")
    return names


def _relationship_id(slide: etree._Element) -> str:
    return next((str(value) for key, value in slide.attrib.items() if str(key).endswith("}id")), "")


def _related(parts: dict[str, bytes], source: str) -> dict[str, tuple[str, str]]:
    """The relationships of a part ("" is the package): id → (last step of the type, name of the target part)."""
    folder, _, name = source.rpartition("/")
    rels = f"{folder}/_rels/{name}.rels".lstrip("/")
    if rels not in parts:
        return {}
    return {
        child.get("Id", ""): (child.get("Type", "").rpartition("/")[2], _resolve(folder, child.get("Target", "")))
        for child in _parse(parts, rels).iterfind("{*}Relationship")
    }


def _resolve(folder: str, target: str) -> str:
    """The part name a target means, seen from its source's folder (OPC, relative references)."""
    steps = list[str]() if target.startswith("/") else [step for step in folder.split("/") if step]
    for step in target.split("/"):
        if step == "..":
            del steps[-1:]
        elif step not in {"", "."}:
            steps.append(step)
    return "/".join(steps)


def _parse(parts: dict[str, bytes], name: str) -> etree._Element:
    try:
        return etree.fromstring(parts[name], etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
    except etree.XMLSyntaxError as error:
        raise _malformed(name, str(error)) from error


# ---------------------------------------------------------------- the parts' XML


def _is_shown(parts: dict[str, bytes], slide: str) -> bool:
    """Whether `p:sld/@show` leaves the slide in the show (and so in the PDF)."""
    attributes = dict[str, str]()
    parser = expat.ParserCreate()

    def take_root(_name: str, found: dict[str, str]) -> None:
        attributes.update(found)
        parser.StartElementHandler = None

    parser.StartElementHandler = take_root
    _parse_fully(parser, slide, parts[slide])
    return attributes.get("show", "1") not in {"0", "false"}


def _check_xml(parts: dict[str, bytes]) -> None:
    for name, content in parts.items():
        if name.lower().endswith((".xml", ".rels")):
            parser = expat.ParserCreate()
            parser.StartDoctypeDeclHandler = _refuse_doctype
            _parse_fully(parser, name, content)


def _refuse_doctype(*_: object) -> None:
    raise RenderingFailed("The presentation holds a document type declaration, which Office files never do.")


def _parse_fully(parser: expat.XMLParserType, name: str, content: bytes) -> None:
    try:
        parser.Parse(content, True)  # noqa: FBT003 - expat takes it by position only
    except expat.ExpatError as error:
        raise _malformed(name, str(error)) from error


def _malformed(name: str, reason: str) -> RenderingFailed:
    return RenderingFailed(
        f"The part {name} is not well-formed XML ({reason}); save the presentation again in PowerPoint."
    )


# ---------------------------------------------------------------- the package that is rendered


def _stripped(parts: dict[str, bytes]) -> dict[str, bytes]:
    return {
        name: strip_relationships(content, parts.get(_source_of(name))) if name.lower().endswith(".rels") else content
        for name, content in parts.items()
    }


def _source_of(rels: str) -> str:
    """`ppt/slides/_rels/slide1.xml.rels` belongs to `ppt/slides/slide1.xml`."""
    folder, _, name = rels.rpartition("/")
    return f"{folder.removesuffix('_rels')}{name[: -len('.rels')]}"


def _pack(parts: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as package:
        for name, content in parts.items():
            package.writestr(zipfile.ZipInfo(name), content)
    return packed.getvalue()
