"""Finds a service group's advisors for a reservation: those whom the search offers at its time, the least booked first.

The rules: docs/api/holds.md.
"""

from datetime import datetime
from typing import Final
from uuid import UUID

from msgspec.structs import replace

from meetdeck.booking.employee_types import EmployeeType
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.time_slots.schemas import TimeSlot
from meetdeck.booking.scheduling.time_slots.service.offers import Offers, describe_slot, find_offers
from meetdeck.booking.scheduling.time_slots.store import time_slots as store
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault, NotFound
from meetdeck.platform.phrases import phrase

_ANYTHING: Final = AvailableQuery(require_employee_participation=False)


async def find_group_offers(connection: Connection, slot: TimeSlot, now: datetime) -> Offers:
    """Search for the slot, in any meeting type, among its service group's advisors. Raises NotFound, TimeSlotTaken."""
    advisor_ids = await list_advisors(connection, slot)
    params = AvailableQuery(
        require_employee_participation=False,
        employee_types=[EmployeeType.SERVICE_GROUP],
        also_service_groups=slot.also_service_groups,
        token=slot.token,
        existing_meeting_id=slot.existing_meeting_id,
        **describe_slot(slot.starts_at, slot.ends_at),
    )
    offers = await find_offers(connection, params, now, among=advisor_ids, without=slot.additional_employees)
    return offers.bring(slot.additional_employees) if slot.also_service_groups else offers


async def find_joint_offers(
    connection: Connection, slot: TimeSlot, now: datetime, asked: AvailableQuery | None = None
) -> Offers:
    """Search for the slot of a named employee, with people of the service groups who come along.

    Type, place and customer are those of the search that was `asked`, if any. The slot's additional employees come for
    the groups that have them, and the people of a meeting that moves come along again if they can. Raises NotFound,
    TimeSlotTaken.
    """
    params = replace(
        asked or _ANYTHING,
        explicit_employee_ids=[slot.employee_id] if slot.employee_id is not None else [],
        get_best_time_slots=False,
        also_service_groups=slot.also_service_groups,
        token=slot.token,
        existing_meeting_id=slot.existing_meeting_id,
        **describe_slot(slot.starts_at, slot.ends_at),
    )
    offers = await find_offers(connection, params, now)
    present = list[UUID]()
    if slot.existing_meeting_id is not None:
        present = await store.list_companions(connection, slot.existing_meeting_id)
    return offers.bring(slot.additional_employees, present) if slot.additional_employees or present else offers


async def list_advisors(connection: Connection, slot: TimeSlot) -> list[UUID]:
    """Return the advisors of the slot's service group. Raises NotFound."""
    advisor_ids = await store.list_group_advisors(connection, slot.service_group or "")
    if advisor_ids is None:
        detail = phrase("There is no service group {service_group}.", service_group=slot.service_group)
        raise NotFound(detail, faults=(Fault("/timeSlot/serviceGroup", detail),))
    return advisor_ids


def describe_nobody(requested: TimeSlot) -> str:
    """Return the reason why a slot with service groups cannot be reserved."""
    if requested.also_service_groups:
        return phrase(
            "A search would not offer the time with someone of {groups}: the advisor or too many of "
            "their people are booked, not at work or not offered, or no slot starts then. Choose another time.",
            groups=", ".join(dict.fromkeys(requested.also_service_groups)),
        )
    return phrase(
        "The service group {service_group} has no one whom a search would offer at that time: its "
        "advisors are booked, not at work or not offered by their groups, or no slot starts "
        "then. Choose another time, or name an employee.",
        service_group=requested.service_group,
    )
