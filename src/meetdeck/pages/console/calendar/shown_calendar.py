"""The shown calendar: that of an advisor, a team, a room or a location."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final, Literal, NamedTuple
from uuid import UUID

from meetdeck.pages.console.kit import (
    Api,
    ConsolePage,
    IdAndName,
    ListPage,
    count_pages,
    find_option,
    find_own,
    list_part,
    page_of,
)

MOST_SHOWN = 40
"""The maximum number of columns of a calendar: others are on further pages."""
_LAST_PAGE = 10_000
_FARTHEST: Final = 10 * 366

ResourceKind = Literal["employee", "room"]


class Resource(NamedTuple):
    """An advisor or a room: a column of the calendar."""

    kind: ResourceKind
    id: UUID
    name: str

    @property
    def key(self) -> str:
        """Return its key in addresses."""
        return f"{self.kind}.{self.id}"

    @property
    def query(self) -> dict[str, str]:
        """Return the parameter with which the API narrows its lists to it."""
        return {f"{self.kind}Id": str(self.id)}


class ShownCalendar(NamedTuple):
    """A calendar: its key in addresses, its name, and a page of its columns."""

    key: str
    name: str
    columns: ListPage[Resource]

    @property
    def resources(self) -> Sequence[Resource]:
        """Return the columns."""
        return self.columns.items

    @property
    def single(self) -> Resource | None:
        """Return the only column, None for several."""
        return next((one for one in self.resources if one.key == self.key), None)


async def open_calendar(page: ConsolePage, key: str, number: int = 1) -> ShownCalendar | None:
    """Return a page of the calendar with a key, None for an unknown one."""
    option = await find_option(page, "calendars", key)
    if option is None:
        return None
    kind, _, inside = key.partition(".")
    if kind in {"employee", "room"}:
        one = Resource("room" if kind == "room" else "employee", UUID(inside), option.label)
        return ShownCalendar(one.key, option.label, page_of([one], 1, MOST_SHOWN))
    return ShownCalendar(key, option.label, await _read_columns(page.api, kind, inside, min(number, _LAST_PAGE)))


def read_asked_day(text: str, today: date) -> date:
    """Return the day in an address, or today if it is missing or more than ten years away."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return today
    return day if abs((day - today).days) < _FARTHEST else today


def read_topic(asked: str, topics: Mapping[UUID, str]) -> str:
    """Return the topic's id in an address, empty for an unknown one."""
    return asked if asked in {str(one) for one in topics} else ""


async def find_first(page: ConsolePage) -> str:
    """Return the key of the person's own calendar, or else of the first advisor or room; empty if there are none."""
    own = await find_own(page)
    if own is not None:
        return f"employee.{own.id}"
    for kind in ("employee", "room"):
        for one in await page.api.get(f"booking/{kind}s", list[IdAndName], limit=1):
            return f"{kind}.{one.id}"
    return ""


async def _read_columns(api: Api, kind: str, inside: str, number: int) -> ListPage[Resource]:
    """Return a page of the members of a team and the teams below it, or of the people and then the rooms of a location.

    It is the last page if there are fewer.
    """
    query = {"competenceGroupId" if kind == "team" else "location": inside}
    skipped = (number - 1) * MOST_SHOWN
    people, total = await list_part(api, "booking/employees", IdAndName, limit=MOST_SHOWN, offset=skipped, **query)
    columns = [Resource("employee", one.id, one.name) for one in people]
    if kind == "location":
        skipped = max(0, skipped - total)
        rooms, more = await list_part(api, "booking/rooms", IdAndName, limit=MOST_SHOWN, offset=skipped, **query)
        columns += [Resource("room", one.id, one.name) for one in rooms]
        total += more
    pages = count_pages(total, MOST_SHOWN)
    if number > pages:
        return await _read_columns(api, kind, inside, pages)
    return ListPage(columns[:MOST_SHOWN], number, pages, total)
