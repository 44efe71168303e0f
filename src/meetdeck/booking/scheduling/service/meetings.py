"""Meetings: made from a reservation or booked directly, read, and sent as iCalendar."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID, uuid4

from msgspec.structs import replace

from meetdeck.booking.configuration.answers import Answer
from meetdeck.booking.configuration.service import portals
from meetdeck.booking.references import Reference, hold_offers, refer, require_existing
from meetdeck.booking.scheduling.errors import InvalidMeeting, ReservationGone
from meetdeck.booking.scheduling.ical import Invitation, write_calendar
from meetdeck.booking.scheduling.model.meetings import Meeting, Party
from meetdeck.booking.scheduling.model.time_slots import SlotStatus, TimeSlot
from meetdeck.booking.scheduling.requests.meetings import CreateMeeting, ICalMethod, ICalTexts
from meetdeck.booking.scheduling.service.bookable import require_bookable
from meetdeck.booking.scheduling.service.reservations import check_time
from meetdeck.booking.scheduling.store import meetings as store
from meetdeck.booking.scheduling.store import time_slots
from meetdeck.booking.scheduling.store.rules import get_rules
from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.auth import Principal
from meetdeck.platform.db import Connection
from meetdeck.platform.encryption import Encryption
from meetdeck.platform.errors import Fault, NotFound
from meetdeck.platform.patching.reading import refuse


class MeetingNotFound(NotFound):
    """The meeting does not exist, or was cancelled."""

    code = "meeting_not_found"


async def create_meeting(
    connection: Connection, principal: Principal, sent: CreateMeeting, encryption: Encryption, now: datetime
) -> Meeting:
    """Make a meeting: of the reservation `timeSlotId`, or of `startDate` and `endDate`.

    Raises NotFound for what does not exist, ReservationGone, TimeSlotTaken, NotBookable, InvalidMeeting, InvalidTime,
    InvalidInput for custom fields that the portal does not take.
    """
    await _check_references(connection, sent)
    await _check_custom_fields(connection, sent)
    if sent.time_slot_id is not None:
        slot = await _convert_reservation(connection, sent, sent.time_slot_id, now)
    else:
        slot = await _book_directly(connection, sent, now)
    meeting_id = uuid4()
    await store.add_meeting(
        connection,
        meeting_id,
        sent,
        slot,
        meeting_type=sent.type or MeetingType.PHYSICAL,
        cpr_encrypted=encryption.encrypt(principal.tenant_id, sent.cpr) if sent.cpr else None,
        now=now,
    )
    return await get_meeting(connection, meeting_id)


async def get_meeting(connection: Connection, meeting_id: UUID) -> Meeting:
    """Return a meeting. Raises MeetingNotFound."""
    return (await _get_with_sequence(connection, meeting_id)).meeting


async def make_calendar(
    connection: Connection, meeting_id: UUID, texts: ICalTexts, method: ICalMethod, now: datetime
) -> bytes:
    """Return the meeting as an iCalendar object (RFC 5545). Raises MeetingNotFound."""
    meeting, sequence = await _get_with_sequence(connection, meeting_id)
    rules = await get_rules(connection)
    parties = await store.list_parties(connection, [meeting.employee_id, *meeting.additional_employees])
    outside = meeting.external_attendees or []
    room = await store.find_room_place(connection, meeting.room_id) if meeting.room_id is not None else None
    invitation = Invitation(
        meeting=meeting,
        sequence=sequence,
        title=texts.title or meeting.title or rules.ical_meeting_title or "Meeting",
        description=texts.description or meeting.description or rules.ical_meeting_description,
        location=texts.location or room or meeting.video_link,
        organizer=parties[meeting.employee_id],
        attendees=[parties[one] for one in meeting.additional_employees]
        + [Party(one.name, one.email) for one in outside],
    )
    return write_calendar(invitation, method, now)


class _Found(NamedTuple):
    meeting: Meeting
    sequence: int


async def _get_with_sequence(connection: Connection, meeting_id: UUID) -> _Found:
    found = await store.find_meeting(connection, meeting_id)
    if found is None:
        raise MeetingNotFound(f"There is no meeting {meeting_id}.")
    return _Found(*found)


async def _check_references(connection: Connection, sent: CreateMeeting) -> None:
    await hold_offers(connection, sent.any_topic_id, sent.any_customer_type_id)
    await require_existing(
        connection,
        [
            Reference("employee", sent.employee_id, "/employeeId"),
            Reference("room", sent.room_id, "/roomId"),
            Reference("topic", sent.any_topic_id, "/topicId"),
            Reference("customer type", sent.any_customer_type_id, "/customerTypeId"),
            Reference("portal", sent.portal_id, "/portalId"),
            *refer("employee", sent.additional_employees, "/additionalEmployees"),
        ],
    )
    booked = [sent.employee_id, *sent.additional_employees]
    await require_bookable(connection, booked if sent.room_id is None else [*booked, sent.room_id])


async def _check_custom_fields(connection: Connection, sent: CreateMeeting) -> None:
    """Raise InvalidInput unless the answers will do for the portal in which the meeting is booked."""
    if sent.portal_id is not None:
        answers = [Answer(one.key, one.value) for one in sent.custom_fields]
        refuse(await portals.check_answers(connection, sent.portal_id, answers))


async def _convert_reservation(
    connection: Connection, sent: CreateMeeting, time_slot_id: UUID, now: datetime
) -> TimeSlot:
    """Turn a live reservation into the meeting's slot, exactly once."""
    reserved = await time_slots.find_slot_for_update(connection, time_slot_id)
    if reserved is None:
        detail = f"There is no time slot {time_slot_id}."
        raise NotFound(detail, faults=(Fault("/timeSlotId", detail),))
    if reserved.status is not SlotStatus.RESERVED:
        raise ReservationGone("The reservation was used for a meeting already.")
    if not reserved.is_live_reservation(now):
        raise ReservationGone("The reservation has expired; reserve a time again.")
    if reserved.employee_id not in {None, sent.employee_id}:
        raise ReservationGone("The reservation is another employee's.")
    slot = replace(
        reserved,
        employee_id=sent.employee_id,
        room_id=sent.room_id or reserved.room_id,
        status=SlotStatus.BOOKED,
        expires_at=None,
        token=None,
    )
    await time_slots.book_slot(connection, time_slot_id, employee_id=sent.employee_id, room_id=slot.room_id)
    await time_slots.occupy(connection, slot, _resources(sent, slot), now=now)
    return slot


async def _book_directly(connection: Connection, sent: CreateMeeting, now: datetime) -> TimeSlot:
    if sent.start_date is None or sent.end_date is None:
        raise InvalidMeeting(
            "Give timeSlotId, the id of a reservation, or startDate and endDate.",
            faults=(Fault("/timeSlotId", "Missing, and so is startDate or endDate."),),
        )
    zone = (await get_rules(connection)).zone
    starts_at, ends_at = sent.start_date.to_utc(zone), sent.end_date.to_utc(zone)
    check_time(starts_at, ends_at, now, ("/startDate", "/endDate"))
    slot = TimeSlot(
        time_slot_id=uuid4(),
        starts_at=starts_at,
        ends_at=ends_at,
        employee_id=sent.employee_id,
        room_id=sent.room_id,
        service_group=None,
        status=SlotStatus.BOOKED,
        token=None,
        expires_at=None,
        renewals=0,
    )
    await time_slots.add_slot(connection, slot, now=now)
    await time_slots.occupy(connection, slot, _resources(sent, slot), now=now)
    return slot


def _resources(sent: CreateMeeting, slot: TimeSlot) -> list[UUID]:
    """Return everybody and everything that the meeting takes, each once."""
    wanted = [sent.employee_id, *sent.additional_employees, *([slot.room_id] if slot.room_id is not None else [])]
    return list(dict.fromkeys(wanted))
