"""The overview of a template: its slides and sections, and its author's descriptions of the tags."""

from collections.abc import Iterable, Sequence
from typing import Final

from meetdeck.present.deck.fields.tags import Description, TemplateFields
from meetdeck.present.deck.findings import Finding, info, warning
from meetdeck.present.deck.language.constructs import BlockStart, Directive, Tag
from meetdeck.present.deck.language.field_types import TEXT
from meetdeck.present.deck.language.parsing import parse_tag
from meetdeck.present.deck.language.syntax import scan
from meetdeck.present.deck.opc.xml import A, Element
from meetdeck.present.deck.presentation.paragraphs import paragraph_text
from meetdeck.present.deck.presentation.slides import Slide
from meetdeck.present.deck.program.slide_lists import SectionPlan
from meetdeck.present.deck.program.template import DeckPlan, SectionInfo, SlideInfo

TAGS_SLIDE: Final = "_tags"


def find_tags_slide(slides: Iterable[Slide]) -> Slide | None:
    """Return the hidden slide that describes the tags."""
    return next((slide for slide in slides if slide.hidden and slide.own_name == TAGS_SLIDE), None)


def list_slides(slides: Sequence[Slide], plan: DeckPlan) -> tuple[SlideInfo, ...]:
    """Return the slides as callers see them."""
    section_names = {index: section.name for section in plan.sections for index in section.slides}
    chapters = [tuple(chapter.directive.name for chapter in slide.chapters) for slide in plan.slides]
    return tuple(
        SlideInfo(slide.name, slide.position, section_names.get(index), slide.hidden, chapters[index])
        for index, slide in enumerate(slides)
    )


def list_sections(slides: Sequence[Slide], sections: Iterable[SectionPlan]) -> tuple[SectionInfo, ...]:
    """Return the sections with the names of their slides."""
    return tuple(SectionInfo(section.name, tuple(slides[i].name for i in section.slides)) for section in sections)


def report_names(slides: Iterable[Slide], findings: list[Finding]) -> None:
    """Add warnings for names that several slides have, and for a `_tags` slide that is not hidden."""
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


def read_descriptions(slide: Element) -> list[Description]:
    """Return tag descriptions from the tables of the `_tags` slide: the name, or a tag of it, then the text.

    The header row that PowerPoint gives a table is skipped when it describes no tag: `is_header` marks it.
    """
    descriptions: list[Description] = []
    for table in slide.iter(A + "tbl"):
        properties = table.find(A + "tblPr")
        has_header = properties is not None and properties.get("firstRow") in {"1", "true"}
        for number, row in enumerate(table.findall(A + "tr")):
            cells = [_cell_text(cell) for cell in row.findall(A + "tc")]
            name = _tag_name(cells[0]) if cells else ""
            if name:
                text = cells[1] if len(cells) > 1 else ""
                descriptions.append(Description(name, text, is_header=number == 0 and has_header))
    return descriptions


def _cell_text(cell: Element) -> str:
    return "\n".join(paragraph_text(paragraph) for paragraph in cell.iter(A + "p")).strip()


def _tag_name(text: str) -> str:
    text = text.strip()
    found = next(scan(text, describes_shape=True), None) if text.startswith("[") else None
    construct = found.construct if found else parse_tag(text.removeprefix("{{").removesuffix("}}"))
    return construct.name if isinstance(construct, Tag | BlockStart | Directive) else ""


def report_torn(fields: TemplateFields, findings: list[Finding]) -> None:
    """Add a warning for each name used as a text in one place and as an object or list in another."""
    for field in fields.find_torn():
        use = next(use for use in field.uses if isinstance(use.expression, Tag))
        message = (
            f"{use.expression.source} shows {field.name!r} as a text, but elsewhere in the template it is "
            f"{(field.type or TEXT).noun}. Give one of them another name."
        )
        details: dict[str, str | int] = {"tag": use.expression.source, "shape": use.place.shape}
        details |= {"paragraph": use.place.paragraph, "part": use.place.part}
        findings.append(Finding("Warning", "torn-name", message, use.slide, details))


def report_descriptions(fields: TemplateFields, findings: list[Finding]) -> None:
    """Add an info for each described tag that no slide uses."""
    for tag in fields.tags:
        if not tag.occurrences:
            message = f"The tag {{{{{tag.name}}}}} is described, but no slide uses it."
            findings.append(info("unused-tag", message, TAGS_SLIDE, tag=tag.name))
