"""The lists of the presentation part, rewritten: slides, sections, custom shows; and new slide ids."""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple
from uuid import UUID, uuid5

from meetdeck.present.deck.language.values import escape_attribute
from meetdeck.present.deck.program.scope import Program, Scope, render

# Slide ids lie in [256, 2**31); master and layout ids begin where they end (19.7.13).
FIRST_SLIDE_ID: Final = 256
PAST_SLIDE_IDS: Final = 2**31

_SECTION_IDS: Final = UUID("6f0d4f2c-2a1f-5d8e-9f39-8f6f5a0f9c11")


class SectionPlan(NamedTuple):
    """A p14:section: its slides by index; `title` writes its name as an attribute value with tags.

    `depth` is the number of chapters for each of whose items it is repeated.
    """

    name: str
    id: str
    slides: tuple[int, ...]
    title: Program = ()
    depth: int = 0


class ShowPlan(NamedTuple):
    """A p:custShow: its slides by index."""

    id: str
    slides: tuple[int, ...]


_DEFAULT_NAME: Final = "Default Section"
_DEFAULT_ID: Final = "{6E25D6A5-54C7-4E76-8F35-1D2BB4E43D2E}"
_DEFAULT_SECTION: Final = SectionPlan(_DEFAULT_NAME, _DEFAULT_ID, (), (_DEFAULT_NAME.encode(),))


class SlideListEntry(NamedTuple):
    """A p:sldId."""

    slide_id: int
    relationship_id: str


class SlideListWriter(NamedTuple):
    """Writes the lists of the presentation part with the prefixes of the template's own."""

    prefix: str
    relationship_attribute: str
    section_prefix: str

    def slide_list(self, entries: Iterable[SlideListEntry]) -> bytes:
        """Return the inside of p:sldIdLst."""
        prefix, attribute = self.prefix, self.relationship_attribute
        return "".join(
            [f'<{prefix}sldId id="{slide_id}" {attribute}="{identifier}"/>' for slide_id, identifier in entries]
        ).encode()

    def show_slides(self, relationship_ids: Iterable[str]) -> bytes:
        """Return the inside of a custom show's p:sldLst."""
        return "".join(
            f'<{self.prefix}sld {self.relationship_attribute}="{identifier}"/>' for identifier in relationship_ids
        ).encode()

    def sections(self, slides: Iterable["SectionedSlide"]) -> bytes:
        """Return the inside of p14:sectionLst for slides in deck order.

        A section is a run of neighbouring slides; when its slides are separated, or it repeats with a chapter, it
        appears again under a new id. Tags in its name are rendered with the data of its first slide.
        """
        prefix = self.section_prefix
        seen: dict[str, int] = {}
        out: list[str] = []
        for section, members in section_runs(slides):
            times = seen[section.id] = seen.get(section.id, 0) + 1
            guid = section.id if times == 1 else f"{{{uuid5(_SECTION_IDS, f'{section.id}/{times}')}}}".upper()
            entries = "".join(f'<{prefix}sldId id="{slide.slide_id}"/>' for slide in members)
            title = render(section.title, members[0].scope).decode()
            out.append(
                f'<{prefix}section name="{title}" id="{escape_attribute(guid)}">'
                f"<{prefix}sldIdLst>{entries}</{prefix}sldIdLst></{prefix}section>"
            )
        return "".join(out).encode()


class SectionedSlide(NamedTuple):
    """A slide of a deck, its section in the template, its scope, and its `passes`: see `build.expand.DeckSlide`."""

    slide_id: int
    section: SectionPlan | None
    scope: Scope
    passes: tuple[int, ...] = ()


def section_runs(slides: Iterable[SectionedSlide]) -> list[tuple[SectionPlan, list[SectionedSlide]]]:
    """Return runs of neighbouring slides of one section; one without joins the one before it, as in PowerPoint."""
    runs: list[tuple[SectionPlan, list[SectionedSlide]]] = []
    last: tuple[SectionPlan, tuple[int, ...]] | None = None
    for slide in slides:
        section = slide.section or (runs[-1][0] if runs else _DEFAULT_SECTION)
        run = (section, slide.passes[: section.depth])
        if last is None or last[0] is not section or last[1] != run[1]:
            runs.append((section, []))
        runs[-1][1].append(slide)
        last = run
    return runs


def new_slide_ids(taken: Iterable[int]) -> Callable[[], int]:
    """Return a source of free slide ids: above the highest, then in the gaps."""
    used = {FIRST_SLIDE_ID - 1, *taken}
    following = max(used) + 1

    def take() -> int:
        nonlocal following
        if following >= PAST_SLIDE_IDS:
            following = FIRST_SLIDE_ID
        while following in used:
            following += 1
        used.add(following)
        return following

    return take
