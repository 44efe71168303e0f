"""Reserving time (contract section 3): one live reservation a token, for five minutes, renewed at most ten times."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo
from uuid import UUID, uuid4

from msgspec import UNSET
from msgspec.structs import replace
from prometheus_client import Counter

from meetdeck.booking.asked_groups import list_asked
from meetdeck.booking.defaults import LONGEST_OCCUPANCY
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import Reference, ReferenceNotFound, refer, require_existing
from meetdeck.booking.scheduling.bookable import require_bookable
from meetdeck.booking.scheduling.errors import (
    InvalidTime,
    RenewalsUsedUp,
    TimeBusy,
    TimeSlotHeld,
    TimeSlotTaken,
    WrongToken,
)
from meetdeck.booking.scheduling.local_times import find_local_zone, has_local_times
from meetdeck.booking.scheduling.outside_calendars import WantedTime
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.scheduling.time_slots.schemas import (
    ListedTimeSlot,
    ReservedTimeSlot,
    ReserveTimeSlot,
    TimeSlot,
)
from meetdeck.booking.scheduling.time_slots.service.group_offers import (
    describe_nobody,
    find_group_offers,
    find_joint_offers,
    list_advisors,
)
from meetdeck.booking.scheduling.time_slots.service.listed_slots import get_slot
from meetdeck.booking.scheduling.time_slots.service.offers import Offers, TakenMeanwhile
from meetdeck.booking.scheduling.time_slots.service.reservation_events import make_event, write_end, write_given_back
from meetdeck.booking.scheduling.time_slots.service.shared_slots import (
    ReplacedSlots,
    find_terms,
    is_on_terms,
    keep_seat,
    take_seat,
)
from meetdeck.booking.scheduling.time_slots.store import time_slots as store
from meetdeck.booking.scheduling.time_slots.store.shared_slots import GroupTerms, list_begun
from meetdeck.platform.changes import EventType, KeptAnswer, write_event, write_kept
from meetdeck.platform.database import Connection, savepoint
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase

LIFETIME = timedelta(minutes=5)
MOST_RENEWALS = 10
_MOST_TRIES = 100  # for people who come along: each time, somebody else had taken one
MOST_LIKELY = 20
"""The number of a service group's advisors among whom a reservation chooses: their calendars are read again."""

_HOLDS = Counter(
    "meetdeck_holds",
    "Reservations: new, renewed, replacing an earlier one, or given back.",
    ["outcome"],
)
for _outcome in ("reserved", "renewed", "replaced", "given_back"):  # alerts compare them, even before the first one
    _HOLDS.labels(_outcome)


async def reserve(
    connection: Connection,
    body: ReserveTimeSlot,
    now: datetime,
    *,
    lifetime: timedelta = LIFETIME,
    is_verified: bool | None = None,
    asked: AvailableQuery | None = None,
) -> ReservedTimeSlot:
    """Reserve a slot for its token for five minutes, or its lifetime, and release the token's earlier one.

    `is_verified`: whether the calendars of others were asked, None if nobody has one. `asked`: the search that offered
    it, on whose terms people come along; None: on any.

    Raises InvalidTime, NotFound for what does not exist, NotBookable, TimeSlotTaken and TimeBusy (the earlier one then
    stays), RenewalsUsedUp.
    """
    zone = await find_local_zone(connection, body.time_slot.start_date, body.time_slot.end_date)
    requested = await _add_topic_groups(
        connection, body, replace(_read_slot(body, zone, now), expires_at=now + lifetime)
    )
    await _check_references(connection, requested)
    terms = await find_terms(connection, body.time_slot)
    earlier = await store.find_slot_of_token_for_update(connection, body.token)
    if (
        earlier is not None
        and earlier.is_live_reservation(now)
        and _is_same_time(earlier, requested)
        and await is_on_terms(connection, earlier, terms)
    ):
        renewed = await _renew(connection, earlier, now, lifetime)
        await _record_verification(connection, renewed, is_verified=is_verified)
        await write_event(connection, make_event(EventType.RESERVATION_RENEWED, renewed, now))
        _HOLDS.labels("renewed").inc()
        return _confirm(renewed, now)
    over_busy = body.time_slot.ignore_time_slot_conflicts
    reserved = await _reserve(connection, requested, earlier, now, terms=terms, over_busy=over_busy, asked=asked)
    await _record_verification(connection, reserved, is_verified=is_verified)
    await write_event(connection, make_event(EventType.RESERVATION_CREATED, reserved, now))
    _HOLDS.labels("reserved" if earlier is None else "replaced").inc()
    return _confirm(reserved, now)


async def reserve_at_once(
    connection: Connection, tenant_id: UUID, body: ReserveTimeSlot, now: datetime, kept: KeptAnswer | None = None
) -> ReservedTimeSlot | None:
    """Reserve a slot of a named employee or room for a new token in one statement, outside of a transaction.

    Stores a `kept` answer. None for others, or on any conflict: `reserve` then decides. Raises InvalidTime.
    """
    slot = body.time_slot
    if (
        (slot.employee_id is None and slot.service_group is not None)
        or slot.also_service_groups
        or slot.additional_employees
        or slot.topic_id is not None
        or body.existing_meeting_id is not None
        or has_local_times(slot.start_date, slot.end_date)
    ):
        return None
    requested, over_busy = _read_slot(body, UTC, now), slot.ignore_time_slot_conflicts
    event, reserved = make_event(EventType.RESERVATION_CREATED, requested, now), _confirm(requested, now)
    row = write_kept(kept, reserved.id) | ({"kept_body": kept.write(reserved)} if kept else {})
    if await store.reserve_at_once(connection, tenant_id, requested, event, row, now=now, over_busy=over_busy):
        _HOLDS.labels("reserved").inc()
        return reserved
    return None


async def find_wanted(connection: Connection, body: ReserveTimeSlot, now: datetime) -> WantedTime | None:
    """Return the time of a reservation, and of whom it may be; None if it is taken whether they are busy or not.

    For a service group, it may be that of its first advisors. Raises InvalidTime, NotFound.
    """
    slot = body.time_slot
    if slot.ignore_time_slot_conflicts:
        return None
    zone = await find_local_zone(connection, slot.start_date, slot.end_date)
    requested = await _add_topic_groups(connection, body, _read_slot(body, zone, now))
    resource_ids = requested.resource_ids
    if requested.also_service_groups or (requested.employee_id is None and requested.service_group is not None):
        offers = await _find_offers(connection, requested, now)
        likely = offers.employee_ids[:MOST_LIKELY]
        resource_ids = [*resource_ids, *likely, *(one for each in likely for one in offers.companies.get(each, ()))]
    return WantedTime(resource_ids, requested.starts_at)


async def get_reservation(
    connection: Connection, time_slot_id: UUID, *, token: UUID, now: datetime, for_update: bool = True
) -> ListedTimeSlot:
    """Lock and return the reservation of a token, which may have expired or been released.

    Raises ResourceNotFound, TimeSlotHeld when it is booked, WrongToken.
    """
    del for_update  # always: a reservation must not become a meeting meanwhile
    slot = await store.find_slot_for_update(connection, time_slot_id)
    shown = await get_slot(connection, time_slot_id, now)
    if shown.status is SlotStatus.BOOKED:
        raise TimeSlotHeld("The time is booked. Cancel its meeting at meetings/{id} to free it.")
    if shown.status is not SlotStatus.RELEASED and (slot is None or slot.token != token):
        raise WrongToken
    return shown


async def end_reservation(connection: Connection, reservation: ListedTimeSlot, now: datetime) -> None:
    """End a locked reservation, as if its five minutes were over; an ended one stays unchanged."""
    if reservation.status is not SlotStatus.RESERVED:
        return
    others = reservation.additional_employees or []
    resources = (reservation.employee_id, *others, reservation.room_id)
    await store.lock_resources(connection, [one for one in resources if one is not None])
    await store.end_reservation(connection, reservation.id, now)
    await write_given_back(connection, reservation.id, now)
    _HOLDS.labels("given_back").inc()


def check_time(starts_at: datetime, ends_at: datetime, now: datetime, pointers: tuple[str, str]) -> None:
    """Raise InvalidTime for a time that is past, empty or longer than a month."""
    if ends_at <= starts_at:
        raise InvalidTime("The end must be after the start.", faults=(Fault(pointers[1], "Not after the start."),))
    if starts_at < now:
        raise InvalidTime("The start is in the past.", faults=(Fault(pointers[0], "In the past."),))
    if ends_at - starts_at > LONGEST_OCCUPANCY:
        raise InvalidTime(
            phrase("A time slot lasts {days} days at most.", days=LONGEST_OCCUPANCY.days),
            faults=(Fault(pointers[1], "Too long after the start."),),
        )


def _read_slot(body: ReserveTimeSlot, zone: tzinfo, now: datetime) -> TimeSlot:
    slot = body.time_slot
    if slot.status is not SlotStatus.RESERVED:
        raise InvalidTime("A reservation's status is Reserved.", faults=(Fault("/timeSlot/status", "Write Reserved."),))
    starts_at, ends_at = slot.start_date.to_utc(zone), slot.end_date.to_utc(zone)
    check_time(starts_at, ends_at, now, ("/timeSlot/startDate", "/timeSlot/endDate"))
    return TimeSlot(
        time_slot_id=uuid4(),
        starts_at=starts_at,
        ends_at=ends_at,
        employee_id=slot.employee_id,
        room_id=slot.room_id,
        service_group=slot.service_group,
        status=SlotStatus.RESERVED,
        token=body.token,
        expires_at=now + LIFETIME,
        existing_meeting_id=body.existing_meeting_id,
        also_service_groups=slot.also_service_groups,
        additional_employees=[one for one in dict.fromkeys(slot.additional_employees) if one != slot.employee_id],
    )


async def _add_topic_groups(connection: Connection, body: ReserveTimeSlot, requested: TimeSlot) -> TimeSlot:
    """Return the slot including the groups that its topic adds. Raises InvalidTime, InvalidInput, ReferenceNotFound."""
    topic_id, pointer = body.time_slot.topic_id, "/timeSlot/alsoServiceGroups"
    await require_existing(connection, [Reference(Kind.TOPIC, topic_id, "/timeSlot/topicId")])
    asked = await list_asked(connection, topic_id, requested.also_service_groups, pointer)
    if asked and requested.employee_id is None and requested.service_group is None:
        detail = "Name the employee or the serviceGroup that the groups join."
        raise InvalidTime(detail, faults=(Fault(pointer, detail),))
    return replace(requested, also_service_groups=asked)


async def _check_references(connection: Connection, requested: TimeSlot) -> None:
    await require_bookable(
        connection,
        [
            Reference(Kind.EMPLOYEE, requested.employee_id, "/timeSlot/employeeId"),
            Reference(Kind.ROOM, requested.room_id, "/timeSlot/roomId"),
            *refer(Kind.EMPLOYEE, requested.additional_employees, "/timeSlot/additionalEmployees"),
            Reference(Kind.MEETING, requested.existing_meeting_id, "/existingMeetingId"),
        ],
    )


def _is_same_time(earlier: TimeSlot, requested: TimeSlot) -> bool:
    """Return whether the same slot is reserved again; advisors whom service groups gave are kept."""
    is_chosen_by_group = requested.employee_id is None and requested.service_group is not None
    return (
        (earlier.starts_at, earlier.ends_at) == (requested.starts_at, requested.ends_at)
        and (earlier.room_id, earlier.service_group) == (requested.room_id, requested.service_group)
        and earlier.existing_meeting_id == requested.existing_meeting_id
        and earlier.also_service_groups == requested.also_service_groups
        and {*earlier.loose} <= {*requested.additional_employees} <= {*earlier.additional_employees}
        and (is_chosen_by_group or earlier.employee_id == requested.employee_id)
    )


async def _record_verification(connection: Connection, slot: TimeSlot, *, is_verified: bool | None) -> None:
    if is_verified is not None:
        await store.record_verification(connection, slot.time_slot_id, is_verified=is_verified)


async def _renew(connection: Connection, earlier: TimeSlot, now: datetime, lifetime: timedelta) -> TimeSlot:
    if earlier.renewals >= MOST_RENEWALS:
        raise RenewalsUsedUp(
            phrase(
                "A reservation can be renewed {most_renewals} times; choose a time again.", most_renewals=MOST_RENEWALS
            )
        )
    expires_at = max(now + lifetime, earlier.expires_at or now)
    renewed = replace(earlier, expires_at=expires_at, renewals=earlier.renewals + 1)
    renewed = await keep_seat(connection, renewed, now)
    await store.renew_slot(connection, renewed)
    await store.occupy(connection, renewed, renewed.resource_ids, now=now, over_busy=True)
    return renewed


async def _reserve(  # noqa: PLR0913 - on what terms
    connection: Connection,
    requested: TimeSlot,
    earlier: TimeSlot | None,
    now: datetime,
    *,
    terms: GroupTerms | None,
    over_busy: bool,
    asked: AvailableQuery | None,
) -> TimeSlot:
    """Reserve the time of the named employee, or of people of the groups, and release the earlier reservation."""
    if not requested.also_service_groups and (requested.employee_id is not None or requested.service_group is None):
        return await _add(connection, requested, earlier, now, terms=terms, over_busy=over_busy)
    if terms is not None and not requested.also_service_groups:
        joined = await _join(connection, requested, earlier, now, terms, over_busy=over_busy)
        if joined is not None:
            return joined
    offers = await _find_offers(connection, requested, now, asked)
    overtaken = (TakenMeanwhile,) if requested.also_service_groups else (TimeSlotTaken, TimeBusy)
    tried = 0
    while offers.employee_ids and tried < _MOST_TRIES:
        for employee_id in offers.employee_ids:
            tried += 1
            people = list(dict.fromkeys([*offers.companies.get(employee_id, ()), *requested.additional_employees]))
            slot = replace(requested, employee_id=employee_id, additional_employees=people)
            with suppress(*overtaken):
                async with savepoint(connection):  # a rollback releases its locks
                    released = earlier.resource_ids if earlier is not None else ()
                    await store.lock_resources(connection, slot.resource_ids, released=released)
                    await offers.require_offered(connection, employee_id)
                    return await _add(connection, slot, earlier, now, terms=terms, over_busy=over_busy)
        if not requested.also_service_groups:
            break
        offers = await _find_offers(connection, requested, now, asked)  # other people may come along instead
    raise TimeSlotTaken(describe_nobody(requested))


async def _join(
    connection: Connection,
    requested: TimeSlot,
    earlier: TimeSlot | None,
    now: datetime,
    terms: GroupTerms,
    *,
    over_busy: bool,
) -> TimeSlot | None:
    """Reserve a seat in a time that one of the service group's advisors already shares; None if no seat is free."""
    advisor_ids = await list_advisors(connection, requested)
    for employee_id in await list_begun(connection, requested, terms, advisor_ids, now):
        slot = replace(requested, employee_id=employee_id)
        with suppress(TimeSlotTaken, TimeBusy):
            async with savepoint(connection):
                return await _add(connection, slot, earlier, now, terms=terms, over_busy=over_busy)
    return None


async def _find_offers(
    connection: Connection, requested: TimeSlot, now: datetime, asked: AvailableQuery | None = None
) -> Offers:
    """Search for the advisors of a slot's service group, or for people who come along to its employee."""
    try:
        if requested.employee_id is None:
            return await find_group_offers(connection, requested, now)
        return await find_joint_offers(connection, requested, now, asked)
    except ReferenceNotFound as error:
        faults = tuple(Fault("/timeSlot/alsoServiceGroups", fault.detail) for fault in error.faults)
        raise ReferenceNotFound(error.detail, faults=faults) from None


async def _add(
    connection: Connection,
    slot: TimeSlot,
    earlier: TimeSlot | None,
    now: datetime,
    *,
    terms: GroupTerms | None,
    over_busy: bool,
) -> TimeSlot:
    if terms is not None and slot.employee_id is not None:
        replaced_slots = (
            ReplacedSlots() if earlier is None else ReplacedSlots([earlier.time_slot_id], earlier.resource_ids)
        )
        slot = await take_seat(connection, slot, terms, replaced_slots, now)
    if earlier is not None:
        await store.lock_resources(connection, slot.resource_ids, released=earlier.resource_ids)
        await write_end(connection, earlier, now)
        await store.delete_slot(connection, earlier.time_slot_id)
    await store.add_slot(connection, slot, slot.resource_ids, now=now, over_busy=over_busy)
    return slot


def _confirm(slot: TimeSlot, now: datetime) -> ReservedTimeSlot:
    if slot.token is None or slot.expires_at is None:
        raise RuntimeError("a reservation has a token and an end")
    return ReservedTimeSlot(
        id=slot.time_slot_id,
        employee_id=slot.employee_id,
        start_time=slot.starts_at,
        end_time=slot.ends_at,
        start_date=slot.starts_at,
        end_date=slot.ends_at,
        available=not slot.is_live_reservation(now),
        room_id=slot.room_id,
        status=slot.status,
        service_group=slot.service_group,
        token=slot.token,
        expires_at=slot.expires_at,
        additional_employees=slot.additional_employees or UNSET,
        shared_slot_id=slot.shared_slot_id or UNSET,
    )
