"""All pages of the manual as HTML, by name."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tools.manual.markdown import Body, Heading, render
from tools.manual.navigation import Navigation, read_navigation
from tools.manual.rendering import fill

from meetdeck import __version__
from meetdeck.pages.icons import icon
from meetdeck.pages.manual.links import HOME

SEARCH: Final = "search"
_MOST_HEADINGS: Final = 30
"""A page with more headings lists only those of the second level beside its text."""


class Manual(NamedTuple):
    """The manual: its order, and its pages' texts and whole HTML by name."""

    navigation: Navigation
    bodies: Mapping[str, Body]
    pages: Mapping[str, str]


def make_manual(docs: Path, generated: Mapping[str, Mapping[str, Body]]) -> Manual:
    """Return the manual of the pages in `docs` and of the `generated` ones. Raises WrongNavigation, UnknownMarkup."""
    navigation = read_navigation(docs, generated)
    made = {name: body for group in generated.values() for name, body in group.items()}
    bodies = {name: made.get(name) or _read_body(docs, name) for name in navigation.list_pages()}
    shared = {
        "icon": icon,
        "version": __version__,
        "navigation": navigation,
        "titles": {name: body.title for name, body in bodies.items()},
    }
    pages = {name: _write_page(name, bodies, navigation, shared) for name in bodies}
    pages[HOME] = fill(
        "home.html",
        **shared,
        name=HOME,
        title="Meetdeck manual",
        lead="Customers book time with an advisor, and the advisor walks in with the deck. This manual shows how to "
        "set that up, build on it and run it.",
        here=None,
    )
    pages[SEARCH] = fill(
        "search.html",
        **shared,
        name=SEARCH,
        title="All pages and headings",
        lead="The whole manual at a glance. To search its text, press / on any page.",
        all_headings={name: body.headings for name, body in bodies.items()},
        here=None,
    )
    return Manual(navigation, bodies, pages)


def _read_body(docs: Path, name: str) -> Body:
    return render(name, (docs / f"{name}.md").read_text(encoding="utf-8"), docs)


def _write_page(name: str, bodies: Mapping[str, Body], navigation: Navigation, shared: Mapping[str, object]) -> str:
    order, body = navigation.list_pages(), bodies[name]
    place = order.index(name)
    return fill(
        "page.html",
        **shared,
        name=name,
        title=body.title,
        anchor=body.anchor,
        lead=body.lead,
        html=body.html,
        headings=_choose_headings(body.headings),
        wide=body.wide,
        here=navigation.find_section(name),
        crumb=navigation.find_group(name) if name.startswith("reference/") else navigation.find_section(name).title,
        before=order[place - 1] if place else None,
        after=order[place + 1] if place + 1 < len(order) else None,
    )


def _choose_headings(headings: Sequence[Heading]) -> Sequence[Heading]:
    deepest = 3 if sum(heading.level <= 3 for heading in headings) <= _MOST_HEADINGS else 2  # noqa: PLR2004 - a level
    return [heading for heading in headings if heading.level <= deepest]
