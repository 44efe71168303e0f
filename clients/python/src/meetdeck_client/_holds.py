"""A held time that is renewed while it is needed, and given back unless it was booked."""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Generator
from datetime import datetime
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import TYPE_CHECKING, Self
from uuid import UUID, uuid4

import httpx

from meetdeck_client._calls import Call
from meetdeck_client._problems import Conflict, MeetdeckError
from meetdeck_client.models import (
    AvailableSlot,
    BookedMeeting,
    CreateMeeting,
    ReservedTimeSlot,
    ReserveTimeSlot,
    SlotStatus,
    SlotToReserve,
)

if TYPE_CHECKING:
    from meetdeck_client._client import AsyncMeetdeck, Meetdeck

_LOGGER = logging.getLogger("meetdeck_client")
_SHARE = 0.8
"""The share of a reservation's time after which it is renewed."""
_RESERVE = "/api/v3/booking/time-slots/reserve"


def make_reservation(slot: AvailableSlot | SlotToReserve, topic_id: UUID | None) -> ReserveTimeSlot:
    """Return the body that reserves a time, with a token of its own."""
    if isinstance(slot, SlotToReserve):
        return ReserveTimeSlot(time_slot=slot, token=uuid4())
    wanted = SlotToReserve(
        start_date=slot.start_date,
        end_date=slot.end_date,
        status=SlotStatus.RESERVED,
        employee_id=slot.employee_id,
    )
    if slot.additional_employees:
        wanted.additional_employees = slot.additional_employees
    if topic_id is not None:
        wanted.topic_id, wanted.meeting_type = topic_id, slot.meeting_type
    return ReserveTimeSlot(time_slot=wanted, token=uuid4())


class _Held:
    """The state of a hold, and the calls that change it."""

    def __init__(self, reservation: ReserveTimeSlot) -> None:
        self._reservation = reservation
        self.token = reservation.token
        self.booked: BookedMeeting | None = None
        self.lost: MeetdeckError | None = None
        """The error of the last renewal: the time ends by itself at `expires_at`."""
        self._slot: ReservedTimeSlot | None = None
        self._seconds = 0.0

    @property
    def slot(self) -> ReservedTimeSlot:
        """Return the reservation as it was last renewed."""
        if self._slot is None:
            msg = "Nothing is held before the block begins."
            raise RuntimeError(msg)
        return self._slot

    @property
    def id(self) -> UUID:
        """Return the time slot's id, the `time_slot_id` of a meeting."""
        return self.slot.id

    @property
    def expires_at(self) -> datetime:
        """Return when it ends by itself, unless it is renewed."""
        return self.slot.expires_at

    def _reserve(self) -> Call[None]:
        return Call({"method": "post", "url": _RESERVE, "json": self._reservation.to_dict()}, self._keep)

    def _keep(self, response: httpx.Response) -> None:
        """Keep the reservation and its length by the service's clock: this machine's may be wrong."""
        self._slot = ReservedTimeSlot.from_dict(response.json())
        now = parsedate_to_datetime(response.headers["Date"])
        self._seconds = max((self._slot.expires_at - now).total_seconds() * _SHARE, 1.0)

    def _fill(self, meeting: CreateMeeting) -> CreateMeeting:
        meeting.time_slot_id = self.id
        return meeting

    def _lose(self, error: MeetdeckError) -> None:
        self.lost = error
        _LOGGER.warning("The time %s could not be renewed, and ends at %s: %s", self.id, self.expires_at, error)


class Hold(_Held):
    """A held time: begins with the block, and ends with it unless it was booked."""

    def __init__(self, client: "Meetdeck", reservation: ReserveTimeSlot) -> None:
        super().__init__(reservation)
        self._client = client
        self._ended = threading.Event()
        self._renewing = threading.Thread(target=self._renew, name="meetdeck-hold", daemon=True)

    def book(self, meeting: CreateMeeting, /, *, idempotency_key: str | None = None) -> BookedMeeting:
        """Book the held time; return the meeting."""
        self.booked = self._client.meetings.create(self._fill(meeting), idempotency_key=idempotency_key)
        self._ended.set()
        return self.booked

    def __enter__(self) -> Self:
        self._client.call(self._reserve())
        self._renewing.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        if self.booked is None:
            self._renewing.join()
            with _letting_go():
                self._client.time_slots.delete(self.id, token=self.token)

    def _renew(self) -> None:
        while not self._ended.wait(self._seconds):
            try:
                self._client.call(self._reserve())
            except MeetdeckError as error:
                self._lose(error)
                return


class AsyncHold(_Held):
    """A held time, awaited."""

    def __init__(self, client: "AsyncMeetdeck", reservation: ReserveTimeSlot) -> None:
        super().__init__(reservation)
        self._client = client
        self._renewing: asyncio.Task[None] | None = None

    async def book(self, meeting: CreateMeeting, /, *, idempotency_key: str | None = None) -> BookedMeeting:
        """Book the held time; return the meeting."""
        self.booked = await self._client.meetings.create(self._fill(meeting), idempotency_key=idempotency_key)
        if self._renewing is not None:
            self._renewing.cancel()
        return self.booked

    async def __aenter__(self) -> Self:
        await self._client.call(self._reserve())
        self._renewing = asyncio.create_task(self._renew())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._renewing is not None:
            self._renewing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._renewing
        if self.booked is None:
            with _letting_go():
                await self._client.time_slots.delete(self.id, token=self.token)

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(self._seconds)
            try:
                await self._client.call(self._reserve())
            except MeetdeckError as error:
                self._lose(error)
                return


@contextlib.contextmanager
def _letting_go() -> Generator[None]:
    """Suppress what does not matter at the end: the time was booked by another call, or ends by itself."""
    try:
        yield
    except Conflict:
        pass
    except MeetdeckError as error:
        _LOGGER.warning("A held time was not given back, and ends by itself: %s", error)
