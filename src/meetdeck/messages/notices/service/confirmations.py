"""The mail that asks a customer to confirm the e-mail address, which books the held time."""

from datetime import datetime
from zoneinfo import ZoneInfo

from meetdeck.booking.configuration.organization_settings import service as organization_settings
from meetdeck.booking.scheduling.meetings.schemas.icalendar import Party
from meetdeck.booking.scheduling.meetings.store.meetings import list_parties
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.scheduling.time_slots.service.companions import list_held_companions
from meetdeck.booking.scheduling.time_slots.store.listed_slots import find_slot
from meetdeck.booking.scheduling.unconfirmed_bookings.store import find_booking
from meetdeck.booking.slots.model import MeetingType
from meetdeck.messages.meeting_messages.service.composing import Sender
from meetdeck.messages.meeting_messages.service.decisions import Drop
from meetdeck.messages.meeting_messages.service.facts import find_portal
from meetdeck.messages.meeting_messages.store import get_tenant_name
from meetdeck.messages.notices.schemas import Notice
from meetdeck.messages.notices.service.held_times import Extras, HeldTime, write_held_time
from meetdeck.messages.writing.letters import Link
from meetdeck.messages.writing.mail import Mail
from meetdeck.messages.writing.words import get_vocabulary
from meetdeck.platform.database import Connection


async def prepare_confirmation(connection: Connection, sender: Sender, notice: Notice, now: datetime) -> Mail | Drop:
    """Return the mail of a waiting booking, or why it is not sent."""
    booking = await find_booking(connection, notice.occasion)
    if booking is None:
        return Drop("another address was entered meanwhile")
    if booking.content is None:
        return Drop("the meeting is booked already")
    slot = await find_slot(connection, booking.time_slot_id, now)
    portal = await find_portal(connection, booking.portal_id)
    if slot is None or slot.status is not SlotStatus.RESERVED or slot.expires_at is None or portal is None:
        return Drop("the time is no longer held")
    setting, body = await organization_settings.get_setting(connection), booking.read_content()
    parties = await list_parties(connection, [body.employee_id])
    held = HeldTime(
        customer=Party(next((each.name for each in body.external_attendees), ""), booking.email),
        starts_at=slot.start_time,
        ends_at=slot.end_time,
        expires_at=slot.expires_at,
        meeting_type=body.type or MeetingType.PHYSICAL,
        place=booking.place,
        advisor=parties.get(body.employee_id, Party("", "")),
        companions=await list_held_companions(connection, booking.time_slot_id),
        organization=await get_tenant_name(connection),
        language=booking.language,
        zone=ZoneInfo(setting.time_zone.identifier),
        portal=portal,
    )
    page = f"{sender.find_page(portal)}/c/{sender.confirmations.make(portal.id, booking.id)}?lang={booking.language}"
    button = Link(get_vocabulary(booking.language).labels["confirm_booking"], page)
    extras = Extras(button=button, footer="footer_unconfirmed")
    return await write_held_time(connection, sender, notice, held, extras, now)
