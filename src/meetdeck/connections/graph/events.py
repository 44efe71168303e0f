"""The bodies that create and change Graph's events, and the parsing of its answers; pure."""

from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import msgspec

from meetdeck.connections.graph.event_steps import EventFacts

_DIGITS: Final = 26  # Graph writes seven digits of a second, Python reads six
_TEAMS: Final = "teamsForBusiness"
SELECTED: Final = "id,start,end,isCancelled,onlineMeeting"
"""The members that are read of an event."""


class _Time(msgspec.Struct, rename="camel"):
    date_time: str
    time_zone: str = "UTC"


class _OnlineMeeting(msgspec.Struct, rename="camel"):
    join_url: str | None = None


class _Event(msgspec.Struct, rename="camel"):
    id: str
    start: _Time
    end: _Time
    is_cancelled: bool = False
    online_meeting: _OnlineMeeting | None = None


class ReadEvent(NamedTuple):
    """An event as it is in the calendar; `join_url` is empty without a Teams meeting, or until its link is known."""

    id: str
    starts_at: datetime
    ends_at: datetime
    is_cancelled: bool
    join_url: str


class _Attachment(msgspec.Struct):
    id: str
    name: str = ""


class _Attachments(msgspec.Struct):
    value: list[_Attachment]


def write_new(facts: EventFacts, transaction_id: str, text: str) -> bytes:
    """Return the body that creates an event; its HTML `text` is never changed afterwards."""
    content = {"contentType": "html", "content": text}
    return msgspec.json.encode(_list_members(facts) | {"body": content, "transactionId": transaction_id})


def write_change(facts: EventFacts) -> bytes:
    """Return the body that changes an event to these facts."""
    return msgspec.json.encode(_list_members(facts))


def read_event(body: bytes) -> ReadEvent:
    """Return the event in an answer. Raises ValueError for a malformed one."""
    try:
        event = msgspec.json.decode(body, type=_Event)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ValueError(str(error)) from None
    link = (event.online_meeting.join_url or "") if event.online_meeting is not None else ""
    return ReadEvent(event.id, _to_utc(event.start), _to_utc(event.end), event.is_cancelled, link)


def write_file(name: str, content_type: str, content: bytes) -> bytes:
    """Return the body that attaches a file."""
    return msgspec.json.encode(
        {
            "@odata.type": "#microsoft.graph.fileAttachment",
            "name": name,
            "contentType": content_type,
            "contentBytes": content,
        }
    )


def read_file(body: bytes) -> str:
    """Return the id of an attachment. Raises ValueError for a malformed answer."""
    try:
        return msgspec.json.decode(body, type=_Attachment).id
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ValueError(str(error)) from None


def read_files(body: bytes) -> list[tuple[str, str]]:
    """Return the id and name of each attachment. Raises ValueError for a malformed answer."""
    try:
        return [(one.id, one.name) for one in msgspec.json.decode(body, type=_Attachments).value]
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ValueError(str(error)) from None


def _list_members(facts: EventFacts) -> dict[str, Any]:
    members: dict[str, Any] = {
        "subject": facts.subject,
        "start": _write_time(facts.starts_at),
        "end": _write_time(facts.ends_at),
        "attendees": [
            {
                "emailAddress": {"address": guest.email, "name": guest.name or guest.email},
                "type": "resource" if guest.is_room else "required",
            }
            for guest in facts.guests
        ],
    }
    if facts.place or not facts.is_online:  # Teams replaces the place
        members["location"] = {"displayName": facts.place}
    if facts.is_online:
        members |= {"isOnlineMeeting": True, "onlineMeetingProvider": _TEAMS}
    return members


def _write_time(moment: datetime) -> dict[str, str]:
    return {"dateTime": f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}", "timeZone": "UTC"}


def _to_utc(time: _Time) -> datetime:
    """Return a moment in UTC. Raises ValueError for another zone: all are requested in UTC."""
    if time.time_zone != "UTC":
        raise ValueError(f"times in {time.time_zone} were not asked for")
    return datetime.fromisoformat(time.date_time[:_DIGITS]).replace(tzinfo=UTC)
