"""Results of Ctrl+K other than customers: pages of the console, actions and advisors."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from meetdeck.pages.console.kit import ACTIONS, GROUPS, SETTINGS, ConsolePage, IdAndName, list_part

_MOST: Final = 5


class Place(NamedTuple):
    """A link: its words, a remark, its address below the console, and its icon."""

    title: str
    aside: str
    path: str
    icon: str


class PlaceGroup(NamedTuple):
    """Links below one heading."""

    title: str
    places: list[Place]


async def find_places(page: ConsolePage, wanted: str) -> list[PlaceGroup]:
    """Return the pages and actions whose words begin with the searched ones, and the advisors with that name.

    Without a search: the whole menu.
    """
    translate = page.texts.translate
    pages = [place for place in _list_pages(page) if _has(place, wanted)]
    actions = [place for place in _list_actions(page) if wanted and _has(place, wanted)]
    advisors = await _find_advisors(page, wanted) if wanted else []
    groups = (
        PlaceGroup(translate("Advisors"), advisors),
        PlaceGroup(translate("Go to"), pages[:_MOST] if wanted else pages),
        PlaceGroup(translate("Do"), actions[:_MOST]),
    )
    return [group for group in groups if group.places]


def _list_pages(page: ConsolePage) -> Iterator[Place]:
    translate = page.texts.translate
    for group in GROUPS:
        for entry in group.entries:
            if page.may_open(entry.path):
                yield Place(
                    translate(entry.title), translate(group.title) if group.title else "", entry.path, entry.icon
                )
    for settings in SETTINGS:
        for one in settings.pages:
            if _may_open(page, one.path):
                yield Place(translate(one.title), translate("Settings"), one.path, one.icon)


def _list_actions(page: ConsolePage) -> Iterator[Place]:
    return (
        Place(page.texts.translate(one.title), "", one.path, one.icon) for one in ACTIONS if _may_open(page, one.path)
    )


def _may_open(page: ConsolePage, path: str) -> bool:
    """Return whether the role includes a page: resources of the settings share their addresses."""
    steps = path.split("/")
    shared = {1: "settings/{slug:str}", 2: "settings/{slug:str}/new"}
    return page.may_open(path) or (
        steps[0] == "settings" and path not in _OWN and page.may_open(shared.get(len(steps) - 1, path))
    )


_OWN: Final = frozenset(
    {"settings/directory", "settings/keys", "settings/requests", "settings/webhooks", "settings/webhooks/new"}
)
"""Pages of the settings with roles of their own."""


def _has(place: Place, wanted: str) -> bool:
    """Return whether each searched word begins a word of the place."""
    words = f"{place.title} {place.aside}".casefold().split()
    return all(any(word.startswith(begin) for word in words) for begin in wanted.casefold().split())


async def _find_advisors(page: ConsolePage, wanted: str) -> list[Place]:
    found, _ = await list_part(page.api, "booking/employees", IdAndName, limit=_MOST, offset=0, search=wanted)
    return [Place(one.name, one.email, f"calendar?whose=employee.{one.id}", "user-round") for one in found]
