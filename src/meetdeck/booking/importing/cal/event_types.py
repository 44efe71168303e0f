"""Cal.com's event types as meeting topics, and their hosts as competence groups."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from meetdeck.booking.importing.cal.people import People
from meetdeck.booking.importing.cal.schemas import CalEventType, EventTypeItem
from meetdeck.booking.importing.rows import Row
from meetdeck.booking.importing.translated import Report

_MEETING_TYPES: Final = {
    "address": "Physical",
    "attendeeAddress": "Offsite",
    "integration": "Online",
    "link": "Online",
    "organizersDefaultApp": "Online",
    "phone": "Telephone",
    "attendeePhone": "Telephone",
}
_NO_COUNTERPART: Final[Mapping[str, str]] = {
    "bookingFields": "Left out: ask these questions in the portal's form.",
    "bookerActiveBookingsLimit": "Left out: a customer's meetings cannot be limited.",
    "bookingLimitsCount": "Left out: set maxMeetingTimePerDay of employees or groups.",
    "bookingLimitsDuration": "Left out: set maxMeetingTimePerDay of employees or groups.",
    "bookingWindow": "Left out: set maxTimeFromBookingToMeeting of the organization.",
    "confirmationPolicy": "Left out: meetings are confirmed at once.",
    "customName": "Left out: write the invitation's title in its message.",
    "destinationCalendar": "Left out: connect the employees' calendars.",
    "minimumBookingNotice": "Left out: set minimumBookingNotice of the organization.",
    "offsetStart": "Left out: slots begin at :00 and :30.",
    "price": "Left out: Meetdeck takes no payments.",
    "recurrence": "Left out: book a meeting series.",
    "requiresBookerEmailVerification": "Left out: portals have their own rules for addresses.",
    "scheduleId": "Left out: an employee has one schedule for all topics.",
    "slotInterval": "Left out: slots begin at :00 and :30.",
    "successRedirectUrl": "Left out: the portal shows the booked meeting.",
}


def translate_event_types(
    items: Iterable[EventTypeItem], people: People, report: Report
) -> tuple[list[Row], list[Row]]:
    """Return topics, and for each the competence group of its hosts; event types of one title become one topic."""
    topics: dict[str, Row] = {}
    groups: dict[str, Row] = {}
    for row, content in items:
        title, members = content.title.strip(), _write_topic(row, content, report)
        topic = topics.setdefault(title.casefold(), Row(row.file, row.line, members, place=row.place))
        if _differs(topic.members, members):
            report.leave_out(row, "title", "Left out: the first event type of this title is imported.", title)
        _report_losses(row, content, report)
        hosts = _find_hosts(row, content, people, report)
        if hosts:
            group: dict[str, object] = {"name": title, "topics": [title], "employees": list[str]()}
            members = groups.setdefault(title.casefold(), Row(row.file, row.line, group, place=row.place)).members
            members["employees"] = list(dict.fromkeys([*cast("list[str]", members["employees"]), *hosts]))
    return list(topics.values()), list(groups.values())


def _write_topic(row: Row, content: CalEventType, report: Report) -> dict[str, object]:
    types = [_MEETING_TYPES.get(location.type) for location in content.locations or ()]
    if None in types:
        report.leave_out(
            row, "locations", "A way to meet is left out: choose the topic's meeting types.", content.title
        )
    seats = content.seats.seats_per_time_slot if content.seats is not None else None
    return {
        "name": content.title.strip(),
        "description": content.description or "",
        "durationMinutes": content.length_in_minutes,
        "meetingTypes": list(dict.fromkeys(one for one in types if one)),
        "customerBookable": not content.hidden,
        "uniqueTopicId": str(content.id),
        "preparationTime": _write_minutes(content.before_event_buffer),
        "followUpTime": _write_minutes(content.after_event_buffer),
        "seats": seats or 1,
    }


def _write_minutes(minutes: int | None) -> str:
    hours, rest = divmod(minutes or 0, 60)
    return f"{hours:02}:{rest:02}:00"


def _differs(first: Mapping[str, object], second: Mapping[str, object]) -> bool:
    return any(first.get(name) != value for name, value in second.items() if name != "uniqueTopicId")


def _report_losses(row: Row, content: CalEventType, report: Report) -> None:
    for member, advice in _NO_COUNTERPART.items():
        if _is_set(member, row.members.get(member)):
            report.leave_out(row, member, advice, content.title)
    lengths = row.members.get("lengthInMinutesOptions")
    if isinstance(lengths, list) and len(cast("list[object]", lengths)) > 1:
        advice = "Left out: a topic has one length, lengthInMinutes; a search can ask for another."
        report.leave_out(row, "lengthInMinutesOptions", advice, content.title)
    if row.members.get("schedulingType") == "collective":
        advice = "Only one host meets, not all: book the others as additional employees."
        report.leave_out(row, "schedulingType", advice, content.title)


def _is_set(member: str, value: Any) -> bool:  # noqa: ANN401 - any JSON
    if isinstance(value, dict):
        return bool(cast("dict[str, object]", value)) and cast("dict[str, object]", value).get("disabled") is not True
    if member == "bookingFields" and isinstance(value, list):
        fields = cast("list[object]", value)
        return any(not (isinstance(each, dict) and cast("dict[str, object]", each).get("isDefault")) for each in fields)
    return bool(value)


def _find_hosts(row: Row, content: CalEventType, people: People, report: Report) -> list[str]:
    """Return the addresses of an event type's hosts, or its owner's; unknown ones are reported."""
    ids = [host.user_id for host in content.hosts or ()] or [one for one in (content.owner_id,) if one is not None]
    found = [people.find_address(one) for one in ids]
    if None in found:
        advice = "A host who is not in users.json is left out: add the host to the topic's competence group."
        report.leave_out(row, "hosts", advice, content.title)
    return [address for address in found if address]
