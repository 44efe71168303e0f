"""The presentation's lists: slides, masters, layouts, sections, custom shows; and slides with their notes."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final
from xml.etree.ElementTree import Element

from support.package_checker.content_models import tag
from support.package_checker.faults import Fault
from support.package_checker.markup import R, number
from support.package_checker.opc import Package, Part

_FIRST_SLIDE_ID: Final = 256
_PAST_SLIDE_IDS: Final = 2**31
_P14: Final = "{http://schemas.microsoft.com/office/powerpoint/2010/main}"
_PROPERTIES: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/extended-properties}"
# A slide has one layout, a layout one master, a notes page one slide.
_ONE_OF: Final = (
    (".slide+xml", "slideLayout"),
    (".slideLayout+xml", "slideMaster"),
    (".slideMaster+xml", "theme"),
    (".notesSlide+xml", "notesMaster"),
    (".notesSlide+xml", "slide"),
)
# Parts with only one owner.
_OWNED: Final = frozenset({"notesSlide", "chart", "package", "oleObject", "comments", "chartStyle", "chartColorStyle"})


def presentation_faults(package: Package) -> Iterator[Fault]:
    """Yield the faults of the presentation part's lists and of the ownership between parts."""
    document = package.document()
    if document is None or document.markup is None:
        yield Fault("presentation", "", "there is none")
        return
    root = document.markup.root
    yield from _slide_list_faults(document, root)
    yield from _master_faults(package, document, root)
    yield from _section_faults(document, root)
    yield from _show_faults(package, document, root)
    yield from _owner_faults(package)
    yield from _notes_faults(package)
    yield from _count_faults(package, root)


def _slide_list_faults(document: Part, root: Element) -> Iterator[Fault]:
    entries = root.findall(f"{tag('p:sldIdLst')}/{tag('p:sldId')}")
    ids = [number(entry.get("id")) for entry in entries]
    if len(set(ids)) < len(ids):
        yield Fault("slide-id", document.name, "an id is there twice")
    for found in ids:
        if not _FIRST_SLIDE_ID <= found < _PAST_SLIDE_IDS:
            yield Fault("slide-id", document.name, f"{found} is out of range")
    listed = [document.relationships[i].part for e in entries if (i := e.get(R + "id", "")) in document.relationships]
    if sorted(filter(None, listed)) != sorted(document.related("slide")):
        yield Fault("slide-list", document.name, "the slides listed are not those that are related")


def _master_faults(package: Package, document: Part, root: Element) -> Iterator[Fault]:
    ids = [e.get("id") for e in root.iter(tag("p:sldMasterId"))]
    for name in document.related("slideMaster"):
        master = package.parts[name]
        if master.markup is None:
            continue
        layouts = list(master.markup.root.iter(tag("p:sldLayoutId")))
        ids += [e.get("id") for e in layouts]
        listed = {r.part for e in layouts if (r := master.relationships.get(e.get(R + "id", "")))}
        if listed != set(master.related("slideLayout")):
            yield Fault("layout-list", name, "the layouts listed are not those that are related")
        for layout in master.related("slideLayout"):
            if package.parts[layout].related("slideMaster") != [name]:
                yield Fault("layout-list", layout, "it is listed by a master that is not its own")
    numbers = [number(text) for text in ids if text is not None]
    if len(set(numbers)) < len(numbers) or any(found < _PAST_SLIDE_IDS for found in numbers):
        yield Fault("master-id", document.name, "an id of a master or layout is there twice or out of range")


def _section_faults(document: Part, root: Element) -> Iterator[Fault]:
    sections = root.findall(f"{tag('p:extLst')}/{tag('p:ext')}/{_P14}sectionLst/{_P14}section")
    if not sections:
        return
    slides = Counter(e.get("id") for e in root.findall(f"{tag('p:sldIdLst')}/{tag('p:sldId')}"))
    members = Counter(e.get("id") for section in sections for e in section.findall(f"{_P14}sldIdLst/{_P14}sldId"))
    if slides - members:
        yield Fault("sections", document.name, "a slide is in no section")
    if members - slides:
        yield Fault("sections", document.name, "a section names a slide that is in another one too, or not there")
    if len({section.get("id", "").upper() for section in sections}) < len(sections):
        yield Fault("sections", document.name, "a section's id is there twice")


def _show_faults(package: Package, document: Part, root: Element) -> Iterator[Fault]:
    shows = Counter(e.get("id") for e in root.findall(f"{tag('p:custShowLst')}/{tag('p:custShow')}"))
    if any(times > 1 for times in shows.values()):
        yield Fault("custom-show", document.name, "an id is there twice")
    slides = set(document.related("slide"))
    for entry in root.findall(f"{tag('p:custShowLst')}/{tag('p:custShow')}/{tag('p:sldLst')}/{tag('p:sld')}"):
        relationship = document.relationships.get(entry.get(R + "id", ""))
        if relationship is None or relationship.part not in slides:
            yield Fault("custom-show", document.name, "it shows what is not a slide of the presentation")
    for part in package.of_type(".presProps+xml"):
        for show in part.markup.root.iter(tag("p:custShow")) if part.markup else ():
            if show.get("id") not in shows:
                yield Fault("custom-show", part.name, f"there is no show {show.get('id')!r}")


def _owner_faults(package: Package) -> Iterator[Fault]:
    for ending, kind in _ONE_OF:
        for part in package.of_type(ending):
            if len(part.related(kind)) != 1:
                yield Fault("owner", part.name, f"it has {len(part.related(kind))} of {kind}, not one")
    owners = Counter(
        (relationship.kind, relationship.part)
        for part in package.parts.values()
        for relationship in part.relationships.values()
        if relationship.kind in _OWNED and relationship.part
    )
    for (kind, name), times in owners.items():
        if times > 1:
            yield Fault("owner", str(name), f"{times} parts call it their {kind}")


def _notes_faults(package: Package) -> Iterator[Fault]:
    for slide in package.of_type(".slide+xml"):
        notes = slide.related("notesSlide")
        if len(notes) > 1 or any(package.parts[name].related("slide") != [slide.name] for name in notes):
            yield Fault("notes", slide.name, "its notes are not of this slide alone")
    for notes in package.of_type(".notesSlide+xml"):
        if any(notes.name not in package.parts[name].related("notesSlide") for name in notes.related("slide")):
            yield Fault("notes", notes.name, "its slide knows nothing of it")


def _count_faults(package: Package, root: Element) -> Iterator[Fault]:
    slides = len(root.findall(f"{tag('p:sldIdLst')}/{tag('p:sldId')}"))
    for part in package.of_type(".extended-properties+xml"):
        for element in _direct(part, _PROPERTIES + "Slides"):
            if number(element.text) != slides:
                yield Fault("properties", part.name, f"it counts {element.text} slides of {slides}")


def _direct(part: Part, name: str) -> Iterable[Element]:
    return part.markup.root.findall(name) if part.markup else ()
