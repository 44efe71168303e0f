"""The free times that a search finds: the soonest of each half day, then by day with everybody who is free."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import accumulate, groupby, islice
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from meetdeck.pages.console.booking.search_form import PHYSICAL, Employee, Firm, Search, read_employees
from meetdeck.pages.console.kit import ConsolePage
from meetdeck.pages.texts import Texts

MOST_DAYS: Final = 5
"""The number of days shown at once: "Later times" shows others."""
MOST_ADVISORS: Final = 6
"""The number of advisors shown for a time."""
_MOST_BUTTONS: Final = 240
"""About how many times of advisors a page has, so that it stays below 100 KB: "Later times" shows the days after."""
_MOST_BEST: Final = 3
_NOON: Final = time(12)
_FAR: Final = 60
_SEPARATOR: Final = "~"


class Time(msgspec.Struct, frozen=True):
    """A chosen time, and its advisor."""

    starts_at: datetime
    ends_at: datetime
    employee_id: UUID

    @classmethod
    def read(cls, value: str) -> "Time | None":
        """Return the time in a button's value, None for an invalid value."""
        try:
            begin, minutes, employee_id = value.split(_SEPARATOR)
            starts_at, length = datetime.fromisoformat(begin), timedelta(minutes=int(minutes))
            chosen = cls(starts_at, starts_at + length, UUID(employee_id))
        except (ValueError, OverflowError):
            return None
        return chosen if starts_at.tzinfo is not None else None

    def write(self) -> str:
        """Return the time as the value of a button."""
        begin = self.starts_at.astimezone(UTC)
        minutes = round((self.ends_at - self.starts_at).total_seconds() / 60)
        return _SEPARATOR.join((f"{begin:%Y-%m-%dT%H:%MZ}", str(minutes), str(self.employee_id)))


class ShownTime(NamedTuple):
    """A time on a button: its value, and in words; the advisor with the seats left, where others have begun it."""

    value: str
    day: str
    span: str
    advisor: str
    place: str


class ShownStart(NamedTuple):
    """The advisors who are free at a time, and whether there are more than shown."""

    span: str
    times: list[ShownTime]
    has_more: bool


class ShownDay(NamedTuple):
    """A day with free times."""

    day: date
    title: str
    starts: list[ShownStart]


class FoundTimes(NamedTuple):
    """The times that a search found; `earlier` and `later` are the days to which the search can move."""

    best: list[ShownTime]
    days: list[ShownDay]
    earlier: date | None
    later: date


class Slot(msgspec.Struct, frozen=True, rename="camel"):
    """A free time as the API answers it."""

    start_date: datetime
    end_date: datetime
    employee_id: UUID
    seats_left: int | None = None


async def find_times(page: ConsolePage, firm: Firm, search: Search, token: str = "") -> FoundTimes:
    """Return the free times; the time that `token` holds counts as free. Raises ApiRefusal."""
    recommended = await _search(page, firm, search, token, getBestTimeSlots=True)
    everybody = await _search(page, firm, search, token, advisorsPerTime=MOST_ADVISORS + 1) if recommended else []
    employees = await read_employees(page.api, {one.employee_id for one in (*recommended, *everybody)})
    show = _TimeWriter(page, firm, search, employees)
    by_day = [(day, list(slots)) for day, slots in groupby(everybody, key=show.find_day)]
    shown = _keep_few([ShownDay(day, show.name_day(day), show.list_starts(slots)) for day, slots in by_day[:MOST_DAYS]])
    today = page.now.astimezone(firm.zone).date()
    return FoundTimes(
        best=[show.show(one) for one in _pick_best(recommended, show)],
        days=shown,
        earlier=max(search.first - timedelta(days=search.days), today) if search.first > today else None,
        later=by_day[len(shown)][0] if len(by_day) > len(shown) else search.first + timedelta(days=search.days),
    )


def list_parameters(page: ConsolePage, firm: Firm, search: Search) -> dict[str, str | bool | list[str] | None]:
    """Return the parameters of the API's search; customers' rules do not bind staff."""
    wanted = search.wanted
    begin = max(page.now, datetime.combine(search.first, time(), firm.zone))
    end = datetime.combine(search.first + timedelta(days=search.days), time(), firm.zone)
    seconds = round((end - begin).total_seconds())
    hours, minutes = divmod(seconds % 86400 // 60, 60)
    return {
        "requireEmployeeParticipation": False,
        "startDate": begin.isoformat(),
        "lookForwardTime": f"{seconds // 86400}.{hours:02}:{minutes:02}:{seconds % 60:02}",
        "topic": wanted.topic or None,
        "customerTypeId": wanted.customer or None,
        "meetingTypes": wanted.type,
        "labels": [wanted.label] if wanted.label else None,
        "customerLocation": wanted.place or None,
        "explicitEmployeeIds": [str(one.id) for one in search.employees] or None,
    }


def name_place(texts: Texts, search: Search, employee: Employee | None) -> str:
    """Return the place of a physical meeting: the requested one, or else its advisor's usual one."""
    if search.wanted.type != PHYSICAL:
        return ""
    usual = employee.location if employee is not None else ""
    return search.wanted.place or (texts.translate("usually in {place}", place=usual) if usual else "")


async def find_first_day(page: ConsolePage, firm: Firm, search: Search) -> date | None:
    """Return the first day with a free time within two months, None for none. Raises ApiRefusal."""
    found = await _search(page, firm, search._replace(days=_FAR), "", getBestTimeSlots=True)
    return found[0].start_date.astimezone(firm.zone).date() if found else None


async def _search(page: ConsolePage, firm: Firm, search: Search, token: str, **shape: int) -> list[Slot]:
    query = {**list_parameters(page, firm, search), "token": token or None, **shape}
    return (await page.api.send("GET", "booking/time-slots/available", query=query)).read(list[Slot])


def _pick_best(slots: Sequence[Slot], show: "_TimeWriter") -> list[Slot]:
    """Return the first time of each of the next half days: customers seldom mind half an hour, but the day matters."""
    halves = groupby(slots, key=show.find_half_day)
    return [next(times) for _, times in islice(halves, _MOST_BEST)]


def _keep_few(days: Sequence[ShownDay]) -> list[ShownDay]:
    """Return the first days that have few enough times of advisors, at least one day."""
    counts = accumulate(sum(len(start.times) for start in day.starts) for day in days)
    return [
        day
        for number, (day, count) in enumerate(zip(days, counts, strict=True))
        if not number or count <= _MOST_BUTTONS
    ]


class _TimeWriter:
    """Writes the times of a search."""

    def __init__(self, page: ConsolePage, firm: Firm, search: Search, employees: Mapping[UUID, Employee]) -> None:
        self._texts, self._zone = page.texts, firm.zone
        self._today = page.now.astimezone(firm.zone).date()
        self._search = search
        self._employees = employees

    def find_day(self, slot: Slot) -> date:
        return slot.start_date.astimezone(self._zone).date()

    def find_half_day(self, slot: Slot) -> tuple[date, bool]:
        return self.find_day(slot), slot.start_date.astimezone(self._zone).time() >= _NOON

    def name_day(self, day: date) -> str:
        return self._texts.show_day(day, self._today)

    def list_starts(self, slots: Sequence[Slot]) -> list[ShownStart]:
        starts: list[ShownStart] = []
        for _, found in groupby(slots, key=lambda one: one.start_date):
            times = list(found)
            shown = [self.show(one) for one in times[:MOST_ADVISORS]]
            starts.append(ShownStart(shown[0].span, shown, len(times) > len(shown)))
        return starts

    def show(self, slot: Slot) -> ShownTime:
        employee = self._employees.get(slot.employee_id)
        return ShownTime(
            value=Time(slot.start_date, slot.end_date, slot.employee_id).write(),
            day=self.name_day(self.find_day(slot)),
            span=self._texts.show_span(slot.start_date, slot.end_date, self._zone),
            advisor=" · ".join(filter(None, (employee.name if employee is not None else "", self._show_seats(slot)))),
            place=name_place(self._texts, self._search, employee),
        )

    def _show_seats(self, slot: Slot) -> str:
        if slot.seats_left is None:
            return ""
        return self._texts.translate_plural("{number} seat left", "{number} seats left", slot.seats_left)
