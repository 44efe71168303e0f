"""Scheduling's addresses (contract section 4: Time slots; Meetings): parse, open the transaction, shape the answer."""

from litestar import Router

from meetdeck.booking.scheduling.endpoints.meetings import Meetings
from meetdeck.booking.scheduling.endpoints.time_slots import TimeSlots


def make_router() -> Router:
    """Return the addresses, the same in both versions but for what `crmId` v2 asks."""
    return Router("/", route_handlers=[TimeSlots, Meetings])
