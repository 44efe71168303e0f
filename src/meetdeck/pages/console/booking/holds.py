"""Holding a time for the customer at the telephone: a reservation, known to its form by a token."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple, Self
from uuid import UUID, uuid4

import msgspec

from meetdeck.pages.console.booking.times import Time
from meetdeck.pages.console.kit import ConsolePage


class Hold(NamedTuple):
    """A time that is held under a token, and until when; one that is offered to a wish is held by the waiting list."""

    slot: UUID
    token: str
    time: Time
    until: datetime
    is_offer: bool = False

    @classmethod
    def read(cls, get: Callable[[str], str]) -> Self | None:
        """Return the hold that a form has, None where there is none."""
        time = Time.read(get("time"))
        try:
            slot, until = UUID(get("slot")), datetime.fromisoformat(get("until"))
        except ValueError:
            return None
        if time is None or until.tzinfo is None:
            return None
        return cls(slot, read_token(get), time, until, is_offer=bool(get("offer")))

    def list_inputs(self) -> list[tuple[str, str]]:
        """Return what a form has of it."""
        return [
            ("slot", str(self.slot)),
            ("token", self.token),
            ("time", self.time.write()),
            ("until", self.until.isoformat()),
            ("offer", "yes" if self.is_offer else ""),
        ]

    def count_seconds(self, now: datetime) -> int:
        """Return how many seconds are left."""
        return max(round((self.until - now).total_seconds()), 0)


class _HoldAnswer(msgspec.Struct, frozen=True, rename="camel"):
    id: UUID
    expires_at: datetime


def read_token(get: Callable[[str], str]) -> str:
    """Return the token that a form has, else a new one: it holds one time at most."""
    try:
        return str(UUID(get("token")))
    except ValueError:
        return str(uuid4())


async def hold(page: ConsolePage, time: Time, token: str, *, over_busy: bool = False) -> Hold:
    """Hold a time in the place of what the token held before; the same time again for longer. Raises ApiRefusal.

    `over_busy` takes Busy time too; what is booked or reserved is never taken.
    """
    slot = {
        "startDate": time.starts_at.isoformat(),
        "endDate": time.ends_at.isoformat(),
        "status": "Reserved",
        "employeeId": str(time.employee_id),
        "ignoreTimeSlotConflicts": over_busy,
    }
    answer = await page.api.send("POST", "booking/time-slots/reserve", {"timeSlot": slot, "token": token})
    reserved = answer.read(_HoldAnswer)
    return Hold(reserved.id, token, time, reserved.expires_at)
