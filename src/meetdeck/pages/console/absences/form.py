"""The form of an absence: its fields, and reading the typed values. Pure."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from meetdeck.pages.console.forms import Faults, Field, Subject
from meetdeck.pages.texts import Texts, mark

ABSENCE: Final = Subject(
    "absences",
    "booking/time-slots",
    (
        Field("employeeIds", mark("Employees"), "several", source="employees"),
        Field("location", mark("Or everybody at a location"), "one", source="locations", empty=None),
        Field("serviceGroupId", mark("Or everybody in a service group"), "one", source="service-groups", empty=None),
        Field("status", mark("What"), "one", source="entries", is_required=True),
        Field("startDate", mark("First day"), "day", is_required=True),
        Field("from", mark("From"), "clock", mark("Leave empty for the whole day."), empty=None),
        Field("endDate", mark("Last day"), "day", mark("Leave empty for the same day."), empty=None),
        Field("to", mark("To"), "clock", mark("Leave empty for the whole day."), empty=None),
        Field("recurrence", mark("Repeats"), "one", mark("Leave empty if it does not repeat."), "repeats", empty=None),
        Field(
            "days",
            mark("On these days of the week"),
            "several",
            mark("Choose none to repeat on the weekday of the first day."),
            "weekdays",
        ),
        Field("until", mark("Repeats until"), "day", empty=None),
    ),
    (),
)
_DAY: Final = timedelta(days=1)
_OWNERS: Final = ("employeeIds", "location", "serviceGroupId")
OWN_ABSENCE: Final = ABSENCE._replace(fields=ABSENCE.fields[len(_OWNERS) :])
"""The form for a person who may only enter their own absences."""
CHANGED_ABSENCE: Final = OWN_ABSENCE._replace(fields=OWN_ABSENCE.fields[:5])
"""The form that changes an entry: whose it is and how it repeats stays."""


def fill_in(day: date, employee: str = "", begin: str = "") -> dict[str, list[str]]:
    """Return the texts of a form that begins on a day, optionally for an employee, and from a time."""
    texts = {"status": "Busy", "startDate": day.isoformat(), "employeeIds": employee, "from": begin}
    return {name: [text] for name, text in texts.items() if text}


def write_texts(status: str, begin: datetime, end: datetime) -> dict[str, list[str]]:
    """Return the texts of the form of a local period; of whole days without hours."""
    is_whole = begin.time() == end.time() == time(0)
    texts = {
        "status": status,
        "startDate": begin.date().isoformat(),
        "endDate": ((end - _DAY) if end.time() == time(0) else end).date().isoformat(),
        "from": "" if is_whole else f"{begin:%H:%M}",
        "to": "" if end.time() == time(0) else f"{end:%H:%M}",
    }
    return {name: [text] for name, text in texts.items()}


def find_faults(values: Mapping[str, Any], texts: Texts) -> Faults:
    """Return the faults of values that are valid individually."""
    faults = Faults({}, [])
    named = [name for name in _OWNERS if values[name]]
    if not named:
        faults.by_field["employeeIds"] = texts.translate("Choose employees, a location or a service group.")
    for name in named[1:]:
        faults.by_field[name] = texts.translate("Choose only one: employees, a location or a service group.")
    if values["recurrence"] and not values["until"]:
        faults.by_field["until"] = texts.translate("Choose a last day for the repetition.")
    if values["until"] and not values["recurrence"]:
        faults.by_field["recurrence"] = texts.translate("Choose how often it repeats.")
    return faults


def make_body(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the calendar entries that were typed; the last day is included."""
    first, last = values["startDate"], values["endDate"] or values["startDate"]
    whole_end = f"{min(date.fromisoformat(last), date.max - _DAY) + _DAY}T00:00:00"
    body = {
        "status": values["status"],
        "startDate": f"{first}T{values['from'] or '00:00:00'}",
        "endDate": f"{last}T{values['to']}" if values["to"] else whole_end,
        "recurrence": _write_rule(values),
        **{name: values.get(name) or None for name in _OWNERS},
    }
    return {name: value for name, value in body.items() if value is not None}


def _write_rule(values: Mapping[str, Any]) -> str | None:
    if not values.get("recurrence"):
        return None
    days = f";BYDAY={','.join(values['days'])}" if values["recurrence"] == "WEEKLY" and values["days"] else ""
    return f"FREQ={values['recurrence']}{days};UNTIL={values['until'].replace('-', '')}"
