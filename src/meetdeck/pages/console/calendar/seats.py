"""The customers who share the time of a meeting: each has a meeting of their own."""

from collections.abc import Mapping
from typing import NamedTuple
from uuid import UUID

import msgspec

from meetdeck.pages.console.calendar.meeting import CalendarMeeting, MeetingInZone
from meetdeck.pages.console.kit import Api, ConsolePage


class TopicSeats(msgspec.Struct, frozen=True, rename="camel"):
    """The numbers of customers who can book the same time of an advisor, and who must for it to take place."""

    id: UUID
    seats: int = 1
    minimum_seats: int = 1


class Seat(NamedTuple):
    """A customer at a shared time: their meeting, and whether they came."""

    id: UUID
    name: str
    attendance: str
    is_shown: bool
    """True if the page is about this one."""


class SharedTime(NamedTuple):
    """The customers of a shared time by name, and in words how many of its seats they take; empty for any other."""

    seats: list[Seat]
    taken: str = ""


async def read_seats(api: Api) -> Mapping[UUID, TopicSeats]:
    """Return the seats of each topic."""
    return {one.id: one for one in await api.get("booking/config/meeting-topics", list[TopicSeats])}


def count_seats(page: ConsolePage, taken: int, seats: Mapping[UUID, TopicSeats], topic_id: UUID | None) -> str:
    """Return in words how many of the seats of a time about a topic are taken: 5 of 12; too few: 3 of at least 5."""
    topic = seats.get(topic_id) if topic_id is not None else None
    if topic is not None and taken < topic.minimum_seats:
        return page.texts.translate("{taken} of at least {minimum}", taken=taken, minimum=topic.minimum_seats)
    total = max(taken, topic.seats if topic is not None else 1)
    return page.texts.translate("{taken} of {seats}", taken=taken, seats=total)


async def read_shared_time(page: ConsolePage, opened: MeetingInZone) -> SharedTime:
    """Return the customers who share the time of a meeting; none for one whose topic has a single seat."""
    meeting = opened.meeting
    if meeting.shared_slot_id is None or meeting.cancelled_at is not None:
        return SharedTime([])
    found = await page.api.get("booking/meetings", list[CalendarMeeting], sharedSlotId=str(meeting.shared_slot_id))
    seats = await read_seats(page.api)
    shown = [Seat(one.id, _name(one), one.attendance, one.id == meeting.id) for one in found]
    return SharedTime(
        sorted(shown, key=lambda one: one.name.casefold()), count_seats(page, len(found), seats, meeting.topic_id)
    )


def _name(meeting: CalendarMeeting) -> str:
    """Return the name of the customer who has booked a meeting."""
    customer = meeting.customer
    return (customer.name or customer.email if customer is not None else "") or meeting.title or meeting.customer_id
