"""What callers see of a template: its slides, sections and tags."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from meetdeck.present.deck.fields import Field, Kind
from meetdeck.present.deck.findings import Finding, info, warning
from meetdeck.present.deck.marking import Use
from meetdeck.present.deck.markup import A, Element
from meetdeck.present.deck.paragraphs import paragraph_text
from meetdeck.present.deck.plan import Occurrence, SectionInfo, SlideInfo, TagInfo, TagType
from meetdeck.present.deck.slidelists import SectionPlan
from meetdeck.present.deck.slides import Slide
from meetdeck.present.deck.syntax import BlockStart, Directive, Tag, parse_tag

TAGS_SLIDE: Final = "_tags"
_TYPES: Final[Mapping[Kind, TagType]] = {
    "text": "text",
    "number": "text",
    "date": "text",
    "address": "text",
    "list": "list",
    "image": "image",
    "chart": "chart",
    "table": "table",
    "condition": "condition",
    # Used as a whole, by a block or a condition, and for its members.
    "object": "condition",
}


def read_descriptions(slide: Element, fields: Field) -> dict[str, str]:
    """Return tag descriptions by tag name from the tables of the `_tags` slide: the name, then the description.

    Names may stand with or without braces, an item's members as `holdings[].name`, `holdings.name` or `name`. The
    header row that PowerPoint gives a table is left out.
    """
    known = _spellings(fields)
    descriptions: dict[str, str] = {}
    for table in slide.iter(A + "tbl"):
        properties = table.find(A + "tblPr")
        has_header = properties is not None and properties.get("firstRow") in {"1", "true"}
        for number, row in enumerate(table.findall(A + "tr")):
            cells = [_cell_text(cell) for cell in row.findall(A + "tc")]
            name = _tag_name(cells[0]) if cells else ""
            if name and not (number == 0 and has_header and name not in known):
                descriptions.setdefault(known.get(name, name), cells[1] if len(cells) > 1 else "")
    return descriptions


def _spellings(fields: Field) -> dict[str, str]:
    """Return the fields' names by what an author may call them."""
    names = [field.name for field in fields.walk()]
    last = {name.rpartition("[].")[2]: name for name in reversed(names)}
    return last | {name.replace("[]", ""): name for name in names} | {name: name for name in names}


def _cell_text(cell: Element) -> str:
    return "\n".join(paragraph_text(paragraph) for paragraph in cell.iter(A + "p")).strip()


def _tag_name(text: str) -> str:
    what = parse_tag(text.strip().removeprefix("{{").removesuffix("}}"))
    return what.name if isinstance(what, Tag | BlockStart | Directive) else ""


def list_tags(fields: Field, descriptions: Mapping[str, str]) -> tuple[TagInfo, ...]:
    """Return what the template asks for in order of appearance, that which is only described last."""
    used = {field.name: field for field in sorted(fields.walk(), key=lambda field: field.first_use)}
    unused = [TagInfo(name, text, "text", ()) for name, text in descriptions.items() if name not in used]
    tags = [
        TagInfo(name, descriptions.get(name, ""), _TYPES[field.kind or "text"], tuple(map(_occurrence, field.uses)))
        for name, field in used.items()
    ]
    return (*tags, *unused)


def _occurrence(use: Use) -> Occurrence:
    return Occurrence(use.slide, use.place.shape, use.place.part, use.place.paragraph)


def find_tags_slide(slides: Iterable[Slide]) -> Slide | None:
    """Return the hidden slide that describes the tags."""
    return next((slide for slide in slides if slide.hidden and slide.own_name == TAGS_SLIDE), None)


def list_slides(slides: Sequence[Slide], sections: Iterable[SectionPlan]) -> tuple[SlideInfo, ...]:
    """Return what callers see of the slides."""
    section_names = {index: section.name for section in sections for index in section.slides}
    return tuple(
        SlideInfo(slide.name, slide.position, section_names.get(index), slide.hidden)
        for index, slide in enumerate(slides)
    )


def list_sections(slides: Sequence[Slide], sections: Iterable[SectionPlan]) -> tuple[SectionInfo, ...]:
    """Return the sections with the names of their slides."""
    return tuple(SectionInfo(section.name, tuple(slides[i].name for i in section.slides)) for section in sections)


def note_names(slides: Iterable[Slide], findings: list[Finding]) -> None:
    """Warn about names that several slides carry, and about a `_tags` slide that shows."""
    seen: set[str] = set()
    for slide in slides:
        if slide.own_name and slide.own_name in seen:
            message = (
                f"Several slides are called {slide.own_name!r}; the one at position {slide.position} is {slide.name!r}."
            )
            findings.append(warning("duplicate-slide-name", message, slide.name, position=slide.position))
        seen.add(slide.own_name)
        if slide.own_name == TAGS_SLIDE and not slide.hidden:
            message = (
                f"The slide {TAGS_SLIDE!r} is not hidden, so it is a slide like any other; hide it to describe tags."
            )
            findings.append(warning("tags-slide-not-hidden", message, slide.name))


def note_descriptions(fields: Field, descriptions: Mapping[str, str], findings: list[Finding]) -> None:
    """Tell which described tags no slide uses."""
    used = {field.name for field in fields.walk()}
    for name in sorted(set(descriptions) - used):
        message = f"The tag {{{{{name}}}}} is described and no slide uses it."
        findings.append(info("unused-tag", message, TAGS_SLIDE, tag=name))
