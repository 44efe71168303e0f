"""Filling the demo firms with past and coming weeks, through the services, without notifications."""

from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from meetdeck.booking.scheduling.meetings.schemas.meetings import Attendee, NewMeeting
from meetdeck.booking.scheduling.meetings.service import changes, meetings
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.scheduling.time_slots.schemas import CreateCalendarEntries
from meetdeck.booking.scheduling.time_slots.service import calendar_entries
from meetdeck.booking.scheduling.wishes.schemas import WishContent
from meetdeck.booking.scheduling.wishes.service import wishes
from meetdeck.booking.slots.model import MeetingType
from meetdeck.demo.danish import add_danish
from meetdeck.demo.days import CUSTOMERS, DemoMeeting, Outcome, find_workday, plan_meetings
from meetdeck.demo.firm import FIRMS, NORDLYS, Firm, write_email
from meetdeck.events.webhooks.schemas import CreateWebhook
from meetdeck.events.webhooks.service import deliveries, webhooks
from meetdeck.platform.changes import drop_unplaced
from meetdeck.platform.database import Connection
from meetdeck.platform.identity import Principal
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.values import Moment
from meetdeck.platform.values.patching import JsonPatch
from meetdeck.services import Services

_ABSENCES: Final = {
    "Nordlys Rådgivning": (("David Krogh", -17, 3), ("Frederik Dahl", 9, 2)),
    "Fjord Pension": (("Karen Juul", -10, 2),),
}
"""Advisor, days until the absence begins, and its length in days."""
_WISHES: Final = {
    "Nordlys Rådgivning": (("Gitte Møller", "Pension check", 8, 3), ("Gitte Møller", "Pension check", 12, 20)),
    "Fjord Pension": (("Jonas Vest", "Pension check", 10, 5),),
}
"""Advisor, topic, days until the customer's free afternoon, and the customer's index in `CUSTOMERS`."""
_WEBHOOK: Final = CreateWebhook(
    url="https://crm.nordlys.example/meetdeck",
    types=["meeting.cancelled"],
    description="The CRM. Its address does not exist, so that you see what a failing webhook looks like.",
)


class _Book(NamedTuple):
    """A firm, with the services and data that write its meetings."""

    connection: Connection
    firm: Firm
    principal: Principal
    encryption: Encryption


class _BookedTime(NamedTuple):
    """An advisor's booked time."""

    employee_id: UUID
    starts_at: datetime
    ends_at: datetime


async def load_demo_meetings(services: Services) -> int:
    """Fill the demo firms that have no past meetings yet, and return the number of added meetings.

    A firm is filled in one transaction. Its events are deleted, so nothing is sent.
    """
    return sum([await _fill(services, firm) for firm in FIRMS])


async def _fill(services: Services, firm: Firm) -> int:
    now = services.clock()
    principal = Principal(firm.tenant_id, firm.id_of("user", "owner"))
    async with services.database.transaction(firm.tenant_id) as connection:
        if await _has_past(connection, now):
            return 0
        book = _Book(connection, firm, principal, services.encryption)
        taken = await _list_taken(connection, now)
        planned = [one for one in plan_meetings(firm, now) if not _is_taken(firm, one, taken)]
        added = [await _add_meeting(book, one) for one in planned]
        await drop_unplaced(connection, added)
        await _add_absences(connection, firm, now)
        await _add_wishes(connection, firm, now)
        await add_danish(connection, firm, now)
        if firm is NORDLYS:
            await _add_webhook(connection, services, firm, now)
    return len(added)


async def _has_past(connection: Connection, now: datetime) -> bool:
    query = "select exists (select from meeting where starts_at < $1)"
    found: bool = await connection.fetchval(query, now)
    return found


async def _list_taken(connection: Connection, now: datetime) -> list[_BookedTime]:
    """Return the times of advisors that are already booked, also by an earlier version."""
    query = "select employee_id, starts_at, ends_at from meeting where cancelled_at is null and ends_at > $1"
    return [_BookedTime(**row) for row in await connection.fetch(query, now)]


def _is_taken(firm: Firm, one: DemoMeeting, taken: list[_BookedTime]) -> bool:
    employee_id = firm.id_of("employee", one.advisor)
    return any(
        each.employee_id == employee_id and each.starts_at < one.ends_at and one.starts_at < each.ends_at
        for each in taken
    )


async def _add_meeting(book: _Book, one: DemoMeeting) -> str:
    """Book a meeting as of its day, record its outcome, and return the subject of its events."""
    body = _write_meeting(book.firm, one)
    connection, principal, encryption = book.connection, book.principal, book.encryption
    meeting = await meetings.create_meeting(connection, principal, body, encryption, one.booked_at)
    if one.outcome is Outcome.CANCELLED:
        await meetings.cancel_meeting(connection, principal, meeting, one.recorded_at)
    elif one.outcome in {Outcome.ATTENDED, Outcome.NO_SHOW}:
        value = "Attended" if one.outcome is Outcome.ATTENDED else "NoShow"
        patch = _patch(("add", "/attendance", value))
        await changes.change_meeting(
            connection, principal, meeting, patch, encryption, one.recorded_at, by_employee=True
        )
    return f"meetings/{meeting.id}"


def _write_meeting(firm: Firm, one: DemoMeeting) -> NewMeeting:
    customer = CUSTOMERS[one.customer]
    is_online = one.meeting_type is MeetingType.ONLINE
    return NewMeeting(
        employee_id=firm.id_of("employee", one.advisor),
        customer_id=f"C-{2001 + one.customer}",
        customer_type_id=firm.id_of("customer type", firm.customer_types[0]),
        topic_id=firm.id_of("topic", one.topic),
        type=one.meeting_type,
        title=one.topic,
        video_link=f"https://video.{firm.domain}/{2001 + one.customer}" if is_online else "",
        external_attendees=[Attendee(name=customer, email=write_email(customer, "example.com"), is_customer=True)],
        start_date=_to_moment(one.starts_at),
        end_date=_to_moment(one.ends_at),
    )


async def _add_absences(connection: Connection, firm: Firm, now: datetime) -> None:
    for advisor, in_days, days in _ABSENCES[firm.name]:
        begin = find_workday(now, in_days)
        body = CreateCalendarEntries(
            employee_id=firm.id_of("employee", advisor),
            status=SlotStatus.BUSY,
            start_date=_to_moment(begin),
            end_date=_to_moment(begin + timedelta(days=days)),
        )
        await calendar_entries.add_entry(connection, body, now)


async def _add_wishes(connection: Connection, firm: Firm, now: datetime) -> None:
    """Add waiting-list entries that few times suit: an afternoon of one advisor, online."""
    for advisor, topic, in_days, place in _WISHES[firm.name]:
        day, customer = find_workday(now, in_days), CUSTOMERS[place]
        body = WishContent(
            topic_id=firm.id_of("topic", topic),
            employee_ids=[firm.id_of("employee", advisor)],
            meeting_types=[MeetingType.ONLINE],
            from_=_to_moment(day + timedelta(hours=13)),
            to=_to_moment(day + timedelta(hours=16)),
            customer_id=f"C-{2001 + place}",
            name=customer,
            email=write_email(customer, "example.com"),
        )
        await wishes.create_wish(connection, body, now)


async def _add_webhook(connection: Connection, services: Services, firm: Firm, now: datetime) -> None:
    """Add a webhook, and send a test to it, which fails."""
    keeper = webhooks.SecretKeeper(services.encryption, firm.tenant_id)
    made = await webhooks.create_webhook(connection, _WEBHOOK, keeper, now)
    await deliveries.send_test(connection, await webhooks.get_webhook(connection, made.id, for_update=True), now)


def _patch(*operations: tuple[str, str, Any]) -> JsonPatch:
    return msgspec.convert([{"op": op, "path": path, "value": value} for op, path, value in operations], JsonPatch)


def _to_moment(time: datetime) -> Moment:
    return Moment.fromisoformat(time.isoformat())
