"""All meetings of a customer: future and past ones."""

from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from meetdeck.pages.console.calendar.history import ATTENDANCE
from meetdeck.pages.console.calendar.meeting import CalendarMeeting
from meetdeck.pages.console.kit import WAYS, ConsolePage, name_employees, name_topics, read_zone

MOST_SHOWN: Final = 200
_WITHOUT_NUMBER: Final = ("guest-", "erased-")
"""The beginnings of ids that Meetdeck makes for customers without one."""


class CustomerMeeting(NamedTuple):
    """A customer's meeting in words; `note` is its outcome."""

    id: UUID
    when: str
    title: str
    advisor: str
    way: str
    note: str
    is_over: bool


class Customer(NamedTuple):
    """A customer with the meetings: future ones, the next first, and past ones, the last first."""

    number: str
    name: str
    email: str
    coming: list[CustomerMeeting]
    before: list[CustomerMeeting]
    left_out: int


def has_number(customer_id: str) -> bool:
    """Return whether a customer has an id of the firm's own."""
    return not customer_id.startswith(_WITHOUT_NUMBER)


async def count_before(page: ConsolePage, meeting: CalendarMeeting) -> int:
    """Return how many meetings the customer had before this one."""
    found = await _list_meetings(page, meeting.customer_id, endDate=meeting.start_date.isoformat())
    return len(found)


async def read_customer(page: ConsolePage, customer_id: str) -> Customer:
    """Return a customer with the last meetings, including cancelled ones; an unknown one has none."""
    found = await _list_meetings(page, customer_id, includeCancelled="true")
    meetings = found[-MOST_SHOWN:]
    shown = await _show(page, meetings)
    known = [one.customer for one in meetings if one.customer is not None]
    return Customer(
        number=customer_id if has_number(customer_id) else "",
        name=known[-1].name if known else "",
        email=known[-1].email if known else "",
        coming=[one for one in shown if not one.is_over],
        before=[one for one in reversed(shown) if one.is_over],
        left_out=len(found) - len(meetings),
    )


async def _list_meetings(page: ConsolePage, customer_id: str, **query: str) -> list[CalendarMeeting]:
    return await page.api.get("booking/meetings", list[CalendarMeeting], customerId=customer_id, **query)


async def _show(page: ConsolePage, meetings: list[CalendarMeeting]) -> list[CustomerMeeting]:
    zone, topics = await read_zone(page.api), await name_topics(page.api)
    advisors = await name_employees(page.api, (one.employee_id for one in meetings))
    today, translate = page.now.astimezone(zone).date(), page.texts.translate

    def write(begin: datetime, end: datetime) -> str:
        words = page.texts.show_long_span(begin.astimezone(zone), end.astimezone(zone), today)
        return words[:1].upper() + words[1:]

    return [
        CustomerMeeting(
            one.id,
            write(one.start_date, one.end_date),
            one.title or (topics.get(one.topic_id, "") if one.topic_id is not None else "") or translate("Meeting"),
            advisors.get(one.employee_id, ""),
            translate(WAYS.get(one.type, one.type)),
            _name_outcome(page, one),
            one.end_date <= page.now,
        )
        for one in meetings
    ]


def _name_outcome(page: ConsolePage, meeting: CalendarMeeting) -> str:
    """Return the outcome of a meeting; empty: none yet, or not recorded."""
    if meeting.cancellation_reason == "TooFewCustomers":
        return page.texts.translate("Cancelled: too few customers")
    if meeting.cancelled_at:
        return page.texts.translate("Cancelled")
    return page.texts.translate(ATTENDANCE[meeting.attendance]) if meeting.attendance else ""
