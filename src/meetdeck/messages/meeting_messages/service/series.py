"""Messages about several meetings of a series: one mail, with one calendar object (docs/messages.md#series)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from msgspec.structs import replace

from meetdeck.booking.scheduling.meetings.schemas.icalendar import ICalMethod, ICalTexts
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting, MeetingVersion
from meetdeck.booking.scheduling.meetings.service.calendars import describe_meeting
from meetdeck.booking.scheduling.meetings.service.icalendar import Invitation
from meetdeck.booking.scheduling.meetings.service.series_calendar import write_occurrences, write_series
from meetdeck.booking.scheduling.meetings.store import meetings
from meetdeck.messages.meeting_messages import store
from meetdeck.messages.meeting_messages.schemas import MeetingState, NewMessage
from meetdeck.messages.writing.kinds import MessageKind
from meetdeck.messages.writing.mail import Calendar
from meetdeck.platform.database import Connection


def find_carriers(due: Mapping[UUID, NewMessage], states: Sequence[MeetingState]) -> dict[UUID, UUID]:
    """Return for each message about a further meeting of a series the message with which it is sent.

    These are of the same kind, to the same recipient, and due at once.
    """
    by_id = {state.meeting_id: state for state in states}
    carriers: dict[UUID, UUID] = {}
    first: dict[object, UUID] = {}
    for message_id, message in sorted(due.items(), key=lambda item: by_id[item[1].meeting_id].starts_at):
        series_id = by_id[message.meeting_id].series_id
        if series_id is not None:
            carrier = first.setdefault((series_id, message.kind, message.recipient.key), message_id)
            if carrier != message_id:
                carriers[message_id] = carrier
    return carriers


async def write_calendar_of_series(
    connection: Connection,
    told: Sequence[Meeting],
    invitation: Invitation,
    address: str,
    kind: MessageKind,
    now: datetime,
) -> Calendar:
    """Return the calendar object of a mail about several meetings of a series: the whole series as it is now.

    `invitation` is that of the first meeting in the mail. A series without meetings, and meetings without the
    recipient, are cancelled.
    """
    versions = await meetings.list_series(connection, told[0].series_id or told[0].id)
    sequence = max(each.sequence for each in versions)
    own = [each.meeting for each in versions if await _takes_part(connection, each, address)]
    if kind is MessageKind.CANCELLATION and (not own or not all(one.is_cancelled for one in told)):
        described = [await _describe(connection, one, invitation) for one in told]
        return Calendar(write_occurrences(described, sequence, ICalMethod.CANCEL, now), ICalMethod.CANCEL)
    described = [await _describe(connection, one, invitation) for one in own]
    return Calendar(write_series(described, sequence, ICalMethod.REQUEST, now), ICalMethod.REQUEST)


async def _takes_part(connection: Connection, version: MeetingVersion, address: str) -> bool:
    state = MeetingState.of(version)
    if state.cancelled_at is not None:
        return False
    return address.lower() in state.list_recipients(await store.list_addresses(connection, state.people))


async def _describe(connection: Connection, meeting: Meeting, like: Invitation) -> Invitation:
    """Return the invitation of a meeting, with the language and sender of the mail."""
    language = meeting.language or None
    found = await describe_meeting(
        connection, meeting, ICalTexts(), await meetings.get_calendar_texts(connection), language
    )
    attendees = like.attendees if like.is_partial else [found.organizer, *found.attendees]
    place = like.location if meeting.room_id == like.meeting.room_id and meeting.type is like.meeting.type else ""
    return replace(
        found,
        organizer=like.organizer,
        attendees=attendees,
        location=place or found.location,
        time_zone=like.time_zone,
        is_partial=like.is_partial,
    )
