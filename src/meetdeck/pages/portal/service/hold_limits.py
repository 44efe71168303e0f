"""The limits of the times that visitors hold (docs/portals.md): few from one address, and a share of a day's times.

A day's times are those that a search finds on it for all advisors of the topic and type, as if visitors held nothing.
"""

import hmac
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from hashlib import sha256
from typing import Final, NamedTuple, Self
from uuid import UUID
from zoneinfo import ZoneInfo

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from msgspec.structs import replace
from prometheus_client import Counter

from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service.reading import read_search_input
from meetdeck.booking.scheduling.search.service.searching import SearchInput, find_slots
from meetdeck.booking.scheduling.visitor_holds.store import LiveHold, list_live
from meetdeck.booking.slots.free_time import measure_free_time
from meetdeck.pages.portal.schemas import Visit
from meetdeck.pages.portal.threads import PAGES
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.errors import TooManyRequests
from meetdeck.platform.values import copy_members

_REFUSED: Final = Counter(
    "meetdeck_refused_holds",
    "Times that a visitor could not hold, because of the limit for their address or for all visitors of a day.",
    ["limit"],
)
for _limit in ("address", "share"):  # counted from nothing, so that the first is an increase
    _REFUSED.labels(_limit)
_KEY_BYTES: Final = 32


class HoldRefused(TooManyRequests):
    """Visitors hold the maximum number of times; a retry is worthwhile when the first hold ends."""

    def __init__(self, detail: str, held: Sequence[LiveHold], now: datetime) -> None:
        ends_at = min(each.expires_at for each in held)
        super().__init__(detail, retry_after_seconds=max(1, int((ends_at - now).total_seconds()) + 1))


class AddressHoldLimit(HoldRefused):
    """The visitor's network address holds the maximum number of times."""

    code = "address_holds_enough"


class DayHoldLimit(HoldRefused):
    """Visitors hold the maximum share of a day's times."""

    code = "day_held_enough"


class Day(NamedTuple):
    """A day of the organization."""

    date: date
    begin: datetime
    end: datetime

    @classmethod
    def find(cls, moment: datetime, zone: ZoneInfo) -> Self:
        """Return the local day of a moment."""
        today = moment.astimezone(zone).date()
        begin, end = (datetime.combine(each, time(), zone) for each in (today, today + timedelta(days=1)))
        return cls(today, begin, end)


class DayUnmeasuredError(Exception):
    """The day's times must be measured first: somebody else holds a time on it."""

    def __init__(self, day: Day) -> None:
        super().__init__()
        self.day = day


class DayTimes(NamedTuple):
    """The times of a day: how long each employee with any would be free if visitors held nothing."""

    free: Mapping[UUID, timedelta]

    def sum_held(self, holds: Collection[LiveHold]) -> timedelta:
        """Return how long the employees are held."""
        return sum((each.ends_at - each.starts_at for each in holds if each.employee_id in self.free), timedelta())

    @property
    def length(self) -> timedelta:
        """Return the total length."""
        return sum(self.free.values(), timedelta())


class NewHold(NamedTuple):
    """A time that a visitor wants to hold."""

    holder: bytes
    token: UUID
    starts_at: datetime
    ends_at: datetime


class HoldLimits:
    """Decides whether visitors may hold another time."""

    def __init__(self, key: bytes, most_of_address: int, share: float) -> None:
        self._key = HKDF(SHA256(), _KEY_BYTES, salt=None, info=b"meetdeck visitor holds").derive(key)
        self._most_of_address = most_of_address
        self._share = share

    def name_holder(self, address: str) -> bytes:
        """Return a name for a network address: only the installation's key leads back to the address."""
        return hmac.new(self._key, address.encode(), sha256).digest()

    def require_few(self, wanted: NewHold, live: Sequence[LiveHold], now: datetime) -> None:
        """Raise AddressHoldLimit if others from the visitor's address hold the maximum number of times."""
        own = [each for each in live if each.holder == wanted.holder and each.token != wanted.token]
        if 0 < self._most_of_address <= len(own):
            _REFUSED.labels("address").inc()
            raise AddressHoldLimit(f"This network address holds {len(own)} times already.", own, now)

    def require_share(
        self, wanted: NewHold, live: Sequence[LiveHold], day: Day, times: DayTimes | None, now: datetime
    ) -> None:
        """Raise DayHoldLimit if visitors would hold more than their share of a day's times; one is always allowed.

        Raises DayUnmeasuredError if the day's times are needed to decide.
        """
        others = [each for each in live if each.token != wanted.token and day.begin <= each.starts_at < day.end]
        if self._share >= 1 or not others:
            return
        if times is None:
            raise DayUnmeasuredError(day)
        held = times.sum_held(others)
        if held and held + (wanted.ends_at - wanted.starts_at) > times.length * self._share:
            _REFUSED.labels("share").inc()
            raise DayHoldLimit("Visitors already hold as many of this day's times as is allowed.", others, now)


class _QueryIgnoringHolds(AvailableQuery, frozen=True, kw_only=True):
    """A search in which time reserved with some tokens counts as free."""

    tokens: list[UUID]

    @property
    def ignored_ids(self) -> list[UUID]:
        return [*super().ignored_ids, *self.tokens]


async def measure_day(database: Database, visit: Visit, query: AvailableQuery, day: Day) -> DayTimes:
    """Return the times that a search finds for all advisors on a day."""

    async def read(connection: Connection) -> SearchInput:
        tokens = [each.token for each in await list_live(connection, visit.now)]
        everybody = replace(
            query, explicit_employee_ids=[], start_date=None, look_forward_time=None, get_best_time_slots=False
        )
        asked = copy_members(_QueryIgnoringHolds, everybody, tokens=tokens)
        return await read_search_input(connection, asked, visit.now, day=day.date)

    found = await database.read(visit.tenant_id, read)
    return DayTimes(await PAGES.run(visit.tenant_id, lambda check: measure_free_time(find_slots(found, check))))
