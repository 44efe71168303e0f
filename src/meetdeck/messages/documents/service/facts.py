"""The facts of a meeting: the request to a data service, and a deck's data without one."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from meetdeck.booking.directory.customer_types.store import table as customer_types
from meetdeck.booking.directory.employees.store import table as employees
from meetdeck.booking.directory.meeting_topics.store import table as meeting_topics
from meetdeck.booking.directory.rooms.store import table as rooms
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.booking.scheduling.time_slots.service.companions import list_companions
from meetdeck.platform.database import Connection
from meetdeck.platform.values import copy_members, write_json


class Advisor(msgspec.Struct, frozen=True, rename="camel"):
    """The advisor, as customers see them."""

    id: UUID
    name: str
    title: str
    email: str
    phone: str


class TeamMember(Advisor, frozen=True, rename="camel"):
    """A person of a meeting, and the service group for which they take part; empty: none."""

    group: str = ""


class NamedThing(msgspec.Struct, frozen=True):
    """A topic or customer type, by its name in the main language."""

    id: UUID
    name: str


class Place(msgspec.Struct, frozen=True):
    """A room, and the name of its location."""

    id: UUID
    name: str
    location: str


class LocalTimes(msgspec.Struct, frozen=True, rename="camel"):
    """The meeting's times in the organization's time zone."""

    start_date: datetime
    end_date: datetime
    time_zone: str


class MeetingFacts(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A meeting as v3 shows it, and the names behind its ids."""

    meeting: Meeting
    advisor: Advisor | None
    advisors: list[TeamMember]
    """The advisor and the additional employees."""
    topic: NamedThing | None
    customer_type: NamedThing | None
    room: Place | None
    local: LocalTimes

    def as_data(self) -> dict[str, Any]:
        """Return the facts as the data of a deck."""
        return msgspec.json.decode(write_json(self), type=dict[str, Any])


async def read_facts(connection: Connection, meeting: Meeting) -> MeetingFacts:
    """Return the facts of a meeting."""
    rules = await get_rules(connection)
    advisor = await _read_advisor(connection, meeting.employee_id)
    return MeetingFacts(
        meeting=meeting,
        advisor=advisor,
        advisors=[*([copy_members(TeamMember, advisor)] if advisor else []), *await _list_others(connection, meeting)],
        topic=await _read_topic(connection, meeting.topic_id),
        customer_type=await _read_customer_type(connection, meeting.customer_type_id),
        room=await _read_place(connection, meeting.room_id),
        local=LocalTimes(
            meeting.start_date.astimezone(rules.zone), meeting.end_date.astimezone(rules.zone), rules.time_zone
        ),
    )


async def _read_advisor(connection: Connection, employee_id: UUID) -> Advisor | None:
    found = await employees.find(connection, employee_id)
    return Advisor(found.id, found.name, found.title, found.email, found.phone) if found is not None else None


async def _list_others(connection: Connection, meeting: Meeting) -> list[TeamMember]:
    """Return the additional employees who were not deleted."""
    companions = await list_companions(connection, meeting.additional_employees, meeting.companions)
    found = [(one.group, await _read_advisor(connection, one.id)) for one in companions]
    return [copy_members(TeamMember, one, group=group) for group, one in found if one is not None]


async def _read_topic(connection: Connection, topic_id: UUID | None) -> NamedThing | None:
    found = await meeting_topics.find(connection, topic_id) if topic_id is not None else None
    return NamedThing(found.id, found.name) if found is not None else None


async def _read_customer_type(connection: Connection, customer_type_id: UUID | None) -> NamedThing | None:
    found = await customer_types.find(connection, customer_type_id) if customer_type_id is not None else None
    return NamedThing(found.id, found.name) if found is not None else None


async def _read_place(connection: Connection, room_id: UUID | None) -> Place | None:
    found = await rooms.find(connection, room_id) if room_id is not None else None
    return Place(found.id, found.name, found.location) if found is not None else None
