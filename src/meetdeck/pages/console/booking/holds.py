"""Holding a time for the customer on the telephone: a reservation, which the form knows by a token."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple, Self
from uuid import UUID, uuid4

import msgspec

from meetdeck.pages.console.booking.search_form import Search
from meetdeck.pages.console.booking.times import Time
from meetdeck.pages.console.kit import ConsolePage


class Hold(NamedTuple):
    """A time held with a token, and its end; the waiting list holds a time that is offered to an entry."""

    slot: UUID
    token: str
    time: Time
    until: datetime
    is_offer: bool = False

    @classmethod
    def read(cls, get: Callable[[str], str]) -> Self | None:
        """Return the hold in a form, None if there is none."""
        time = Time.read(get("time"))
        try:
            slot, until = UUID(get("slot")), datetime.fromisoformat(get("until"))
        except ValueError:
            return None
        if time is None or until.tzinfo is None:
            return None
        return cls(slot, read_token(get), time, until, is_offer=bool(get("offer")))

    def list_inputs(self) -> list[tuple[str, str]]:
        """Return the hold as inputs of a form."""
        return [
            ("slot", str(self.slot)),
            ("token", self.token),
            ("time", self.time.write()),
            ("until", self.until.isoformat()),
            ("offer", "yes" if self.is_offer else ""),
        ]

    def count_seconds(self, now: datetime) -> int:
        """Return the remaining seconds."""
        return max(round((self.until - now).total_seconds()), 0)


class _HoldAnswer(msgspec.Struct, frozen=True, rename="camel"):
    id: UUID
    expires_at: datetime


def read_token(get: Callable[[str], str]) -> str:
    """Return the token in a form, or a new one: a token holds at most one time."""
    try:
        return str(UUID(get("token")))
    except ValueError:
        return str(uuid4())


async def hold(page: ConsolePage, search: Search, time: Time, token: str, *, over_busy: bool = False) -> Hold:
    """Hold a time instead of the token's previous one; the same time again extends the hold. Raises ApiRefusal.

    `over_busy` also takes Busy time; booked or reserved time is never taken.
    """
    slot = {
        "startDate": time.starts_at.isoformat(),
        "endDate": time.ends_at.isoformat(),
        "status": "Reserved",
        "employeeId": str(time.employee_id),
        "topicId": search.wanted.topic or None,
        "meetingType": search.wanted.type,
        "ignoreTimeSlotConflicts": over_busy,
    }
    answer = await page.api.send("POST", "booking/time-slots/reserve", {"timeSlot": slot, "token": token})
    reserved = answer.read(_HoldAnswer)
    return Hold(reserved.id, token, time, reserved.expires_at)
