"""The customer for whom a time is held, and booking the meeting for them."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final, NamedTuple, Self
from uuid import UUID

import msgspec

from meetdeck.pages.console.booking.holds import Hold, hold
from meetdeck.pages.console.booking.search_form import Search
from meetdeck.pages.console.kit import ApiRefusal, ConsolePage

ANSWER: Final = "answer:"
"""Prefix of the input names of a portal's fields."""
_FIELDS: Final = {
    "externalAttendees": "email",
    "customerId": "customer_id",
    "description": "note",
    "roomId": "room",
    "language": "language",
    "recurrence": "repeats",
}
"""The field of the form by the first step of a fault's pointer."""
_PHONE: Final = "phone"
_GONE: Final = "reservation_gone"


class Details(NamedTuple):
    """The customer's details as typed."""

    name: str = ""
    email: str = ""
    phone: str = ""
    customer_id: str = ""
    note: str = ""
    room: str = ""
    language: str = ""
    """The tag of the language in which messages to the customer are written; empty: the main one."""
    repeats: str = ""
    """The repetition of the meeting; empty: it is a single one."""
    times: str = ""
    """The number of meetings in the series."""
    answers: Mapping[str, str] = {}
    """The answers to a portal's fields, by the fields' names."""

    @classmethod
    def read(cls, sent: Iterable[tuple[str, str]]) -> Self:
        """Return the details in a form."""
        values = {name: text.strip() for name, text in sent}
        texts = [values.get(name, "") for name in cls._fields[:-1]]
        answers = {name.removeprefix(ANSWER): text for name, text in values.items() if name.startswith(ANSWER)}
        return cls(*texts, answers=answers)

    def list_inputs(self) -> list[tuple[str, str]]:
        """Return the details as inputs of a form."""
        texts = zip(self._fields, self[:-1], strict=False)
        answers = ((f"{ANSWER}{name}", text) for name, text in self.answers.items())
        return [(name, text) for name, text in (*texts, *answers) if text]

    def find_errors(self, page: ConsolePage) -> list[tuple[str, str]]:
        """Return the missing details, each with its field."""
        return [] if self.name else [("name", page.texts.translate("Enter the customer's name."))]


class _Meeting(msgspec.Struct, frozen=True):
    id: UUID


async def book(
    page: ConsolePage, search: Search, held: Hold, details: Details, series: Mapping[str, Any] | None = None
) -> UUID:
    """Book the meeting, or with the members of a `series` all of its meetings, and return the id of the first.

    A time whose hold has ended is taken if it is still free.

    The waiting-list entry for which it was searched is fulfilled: it is deleted, unless the time is the one offered to
    it. Raises ApiRefusal.
    """
    try:
        meeting_id = await _book(page, search, held, details, series or {})
    except ApiRefusal as refused:
        if refused.code != _GONE:
            raise
        held = await hold(page, search, held.time, held.token)
        meeting_id = await _book(page, search, held, details, series or {})
    if search.wanted.wish and not held.is_offer:
        with suppress(ApiRefusal):  # it is already gone, or another person's: the meeting is booked
            await page.api.send("DELETE", f"booking/wishes/{UUID(search.wanted.wish)}")
    return meeting_id


def find_errors(refused: ApiRefusal) -> list[tuple[str, str]]:
    """Return why a booking is refused, each reason with its field; raises it again if a form cannot show it."""
    if refused.status not in {HTTPStatus.BAD_REQUEST, HTTPStatus.CONFLICT, HTTPStatus.NOT_FOUND}:
        raise refused
    faults = [(_FIELDS.get(one.pointer.strip("/").split("/")[0], ""), one.detail) for one in refused.faults]
    return faults or [("", refused.detail)]


def compose(search: Search, held: Hold, details: Details) -> dict[str, Any]:
    """Return the body of the meeting."""
    return dict(_compose(search, held, details))


async def _book(page: ConsolePage, search: Search, held: Hold, details: Details, series: Mapping[str, Any]) -> UUID:
    # Pressing a button twice books once.
    headers = {"Idempotency-Key": f"console-{held.slot}"}
    body = {**compose(search, held, details), **series}
    return (await page.api.send("POST", "booking/meetings", body, headers=headers)).read(_Meeting).id


def _compose(search: Search, held: Hold, details: Details) -> Iterator[tuple[str, Any]]:
    """Yield the members of the meeting. A customer without an id gets a new one."""
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
    if details.room:
        yield "roomId", details.room
    if details.language:
        yield "language", details.language
    answers = {_PHONE: details.phone, **details.answers}
    yield "customFields", [{"key": name, "value": value} for name, value in answers.items() if value]
    if details.email:
        yield "externalAttendees", [{"name": details.name, "email": details.email, "isCustomer": True}]


def _name_meeting(search: Search, details: Details) -> str:
    """Return the topic in the meeting's language; with the customer's name if there is no address to invite."""
    topic = search.topic.localized_name.get(details.language, search.topic.name) if search.topic is not None else ""
    return topic if details.email else ": ".join(filter(None, (topic, details.name)))
