"""Bookings that wait until their customer has confirmed the e-mail address: requested, shown and booked."""

from collections.abc import Awaitable, Callable
from typing import TypeVar
from uuid import UUID, uuid4

import msgspec

from meetdeck.booking.directory.employees import store as employees
from meetdeck.booking.directory.meeting_topics import store as meeting_topics
from meetdeck.booking.localization.texts import speak
from meetdeck.booking.scheduling.meetings.store.meetings import find_meeting_in
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.scheduling.time_slots.service.companions import list_held_companions
from meetdeck.booking.scheduling.time_slots.store.listed_slots import find_slot
from meetdeck.booking.scheduling.unconfirmed_bookings import service, store
from meetdeck.booking.scheduling.unconfirmed_bookings.schemas import UnconfirmedBooking
from meetdeck.booking.scheduling.unconfirmed_bookings.service import ConfirmationLinks
from meetdeck.booking.slots.model import MeetingType
from meetdeck.messages.notices.service.subscriber import order_booking_notice
from meetdeck.pages.portal.schemas import FormValues, Hold, Visit
from meetdeck.pages.portal.service.bookings import compose_booking, make_principal
from meetdeck.pages.portal.service.managing import LinkUnknown
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.errors import Conflict, NotFound
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.values import write_json

T = TypeVar("T")


class ConfirmationExpired(NotFound):
    """A link for a time that is no longer held."""

    code = "link_ended"

    def __init__(self) -> None:
        super().__init__("The time for this link is no longer held.")


class BookingToConfirm(msgspec.Struct, frozen=True):
    """A booking as its customer sees it: the meeting if it is booked, otherwise the held time."""

    meeting_id: UUID | None
    hold: Hold | None = None
    name: str = ""
    email: str = ""


class Confirmations:
    """The bookings that wait for the confirmation of an e-mail address."""

    def __init__(self, database: Database, encryption: Encryption, links: ConfirmationLinks) -> None:
        self._database = database
        self._encryption = encryption
        self._links = links

    async def request(self, visit: Visit, hold: Hold, typed: FormValues) -> None:
        """Send a mail that asks the address to confirm the held time; at most once a minute."""

        async def work(connection: Connection) -> None:
            body = await compose_booking(connection, visit, hold, None, typed)
            booking = UnconfirmedBooking(
                id=uuid4(),
                portal_id=visit.portal.id,
                time_slot_id=hold.time_slot_id,
                email=typed.email,
                language=visit.texts.language,
                place=hold.address,
                content=write_json(body).decode(),
            )
            asked = await service.add_unconfirmed(connection, booking, visit.now)
            if asked is not None:
                await order_booking_notice(connection, asked, visit.now)

        await self._database.run(visit.tenant_id, work)

    async def find_booked(self, visit: Visit, hold: Hold) -> UUID | None:
        """Return the id of the meeting that was booked in a held time, None if there is none yet."""
        async with self._database.transaction(visit.tenant_id) as connection:
            return await find_meeting_in(connection, hold.time_slot_id)

    async def is_confirmed(self, visit: Visit, meeting_id: UUID, email: str) -> bool:
        """Return whether a meeting was booked by confirming an address."""
        async with self._database.transaction(visit.tenant_id) as connection:
            return await store.is_confirmed(connection, meeting_id, email)

    async def get(self, visit: Visit, token: str) -> BookingToConfirm:
        """Return the booking of a link. Raises LinkUnknown, ConfirmationExpired if the hold has expired."""
        return await self._run(visit, token, lambda connection, booking: _describe(connection, visit, booking))

    async def confirm(self, visit: Visit, token: str) -> UUID:
        """Book the time of a link, and return the meeting's id, also if it was already booked.

        Raises LinkUnknown, ConfirmationExpired.
        """
        principal = make_principal(visit)

        async def work(connection: Connection, booking: UnconfirmedBooking) -> UUID:
            return await service.confirm(connection, principal, booking, self._encryption, visit.now)

        try:
            return await self._run(visit, token, work)
        except (Conflict, NotFound) as error:
            raise error if isinstance(error, LinkUnknown) else ConfirmationExpired from None

    async def _run(self, visit: Visit, token: str, work: Callable[[Connection, UnconfirmedBooking], Awaitable[T]]) -> T:
        """Run `work` with the booking of a link, locked. Raises LinkUnknown, ConfirmationExpired."""
        booking_id = self._links.find(visit.portal.id, token)
        if booking_id is None:
            raise LinkUnknown

        async def run(connection: Connection) -> T:
            booking = await store.find_booking(connection, booking_id, for_update=True)
            if booking is None:
                raise ConfirmationExpired
            return await work(connection, booking)

        return await self._database.run(visit.tenant_id, run)


async def _describe(connection: Connection, visit: Visit, booking: UnconfirmedBooking) -> BookingToConfirm:
    if booking.meeting_id is not None:
        return BookingToConfirm(booking.meeting_id)
    slot = await find_slot(connection, booking.time_slot_id, visit.now)
    if slot is None or slot.status is not SlotStatus.RESERVED or slot.expires_at is None:
        raise ConfirmationExpired
    body = booking.read_content()
    topic = await meeting_topics.table.find(connection, body.topic_id) if body.topic_id is not None else None
    names = await employees.list_names(connection, [body.employee_id])
    hold = Hold(
        portal_id=visit.portal.id,
        token=booking.time_slot_id,
        time_slot_id=booking.time_slot_id,
        topic_id=body.topic_id,
        topic=speak(topic, visit.content_language).name if topic is not None else "",
        meeting_type=body.type or MeetingType.PHYSICAL,
        place=booking.place,
        address=booking.place,
        employee_id=body.employee_id,
        advisor=names.get(body.employee_id, ""),
        companions=await list_held_companions(connection, booking.time_slot_id),
        starts_at=slot.start_time,
        ends_at=slot.end_time,
        expires_at=slot.expires_at,
        held_at=visit.now,
    )
    return BookingToConfirm(None, hold, next((each.name for each in body.external_attendees), ""), booking.email)
