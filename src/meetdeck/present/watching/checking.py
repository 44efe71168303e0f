"""A check of a template: its findings, and the deck made of it with example data, or with the author's own."""

from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from meetdeck.platform.errors import SetupError
from meetdeck.present.authoring import FilesBeside, list_beside, read_document, read_file, share_beside
from meetdeck.present.deck import (
    DeckError,
    Finding,
    Template,
    TemplateError,
    TemplateFile,
    compile_template,
    whole_deck,
)
from meetdeck.present.render.handouts import installed_font_families
from meetdeck.present.render.svg import SvgDrawer
from meetdeck.present.render.typefaces import installed_typefaces
from meetdeck.present.watching.schemas import Picture, Remark, WatchedSlide, as_remark

_SEVERITIES: Final = ("Error", "Warning", "Info")


class CheckOutcome(Struct, frozen=True):
    """The outcome of a check: without a `deck`, `findings` and `trouble` say why there is none.

    `pages` are the names of the template's slides on the pages of the deck. `read` are the files that it is made of,
    beside template and data.
    """

    findings: tuple[Finding, ...] = ()
    trouble: str = ""
    deck: bytes = b""
    slides: tuple[tuple[str, bool], ...] = ()
    pages: tuple[str, ...] = ()
    read: tuple[Path, ...] = ()


def check_template(template: Path, data: Path | None, today: date) -> CheckOutcome:
    """Return the outcome of checking a template now; faults of the files are not raised.

    `today` is what dates are counted from in the deck.
    """
    read: tuple[Path, ...] = ()
    try:
        content = read_file(template)
        compiled = compile_template(content, installed_fonts=installed_font_families(), typefaces=installed_typefaces())
        read = list_beside(template, compiled)
        shared = share_beside(template, TemplateFile(content, compiled))
        findings = (*compiled.findings, *shared.findings)
        look = CheckOutcome(findings, read=read)
        return _fill(look, template, data, shared.template, today)
    except TemplateError as refusal:
        return CheckOutcome(refusal.findings, read=read)
    except (SetupError, DeckError) as problem:
        return CheckOutcome(trouble=str(problem), read=read)


def _fill(look: CheckOutcome, path: Path, data: Path | None, template: Template, today: date) -> CheckOutcome:
    """Return an outcome with the deck, or with the reason why there is none."""
    try:
        deck = whole_deck(
            template,
            read_document(data) if data else template.example,
            contents=FilesBeside((data or path).parent),
            typefaces=installed_typefaces(),
            drawer=SvgDrawer(),
            today=today,
        )
    except (SetupError, DeckError) as problem:
        return replace(look, trouble=str(problem))
    slides = tuple((slide.name, slide.hidden) for slide in template.slides)
    hidden = {slide.name for slide in template.slides if slide.hidden}
    pages = tuple(name for name in deck.slides if name not in hidden)
    findings = (*look.findings, *deck.findings)
    return replace(look, findings=findings, deck=deck.content, slides=slides, pages=pages)


def list_remarks(look: CheckOutcome, slides: Iterable[WatchedSlide]) -> tuple[Remark, ...]:
    """Return the remarks that belong to none of the slides, Errors first."""
    known = {slide.name for slide in slides}
    remarks = [as_remark(one, beside_slide=False) for one in look.findings if one.location not in known]
    if look.trouble:
        remarks.append(Remark("Error", "no-deck", look.trouble))
    return _sorted(remarks)


def list_slides(look: CheckOutcome, pictures: Sequence[Picture] = ()) -> tuple[WatchedSlide, ...]:
    """Return the slides of the deck in order, followed by those without a page.

    Findings belong to the first page of their slide. `pictures` are those of the pages.
    """
    slides: list[WatchedSlide] = []
    for number, name in enumerate(look.pages, start=1):
        picture = pictures[number - 1] if number <= len(pictures) else None
        slides.append(WatchedSlide(name, number, "", picture))
    for name, is_hidden in look.slides:
        if name not in look.pages:
            note = "Hidden in slide shows, and without a page." if is_hidden else "Not in the deck with this data."
            slides.append(WatchedSlide(name, 0, note))
    return remark_on(slides, look)


def remark_on(slides: Iterable[WatchedSlide], look: CheckOutcome) -> tuple[WatchedSlide, ...]:
    """Return slides with the remarks of an outcome instead of those that they have."""
    by_name: dict[str, list[Remark]] = {}
    for finding in look.findings:
        by_name.setdefault(finding.location, []).append(as_remark(finding, beside_slide=True))
    return tuple(replace(slide, remarks=_sorted(by_name.pop(slide.name, ()))) for slide in slides)


def _sorted(remarks: Iterable[Remark]) -> tuple[Remark, ...]:
    return tuple(sorted(dict.fromkeys(remarks), key=lambda remark: _SEVERITIES.index(remark.type)))
