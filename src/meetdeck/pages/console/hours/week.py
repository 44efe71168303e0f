"""The week of a schedule as a form shows it: some rows for each day. Pure."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from meetdeck.pages.console.forms import Field, FieldMistake
from meetdeck.pages.texts import mark

WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MEMBERS: Final = ("from", "to", "location", "types")
_MOST_ROWS: Final = 12
_OTHER_WORKDAYS: Final = 4


class Row(NamedTuple):
    """A period of a day as it is typed; `name` is the beginning of its inputs' names."""

    name: str
    begin: str = ""
    end: str = ""
    location: str = ""
    types: tuple[str, ...] = ()


class Day(NamedTuple):
    """A day of the week, and its rows: the last one is empty."""

    name: str
    rows: list[Row]


def write_week(workdays: Sequence[Mapping[str, Any]]) -> list[Day]:
    """Return the rows of a schedule's hours; unavailable periods are not shown."""
    days: list[Day] = []
    for weekday in WEEKDAYS:
        hours = [one for one in workdays if one["dayOfWeek"] == weekday and one["isAvailable"]]
        rows = [
            Row(
                f"{weekday}.{number}",
                one["from"][:5],
                one["to"][:5],
                one["location"],
                tuple(offered["type"] for offered in one["availableMeetingTypes"]),
            )
            for number, one in enumerate(sorted(hours, key=lambda one: one["from"]))
        ]
        days.append(Day(weekday, [*rows, Row(f"{weekday}.{len(rows)}")]))
    return days


def read_week(sent: Callable[[str], list[str]]) -> list[Day]:
    """Return the typed rows, followed by an empty one."""
    days: list[Day] = []
    for weekday in WEEKDAYS:
        typed = [_read_row(f"{weekday}.{number}", sent) for number in range(_MOST_ROWS)]
        rows = [row for row in typed if row.begin or row.end]
        named = [row._replace(name=f"{weekday}.{number}") for number, row in enumerate(rows)]
        days.append(Day(weekday, [*named, Row(f"{weekday}.{len(named)}")]))
    return days


def copy_monday(days: Sequence[Day]) -> list[Day]:
    """Return the week with Monday's hours also from Tuesday to Friday."""
    monday, *others = days
    copied = [
        Day(day.name, [row._replace(name=f"{day.name}.{number}") for number, row in enumerate(monday.rows)])
        for day in others[:_OTHER_WORKDAYS]
    ]
    return [monday, *copied, *others[_OTHER_WORKDAYS:]]


def make_workdays(days: Sequence[Day]) -> list[dict[str, Any]]:
    """Return the hours as the API accepts them. Raises FieldMistake for the first invalid one."""
    return [
        {
            "dayOfWeek": day.name,
            "from": _read_clock(row.name, "from", row.begin),
            "to": _read_clock(row.name, "to", row.end),
            "isAvailable": True,
            "availableMeetingTypes": [{"type": kind} for kind in row.types],
            "location": row.location,
        }
        for day in days
        for row in day.rows
        if row.begin or row.end
    ]


def find_row(days: Sequence[Day], pointer: str) -> str:
    """Return the name of the input to which a JSON pointer refers, empty if there is none: `/workdays/2/to`."""
    names = [row.name for day in days for row in day.rows if row.begin or row.end]
    match pointer.strip("/").split("/"):
        case ["workdays", number, *_] if number.isdecimal() and int(number) < len(names):
            return f"{names[int(number)]}.from"
        case _:
            return ""


def _read_row(name: str, sent: Callable[[str], list[str]]) -> Row:
    begin, end, location = (next(iter(sent(f"{name}.{member}")), "").strip() for member in MEMBERS[:3])
    return Row(name, begin, end, location, tuple(sent(f"{name}.types")))


def _read_clock(name: str, member: str, text: str) -> str:
    label = mark("From") if member == "from" else mark("To")
    field = Field(f"{name}.{member}", label, "clock", is_required=True)
    if not text:
        raise FieldMistake(field)
    return field.read(lambda _name: [text])
