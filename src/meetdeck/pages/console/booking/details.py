"""The customer for whom a time is held, and the meeting that is booked for them."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final, NamedTuple, Self
from uuid import UUID

import msgspec

from meetdeck.pages.console.api import Refused
from meetdeck.pages.console.booking.holds import Hold, hold
from meetdeck.pages.console.booking.wanted import Search
from meetdeck.pages.console.requests import ConsolePage

_FIELDS: Final = {"externalAttendees": "email", "customerId": "customer_id", "description": "note"}
"""The field of the form by the first step of a fault's pointer."""
_GONE: Final = "reservation_gone"


class Details(NamedTuple):
    """What was typed of the customer."""

    name: str = ""
    email: str = ""
    phone: str = ""
    customer_id: str = ""
    note: str = ""

    @classmethod
    def read(cls, get: Callable[[str], str]) -> Self:
        """Return what a form has."""
        return cls(*(get(name) for name in cls._fields))

    def list_inputs(self) -> list[tuple[str, str]]:
        """Return what a form has of it."""
        return [(name, text) for name, text in self._asdict().items() if text]

    def find_errors(self, page: ConsolePage) -> list[tuple[str, str]]:
        """Return what is missing, each with its field."""
        return [] if self.name else [("name", page.texts.say("Enter the customer's name."))]


class _Meeting(msgspec.Struct, frozen=True):
    id: UUID


async def book(page: ConsolePage, search: Search, held: Hold, details: Details) -> UUID:
    """Return the id of the meeting that is booked; a time whose hold has ended is taken if it is still free.

    The wish that it was searched for is fulfilled: it is deleted, unless the time is the one that was offered to it.
    Raises Refused.
    """
    try:
        meeting_id = await _book(page, search, held, details)
    except Refused as refused:
        if refused.code != _GONE:
            raise
        held = await hold(page, held.time, held.token)
        meeting_id = await _book(page, search, held, details)
    if search.wanted.wish and not held.is_offer:
        with suppress(Refused):  # it is gone already, or another person's by now: the meeting is booked
            await page.api.send("DELETE", f"booking/wishes/{UUID(search.wanted.wish)}")
    return meeting_id


def find_errors(refused: Refused) -> list[tuple[str, str]]:
    """Return why a booking is refused, each reason with its field; raises it again if no form can help."""
    if refused.status not in {HTTPStatus.BAD_REQUEST, HTTPStatus.CONFLICT, HTTPStatus.NOT_FOUND}:
        raise refused
    faults = [(_FIELDS.get(one.pointer.strip("/").split("/")[0], ""), one.detail) for one in refused.faults]
    return faults or [("", refused.detail)]


async def _book(page: ConsolePage, search: Search, held: Hold, details: Details) -> UUID:
    # A button that is pressed twice books once.
    headers = {"Idempotency-Key": f"console-{held.slot}"}
    body = dict(_compose(search, held, details))
    return (await page.api.send("POST", "booking/meetings", body, headers=headers)).read(_Meeting).id


def _compose(search: Search, held: Hold, details: Details) -> Iterator[tuple[str, Any]]:
    """Yield the members of the meeting. A customer without an id gets one of its own."""
    yield "timeSlotId", str(held.slot)
    yield "employeeId", str(held.time.employee_id)
    yield "customerId", details.customer_id or f"guest-{held.token}"
    yield "bookedBy", "Employee"
    yield "type", search.wanted.type
    yield "title", _name_meeting(search, details)
    if search.wanted.topic:
        yield "topicId", search.wanted.topic
    if search.wanted.customer:
        yield "customerTypeId", search.wanted.customer
    if details.note:
        yield "description", details.note
    if details.phone:
        yield "customFields", [{"key": "phone", "value": details.phone}]
    if details.email:
        yield "externalAttendees", [{"name": details.name, "email": details.email}]


def _name_meeting(search: Search, details: Details) -> str:
    """Return the topic; without an address nobody is invited, so the title says whom the meeting is with."""
    topic = search.topic.name if search.topic is not None else ""
    return topic if details.email else ": ".join(filter(None, (topic, details.name)))
