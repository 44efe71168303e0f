"""Booking a meeting when its customer's address is confirmed (docs/portal-pages.md#confirming)."""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from meetdeck.booking.scheduling.meetings.service import meetings
from meetdeck.booking.scheduling.signed_links import SignedLinks
from meetdeck.booking.scheduling.unconfirmed_bookings import store
from meetdeck.booking.scheduling.unconfirmed_bookings.schemas import UnconfirmedBooking
from meetdeck.platform.database import Connection
from meetdeck.platform.identity import Principal
from meetdeck.platform.secrets import Encryption

_AGAIN: Final = timedelta(minutes=1)


class ConfirmationLinks(SignedLinks):
    """Makes and reads the tokens that confirm bookings. They end when the time is no longer held."""

    purpose = b"meetdeck confirmation links"


async def add_unconfirmed(connection: Connection, booking: UnconfirmedBooking, now: datetime) -> UUID | None:
    """Insert a waiting booking; return the id for its mail. None when that address got a mail within a minute.

    Links to another address for the same reservation end; those to the same one book what was typed last.
    """
    await store.delete_others(connection, booking.time_slot_id, booking.email)
    await store.update_content(connection, booking)
    if await store.is_asked(connection, booking.time_slot_id, booking.email, now - _AGAIN):
        return None
    await store.add_booking(connection, booking, now)
    return booking.id


async def confirm(
    connection: Connection, principal: Principal, booking: UnconfirmedBooking, encryption: Encryption, now: datetime
) -> UUID:
    """Return the id of the booked meeting, even if it was booked already; the booking is locked.

    Raises as `create_meeting`: ReservationGone when the time is no longer held.
    """
    if booking.meeting_id is not None:
        return booking.meeting_id
    meeting = await meetings.create_meeting(connection, principal, booking.read_content(), encryption, now)
    await store.mark_booked(connection, booking.time_slot_id, meeting.id)
    return meeting.id
