"""The choices of fields, as the API lists them."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple
from uuid import UUID

from meetdeck.pages.console.forms.fields import MOST_SHOWN, Choice, Field
from meetdeck.pages.console.forms.locales import list_locales
from meetdeck.pages.console.kit import WAYS, Api, keep_id, name_employees, read_search
from meetdeck.pages.texts import Texts, mark

EMPLOYEES: Final = "employees"
"""The source that may be too large to be loaded as a whole."""
LOCALES: Final = "locales"
"""The source of languages."""
_MOST_SUGGESTED: Final = 50
"""The number of labels that a field suggests; others can be typed."""


class _Source(NamedTuple):
    """The source of choices: a list of the API, and the members with their values and labels."""

    path: str
    value: str = "id"
    label: str = "name"


_SOURCES: Final[Mapping[str, _Source]] = {
    "locations": _Source("booking/config/locations", "location", "location"),
    "customer-types": _Source("booking/config/customer-types"),
    "topics": _Source("booking/config/meeting-topics"),
    EMPLOYEES: _Source("booking/employees"),
    "competence-groups": _Source("booking/config/competence-groups"),
    "service-groups": _Source("booking/config/service-groups"),
    "templates": _Source("present/templates", "name"),
    "time-zones": _Source("booking/config/timezones", label="displayName"),
}
_FIXED: Final[Mapping[str, Mapping[str, str]]] = {
    "meeting-types": WAYS,
    "entries": {
        "Busy": mark("Away"),
        "ExtraOpen": mark("Extra hours, online and by telephone"),
        "WorkingFromElsewhere": mark("Works from elsewhere, meets nobody in person"),
    },
    "repeats": {
        "DAILY": mark("Every day"),
        "WEEKLY": mark("Every week"),
        "MONTHLY": mark("Every month"),
    },
    "authentications": {
        "Anonymous": mark("Anybody"),
        "IdentityProvider": mark("Customers who sign in with you"),
        "NationalId": mark("Customers who sign in with their national id"),
    },
    "advisor-kinds": {
        "Explicit": mark("Advisors requested by name"),
        "Local": mark("Advisors at the customer's location"),
        "ServiceGroup": mark("Advisors of a service group"),
    },
    "scim-groups": {"CompetenceGroups": mark("Competence groups"), "ServiceGroups": mark("Service groups")},
    "when-moved-there": {
        "Report": mark("Send an event and change nothing"),
        "Follow": mark("Move or cancel the meeting, too"),
        "PutBack": mark("Restore it in the calendar"),
    },
    "calendar-writes": {
        "None": mark("Nothing"),
        "Events": mark("An event for each meeting"),
        "EventsWithTeams": mark("An event for each meeting, with Teams if it is online"),
    },
    "when-stale": {
        "Offer": mark("Offer by what was read last"),
        "Block": mark("Offer nothing until it is read again"),
    },
    "ticked": {"true": mark("Yes"), "false": mark("No")},
    "page-languages": {"en": mark("English"), "da": mark("Danish"), "de": mark("German")},
    "field-types": {
        "Text": mark("Text"),
        "Phone": mark("Phone"),
        "Email": mark("E-mail"),
        "Checkbox": mark("A tick"),
        "Dropdown": mark("A list to choose from"),
    },
}
"""Choices that are the same in every firm, with their words."""
_WEEKDAYS: Final = {
    "MO": "Monday",
    "TU": "Tuesday",
    "WE": "Wednesday",
    "TH": "Thursday",
    "FR": "Friday",
    "SA": "Saturday",
    "SU": "Sunday",
}


async def load_choices(
    api: Api, texts: Texts, sources: Iterable[str], chosen: Mapping[str, Sequence[str]] | None = None
) -> dict[str, list[Choice]]:
    """Return the choices of each requested source.

    Of employees these are the `chosen` ones and some more, enough to show that there are many. Languages are the
    usual ones and the `chosen` ones.
    """
    return {name: await _load(api, texts, name, (chosen or {}).get(name, ())) for name in {*sources} - {""}}


async def find_choices(api: Api, field: Field, wanted: str, offered: Sequence[Choice]) -> list[Choice]:
    """Return the choices of a field that match a search, only some if there are many."""
    if not wanted:
        return []
    if field.source == EMPLOYEES:
        return _read(field.source, await _list(api, field.source, search=read_search(wanted), limit=MOST_SHOWN))
    return [*islice((one for one in offered if wanted.casefold() in one.label.casefold()), MOST_SHOWN)]


async def _load(api: Api, texts: Texts, name: str, chosen: Sequence[str]) -> list[Choice]:
    if name == "weekdays":
        return [Choice(value, texts.name_weekday(day)) for value, day in _WEEKDAYS.items()]
    if name == LOCALES:
        return list_locales(texts, chosen)
    if name in _FIXED:
        return [Choice(value, texts.translate(label)) for value, label in _FIXED[name].items()]
    if name == "service-group-labels":
        groups = await _list(api, "service-groups")
        labels = {str(label) for one in groups for label in one["labels"]}
        return [Choice(label, label) for label in sorted(labels, key=str.casefold)[:_MOST_SUGGESTED]]
    if name != EMPLOYEES:
        return _read(name, await _list(api, name))
    some = _read(name, await _list(api, name, limit=MOST_SHOWN + 1))
    missing = {*chosen} - {one.value for one in some}
    names = await name_employees(api, (UUID(one) for one in missing if keep_id(one)))
    return [*some, *sorted((Choice(str(key), label) for key, label in names.items()), key=lambda one: one.label)]


async def _list(api: Api, name: str, **query: str | int) -> list[dict[str, Any]]:
    return await api.get(_SOURCES[name].path, list[dict[str, Any]], **query)


def _read(name: str, found: Iterable[Mapping[str, Any]]) -> list[Choice]:
    source = _SOURCES[name]
    return [Choice(str(one[source.value]), str(one[source.label])) for one in found]
