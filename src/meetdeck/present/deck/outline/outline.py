"""The outline of a presentation: its title, its language, the names of its slides and sections."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.errors import TemplateError
from meetdeck.present.deck.language.syntax import BARRIER
from meetdeck.present.deck.limits import DEFAULT_LIMITS, Limits
from meetdeck.present.deck.opc.package import Package, read_package
from meetdeck.present.deck.opc.relationships import CORE_PROPERTIES, SLIDE_MASTER
from meetdeck.present.deck.opc.xml import DC_LANGUAGE, A, Element, query
from meetdeck.present.deck.presentation.document import Document, get_document
from meetdeck.present.deck.presentation.lists import read_sections
from meetdeck.present.deck.presentation.names import position_alias, slide_title
from meetdeck.present.deck.presentation.slides import Slide, read_slides
from meetdeck.present.deck.program.text.language import LANGUAGE_TAG

_TITLE: Final = "{http://purl.org/dc/elements/1.1/}title"
# PowerPoint's default title of a presentation: "PowerPoint-præsentation", "Presentación de PowerPoint".
_UNNAMED: Final = re.compile(r"(?:\w+ ){0,3}PowerPoint(?:[ -]?\w+)?")
_LONGEST_TITLE: Final = 250
_RUNS: Final = (A + "r", A + "fld")
_STYLES: Final = query("(p:txStyles | p:defaultTextStyle)//a:defRPr[@lang]")


class Chapter(Struct, frozen=True):
    """Consecutive visible slides of one section: its name, empty without a section, and the slides' titles."""

    section: str
    slides: tuple[str, ...]


class Outline(Struct, frozen=True):
    """The outline of a deck; `title` and `language` (BCP 47) may be empty.

    The slides of all chapters, in order, are the visible slides; an unreadable deck has none.
    """

    title: str = ""
    language: str = ""
    chapters: tuple[Chapter, ...] = ()

    @property
    def slides(self) -> tuple[str, ...]:
        """The titles of the visible slides."""
        return tuple(title for chapter in self.chapters for title in chapter.slides)


def read_outline(data: bytes, limits: Limits = DEFAULT_LIMITS) -> Outline:
    """Return the outline of a presentation. Unreadable parts are left out; raises nothing."""
    try:
        package = read_package(data, [], limits)
        document = get_document(package)
    except TemplateError:
        return Outline()
    slides = read_slides(package, document)
    shown = [slide for slide in slides if not slide.hidden]
    chapters = tuple(_chapters(slides, document))
    first_title = slide_title(shown[0].root) if shown else ""
    return Outline(
        title=_core_title(package) or _tidy(first_title),
        language=_language(package, shown) or _styled_language(package, document),
        chapters=chapters,
    )


def _chapters(slides: Sequence[Slide], document: Document) -> Iterator[Chapter]:
    """Yield the chapters in order; a section that a damaged file splits becomes several chapters."""
    index_by_id = {slide.entry.slide_id: index for index, slide in enumerate(slides)}
    sections = read_sections(document.root, index_by_id)
    section_of = {index: number for number, section in enumerate(sections) for index in section.slides}
    shown = [(section_of.get(index), slide) for index, slide in enumerate(slides) if not slide.hidden]
    for number, members in groupby(shown, key=lambda entry: entry[0]):
        name = _tidy(sections[number].name) if number is not None else ""
        yield Chapter(name, tuple(_count_alike(_title_of(slide) for _, slide in members)))


def _count_alike(titles: Iterable[str]) -> Iterator[str]:
    """Yield the titles; of equal ones in a row, such as a continued table's, the second is `… (2)`."""
    for title, alike in groupby(titles):
        yield from (f"{title} ({number})" if number > 1 else title for number, _ in enumerate(alike, start=1))


def _title_of(slide: Slide) -> str:
    return _tidy(slide_title(slide.root)) or _tidy(slide.own_name) or position_alias(slide.position)


def _core_title(package: Package) -> str:
    """Return the title of the document properties, unless it is PowerPoint's default."""
    title = _tidy(_core_property(package, _TITLE))
    return "" if _UNNAMED.fullmatch(title) else title


def _core_property(package: Package, tag: str) -> str:
    parts = [one.part for one in package.relationships("") if one.type == CORE_PROPERTIES and one.part]
    root = package.peek(parts[0]) if parts else None
    element = root.find(tag) if root is not None else None
    return (element.text or "") if element is not None else ""


def _language(package: Package, slides: Iterable[Slide]) -> str:
    """Return the language of the document properties if any text has it, else that of most of the text."""
    characters: Counter[str] = Counter()
    for slide in slides:
        for run in slide.root.iter(*_RUNS):
            properties, text = run.find(A + "rPr"), run.find(A + "t")
            if properties is not None and text is not None:
                characters[properties.get("lang", "") or ""] += len((text.text or "").strip())
    spoken = [tag for tag, count in characters.most_common() if count and LANGUAGE_TAG.fullmatch(tag)]
    declared = _core_property(package, DC_LANGUAGE)
    return declared if declared in spoken else next(iter(spoken), "")


def _styled_language(package: Package, document: Document) -> str:
    """Return the language of the masters, else of the presentation, for text without its own."""
    masters = [one.part for one in package.relationships(document.part) if one.type == SLIDE_MASTER and one.part]
    roots: list[Element | None] = [*(package.peek(part) for part in masters), document.root]
    tags = (style.get("lang", "") or "" for root in roots if root is not None for style in _STYLES(root))
    return next((tag for tag in tags if LANGUAGE_TAG.fullmatch(tag)), "")


def _tidy(text: str) -> str:
    """Return a title as one line, suitable for a list of bookmarks."""
    title = " ".join(text.replace(BARRIER, " ").split())
    return title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1] + "…"
