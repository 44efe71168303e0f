"""The search form: its values in forms and addresses, and the choices it offers."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from typing import Final, NamedTuple, Self
from urllib.parse import urlencode
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.pages.console.forms import Choice, load_choices
from meetdeck.pages.console.kit import (
    MOST_LISTED,
    Api,
    ConsolePage,
    Option,
    Picker,
    keep_id,
    read_by_ids,
    read_day,
    read_organization,
    read_search,
)

PHYSICAL: Final = "Physical"
SPANS: Final = (1, 7, 14, 30)
"""The possible numbers of days of a search."""
_SPAN: Final = 7
_MOST_NAMED: Final = 50
_MOST_PARTS: Final = 10
_LONGEST: Final = 4000
_EMPLOYEES: Final = "booking/employees"
_MOST_LABELS: Final = 200
_HOUR: Final = 60


class Employee(msgspec.Struct, frozen=True):
    """An employee's id and name, and their usual location."""

    id: UUID
    name: str
    location: str = ""


class Topic(msgspec.Struct, frozen=True, rename="camel"):
    """A topic's id and name, the length of its meetings, and the service groups that come along to them."""

    id: UUID
    name: str
    duration_minutes: int
    localized_name: dict[str, str] = {}
    also_service_groups: list[UUID] = []


class _Label(msgspec.Struct, frozen=True, rename="camel"):
    label_name: str


class SearchForm(NamedTuple):
    """The values of the form as texts: ids, or empty for any. `employee` may be several ids or part of a name.

    `wish` is the waiting-list entry that the booking fulfils.
    """

    topic: str = ""
    type: str = ""
    place: str = ""
    customer: str = ""
    label: str = ""
    employee: str = ""
    day: str = ""
    days: str = ""
    at: str = ""
    wish: str = ""

    @classmethod
    def read(cls, get: Callable[[str], str]) -> Self:
        """Return the values in an address or a form; for a field with typed text, the text.

        `go` is the day to which a button leads.
        """
        wanted = cls(*(get(name) for name in cls._fields))
        if get("employee.text") != get("employee.was"):
            wanted = wanted._replace(employee=get("employee.text"))
        return wanted._replace(day=get("go"), at="") if get("go") else wanted

    def write(self, **changes: str) -> str:
        """Return them as the query of an address, with some changes."""
        return urlencode({name: text for name, text in self._replace(**changes)._asdict().items() if text})


class Firm(NamedTuple):
    """The form's choices. `employees` is None if there are too many to list; `meant` are the employees named."""

    zone: ZoneInfo
    topics: Sequence[Topic]
    ways: Sequence[Choice]
    places: Sequence[Choice]
    customer_types: Sequence[Choice]
    labels: Sequence[Choice]
    employees: Sequence[Employee] | None
    meant: Sequence[Employee]
    languages: Sequence[str] = ()
    """The tags of the organization's languages, the main one first."""

    @property
    def topic_choices(self) -> list[Choice]:
        """Return the topics as choices."""
        return [Choice(str(one.id), one.name) for one in self.topics]

    def name_way(self, way: str) -> str:
        """Return the words for a type of meeting."""
        return next((one.label for one in self.ways if one.value == way), way)


class Search(NamedTuple):
    """A search: the wanted values without unknown ones, the days, and the employees; empty: anybody."""

    wanted: SearchForm
    topic: Topic | None
    employees: Sequence[Employee]
    first: date
    days: int
    at: datetime | None

    @property
    def minutes(self) -> int:
        """Return the length of the meeting."""
        return self.topic.duration_minutes if self.topic is not None else _HOUR

    @property
    def can_overrule(self) -> bool:
        """Return whether a time can be held that is not offered; never with service groups."""
        return self.topic is None or not self.topic.also_service_groups

    @property
    def employee_names(self) -> str:
        """Return the names of its employees, empty for anybody."""
        return ", ".join(one.name for one in self.employees)

    def show_employee(self, firm: Firm) -> Picker:
        """Return the field for an advisor: a list, also for several named ones; otherwise with the typed text."""
        is_by_id = any(str(one.id) in self.wanted.employee for one in self.employees)
        value = str(self.employees[0].id) if len(self.employees) == 1 else self.wanted.employee
        picker = Picker("employee", "employees", value, self.employee_names)
        if firm.employees is None:
            return picker if is_by_id or len(self.employees) == 1 else picker._replace(text=self.wanted.employee)
        options = [Option(str(one.id), one.name) for one in firm.employees]
        if len(self.employees) > 1:
            options.insert(0, Option(self.wanted.employee, self.employee_names))
        return picker._replace(options=options, is_listed=True)

    @property
    def is_for_nobody(self) -> bool:
        """Return whether a name was typed that no employee has."""
        return bool(self.wanted.employee) and not self.employees


async def read_firm(page: ConsolePage, wanted: SearchForm) -> Firm:
    """Return the choices, and the employees whom the typed values mean."""
    some = await page.api.get(_EMPLOYEES, list[Employee], limit=MOST_LISTED + 1)
    choices = await load_choices(page.api, page.texts, ["meeting-types", "locations", "customer-types"])
    organization = await read_organization(page.api)
    return Firm(
        zone=ZoneInfo(organization.time_zone.identifier),
        languages=organization.languages,
        topics=await page.api.get("booking/config/meeting-topics", list[Topic]),
        ways=choices["meeting-types"],
        places=choices["locations"],
        customer_types=choices["customer-types"],
        labels=await _list_labels(page),
        employees=some if len(some) <= MOST_LISTED else None,
        meant=await _find_employees(page.api, wanted.employee),
    )


async def _list_labels(page: ConsolePage) -> list[Choice]:
    """Return the labels of groups, by name: their advisors' skills, such as languages."""
    found = await page.api.get("booking/config/labels/suggest", list[_Label], ofGroups=True, limit=_MOST_LABELS)
    return [Choice(one.label_name, one.label_name) for one in sorted(found, key=lambda one: one.label_name.casefold())]


def make_search(wanted: SearchForm, firm: Firm, now: datetime) -> Search:
    """Return the search for the typed values."""
    today = now.astimezone(firm.zone).date()
    at = _read_moment(wanted.at, firm.zone)
    first = max(read_day(wanted.day) or (at.astimezone(firm.zone).date() if at else today), today)
    days = int(wanted.days) if wanted.days in map(str, SPANS) else _SPAN
    topic = next((one for one in firm.topics if str(one.id) == wanted.topic), None)
    clean = wanted._replace(
        topic=str(topic.id) if topic else "",
        type=_keep(wanted.type, firm.ways) or PHYSICAL,
        place=_keep(wanted.place, firm.places),
        customer=_keep(wanted.customer, firm.customer_types),
        label=_keep(wanted.label, firm.labels),
        day=first.isoformat(),
        days=str(days),
        at=at.isoformat() if at else "",
        wish=keep_id(wanted.wish),
    )
    return Search(clean, topic, firm.meant, first, days, at)


def _keep(value: str, choices: Sequence[Choice]) -> str:
    return value if any(value == one.value for one in choices) else ""


async def read_employees(api: Api, ids: Iterable[UUID]) -> dict[UUID, Employee]:
    """Return employees by their ids."""
    return {one.id: one for one in await read_by_ids(api, _EMPLOYEES, Employee, ids)}


async def _find_employees(api: Api, wanted: str) -> list[Employee]:
    """Return the employees with ids, or else those who match the typed text; commas separate several."""
    parts = [part for part in map(read_search, wanted[:_LONGEST].split(",")) if part]
    ids = [UUID(part) for part in parts if keep_id(part)]
    if ids:
        return await read_by_ids(api, _EMPLOYEES, Employee, ids)
    found: dict[UUID, Employee] = {}
    for part in parts[:_MOST_PARTS]:
        listed = await api.get(_EMPLOYEES, list[Employee], search=part, limit=_MOST_NAMED)
        found |= {one.id: one for one in listed}
    return sorted(found.values(), key=lambda one: one.name)[:_MOST_NAMED]


def _read_moment(text: str, zone: ZoneInfo) -> datetime | None:
    """Return a moment, in the organization's time zone if it has no offset."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)
    return moment if read_day(moment.date().isoformat()) else None
