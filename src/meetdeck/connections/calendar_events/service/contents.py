"""The content that a meeting's event should have, and the firm's mailboxes that it is written into."""

from html import escape
from typing import NamedTuple
from uuid import UUID

from msgspec import UNSET
from msgspec.structs import replace

from meetdeck.booking.directory.meeting_topics import store as meeting_topics
from meetdeck.booking.scheduling.meetings.schemas.icalendar import ICalTexts
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.meetings.service.calendars import describe_meeting
from meetdeck.booking.scheduling.meetings.service.icalendar import Invitation
from meetdeck.booking.scheduling.meetings.service.places import find_meeting_place
from meetdeck.booking.scheduling.meetings.store.meetings import get_calendar_texts, list_parties
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.booking.slots.model import MeetingType
from meetdeck.connections.calendar_events import store
from meetdeck.connections.calendar_events.service.owners import Owner, find_owner_id
from meetdeck.connections.calendar_events.store import TEAMS, Holder, KeptEvent, WritingMailbox
from meetdeck.connections.graph.event_steps import EventFacts, Guest
from meetdeck.platform.database import Connection, all_of, gathering


class EventContent(NamedTuple):
    """The content that a meeting's event should have."""

    connection_id: UUID
    facts: EventFacts
    holders: tuple[Holder, ...]
    text: str
    """HTML, for a new event."""


async def find_mailbox(connection: Connection, meeting: Meeting, kept: KeptEvent | None) -> WritingMailbox | None:
    """Return the mailbox that a meeting is written into, if any."""
    return await store.find_writing(
        connection, meeting.employee_id, meeting.date_created, is_known=kept is not None and kept.state.number > 0
    )


async def find_kept_and_mailbox(
    connection: Connection, meeting: Meeting
) -> tuple[KeptEvent | None, WritingMailbox | None]:
    """Return a meeting's event, and the mailbox that it is written into: read at once if there is no event yet."""
    async with gathering(connection) as reads:
        kept, mailbox = await all_of(
            store.find_event(reads, find_owner_id(meeting)), find_mailbox(reads, meeting, None)
        )
    return kept, mailbox if kept is None else await find_mailbox(connection, meeting, kept)


async def is_advisors_mailbox(connection: Connection, meeting: Meeting, mailbox: str) -> bool:
    """Return whether a mailbox has the e-mail address of the meeting's advisor."""
    advisor = (await list_parties(connection, [meeting.employee_id])).get(meeting.employee_id)
    return advisor is not None and advisor.email.lower() == mailbox


async def read_content(connection: Connection, owner: Owner, mailbox: WritingMailbox, join_url: str) -> EventContent:
    """Return the content of an event; `join_url` is the link that the event has or had."""
    meeting = await _gather(connection, owner, join_url)
    language = meeting.language or None
    texts = await get_calendar_texts(connection)
    invitation = await describe_meeting(connection, meeting, ICalTexts(), texts, language)
    is_online = mailbox.writes == TEAMS and meeting.type is MeetingType.ONLINE and meeting.video_link in {"", join_url}
    room = await store.find_room(connection, meeting.room_id) if meeting.room_id is not None else None
    facts = EventFacts(
        mailbox.email,
        meeting.start_date,
        meeting.end_date,
        invitation.title,
        "" if is_online else await _find_place(connection, meeting, invitation, language),
        tuple(_list_guests(invitation, room, mailbox.email)),
        is_online,
    )
    colleagues = {party.email.lower() for party in invitation.attendees[: len(meeting.people) - 1]}
    own = (guest.email.lower() for guest in facts.guests if guest.is_room or guest.email.lower() in colleagues)
    holders = (Holder(mailbox.email, is_guests=False), *(Holder(email, is_guests=True) for email in own))
    return EventContent(mailbox.connection_id, facts, holders, _write_text(invitation.description))


async def _gather(connection: Connection, owner: Owner, join_url: str) -> Meeting:
    """Return the meeting that an event shows: of several that share their time, without anything of their customers."""
    meeting = owner.meeting
    if meeting is None:
        raise RuntimeError("an event without an active meeting is cancelled")
    if not meeting.shared_slot_id:
        return meeting
    topic = await meeting_topics.table.find(connection, meeting.topic_id) if meeting.topic_id is not None else None
    name, seats = (topic.name, topic.seats or 1) if topic is not None else ("", 1)
    employees = dict.fromkeys(one for each in owner.meetings for one in each.additional_employees)
    links = sorted(one.video_link for one in owner.meetings)
    return replace(
        meeting,
        title=f"{name} ({len(owner.meetings)}/{max(seats, len(owner.meetings))})".strip(),
        description="",
        video_link=next((one for one in links if one in {"", join_url}), links[0]),
        additional_employees=sorted(employees, key=str),
        external_attendees=UNSET,
        customer_id="",
        custom_fields=UNSET,
        language=UNSET,
    )


async def _find_place(connection: Connection, meeting: Meeting, invitation: Invitation, language: str | None) -> str:
    zone = (await get_rules(connection)).time_zone
    place = await find_meeting_place(connection, meeting, zone, "", language)
    return place.shown or invitation.location


def _list_guests(invitation: Invitation, room: Guest | None, organizer: str) -> list[Guest]:
    """Return each guest once: the people in the invitation, and the room."""
    guests = {organizer: None} | {
        party.email.lower(): Guest(party.email, party.name) for party in reversed(invitation.attendees) if party.email
    }
    if room is not None:
        guests[room.email.lower()] = room
    return [guest for email, guest in sorted(guests.items()) if guest is not None and email != organizer]


def _write_text(description: str) -> str:
    return "<br>".join(escape(line) for line in description.splitlines())
