"""A message about an invented meeting, to show words."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from meetdeck.booking.localization import dates
from meetdeck.messages.writing.kinds import TextKind
from meetdeck.messages.writing.letters import Fact, Letter, Link
from meetdeck.messages.writing.placeholders import Placeholder
from meetdeck.messages.writing.words import Words, get_vocabulary
from meetdeck.platform.values import DEFAULT_BRAND_COLOR

_BEGIN: Final = datetime(2027, 3, 9, 9, 30, tzinfo=UTC)
_ZONE: Final = ZoneInfo("Europe/Copenhagen")
_ORGANIZATION: Final = "Nordlys"
_ADVISOR: Final = "Anna Holm"
_CUSTOMER: Final = "Freja Nielsen"
_TITLES: Final = {"en": "Annual review", "da": "Årsgennemgang", "de": "Jahresgespräch"}
_OF_HELD_TIMES: Final = {TextKind.OFFER, TextKind.BOOKING_CONFIRMATION}
_NEW_ADDRESS: Final = "freja.nielsen@example.com"
_PLACE: Final = "Havblik, Strandvejen 1, Aarhus"


def make_sample(kind: TextKind, language: str, words: Words) -> Letter:
    """Return a message of a kind with some words."""
    labels = get_vocabulary(language).labels
    begin, end = (dates.show_clock(moment, _ZONE, language) for moment in (_BEGIN, _BEGIN + timedelta(hours=1)))
    time, title = labels["time"].format(begin=begin, end=end), _TITLES[language]
    day = dates.show_date(_BEGIN.date(), language)
    when = Fact(labels["when"], labels["day_and_time"].format(day=day, time=time))
    where = Fact(labels["where"], _PLACE)
    is_for_employees = kind.is_for_employees
    until = dates.show_clock(_BEGIN - timedelta(days=1), _ZONE, language)
    if is_for_employees:
        others = [Fact(labels["participants"], f"{_ADVISOR}, {_CUSTOMER}")]
    elif kind in _OF_HELD_TIMES:
        others = [Fact(labels["with"], _ADVISOR)]
    else:
        others = [Fact(labels["with"], _ADVISOR), Fact(labels["about"], title), Fact(labels["reference"], "1F3A-9C2B")]
    others += _list_more_facts(kind, labels)
    footer = labels[_find_footer(kind)]
    return Letter(
        language=language,
        words=words,
        values={
            Placeholder.NAME: _ADVISOR if is_for_employees else _CUSTOMER,
            Placeholder.ADVISOR: _ADVISOR,
            Placeholder.ORGANIZATION: _ORGANIZATION,
            Placeholder.TITLE: title,
            Placeholder.TOPIC: title,
            Placeholder.DAY: dates.write_date(_BEGIN.date(), language),
            Placeholder.TIME: time,
            Placeholder.PLACE: _PLACE,
            Placeholder.UNTIL: until if kind in _OF_HELD_TIMES else "",
        },
        facts=[when, where, *others],
        button=_find_button(kind, labels),
        organization=_ORGANIZATION,
        footer=footer.format(organization=_ORGANIZATION),
        color=DEFAULT_BRAND_COLOR,
    )


def _find_button(kind: TextKind, labels: Mapping[str, str]) -> Link | None:
    names = {
        TextKind.INVITATION: "manage",
        TextKind.CHANGE: "manage",
        TextKind.OFFER: "take",
        TextKind.ADDRESS_CHANGE: "confirm_address",
        TextKind.BOOKING_CONFIRMATION: "confirm_booking",
    }
    return Link(labels[names[kind]], "https://example.com/p/nordlys") if kind in names else None


def _find_footer(kind: TextKind) -> str:
    """Return the label of the line below a kind of message that says why the recipient gets it."""
    if kind is TextKind.OFFER:
        return "footer_waiting"
    if kind is TextKind.BOOKING_CONFIRMATION:
        return "footer_unconfirmed"
    return "footer_employee" if kind.is_for_employees else "footer_attendee"


def _list_more_facts(kind: TextKind, labels: Mapping[str, str]) -> list[Fact]:
    match kind:
        case TextKind.EMPLOYEE_DOCUMENTS:
            return [Fact(labels["document"], labels[name], "https://example.com") for name in ("deck", "pdf")]
        case TextKind.EMPLOYEE_DOCUMENTS_FAILED:
            return [Fact(labels["reason"], "The data service data.example.com answers 503.")]
        case TextKind.OFFER:
            return [Fact(labels["waiting_list"], labels["withdraw"], "https://example.com/p/nordlys")]
        case TextKind.ADDRESS_CHANGE:
            return [Fact(labels["new_address"], _NEW_ADDRESS)]
        case _:
            return []
