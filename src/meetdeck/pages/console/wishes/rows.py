"""The entries as the waiting list shows them."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from msgspec import field

from meetdeck.pages.console.forms import load_choices
from meetdeck.pages.console.kit import ConsolePage, name_employees, name_topics, read_zone, show_moment

_MOMENT = timedelta(seconds=1)


class Offer(msgspec.Struct, frozen=True, rename="camel"):
    """The time that is held for an entry, or was booked."""

    time_slot_id: UUID
    start_date: datetime
    end_date: datetime
    employee_id: UUID
    meeting_type: str
    expires_at: datetime


class Wish(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A waiting-list entry as the API answers it."""

    id: UUID
    topic_id: UUID | None
    customer_type_id: UUID | None
    meeting_types: list[str]
    employee_ids: list[UUID]
    location: str
    from_: datetime = field(name="from")
    to: datetime
    customer_id: str | None
    name: str
    email: str
    phone: str
    status: str
    offer: Offer | None
    date_created: datetime

    @property
    def customer(self) -> str:
        """Return the customer's name, else their e-mail address, telephone number or id."""
        return self.name or self.email or self.phone or self.customer_id or ""


class Row(NamedTuple):
    """An entry in words; `seconds` is how long its offer is still held."""

    id: UUID
    customer: str
    reached_by: str
    topic: str
    how: str
    when: str
    since: str
    status: str
    offer: str
    seconds: int


def has(wish: Wish, wanted: str) -> bool:
    """Return whether an entry's customer matches the search."""
    texts = (wish.name, wish.email, wish.phone, wish.customer_id or "")
    return any(wanted.casefold() in text.casefold() for text in texts)


async def describe(page: ConsolePage, wishes: list[Wish]) -> list[Row]:
    """Return entries as rows."""
    choices = await load_choices(page.api, page.texts, ["meeting-types"])
    words = _WishWriter(
        page,
        await read_zone(page.api),
        await name_employees(page.api, _list_people(wishes)),
        await name_topics(page.api),
        {one.value: one.label for one in choices["meeting-types"]},
    )
    return [words.describe(wish) for wish in wishes]


def _list_people(wishes: list[Wish]) -> list[UUID]:
    """Return the employees whom entries name."""
    offers = [one.offer.employee_id for one in wishes if one.offer is not None]
    return [*offers, *(each for one in wishes for each in one.employee_ids)]


class _WishWriter(NamedTuple):
    """The names of the resources in entries."""

    page: ConsolePage
    zone: ZoneInfo
    employees: Mapping[UUID, str]
    topics: Mapping[UUID, str]
    ways: Mapping[str, str]

    def describe(self, wish: Wish) -> Row:
        """Return an entry as a row."""
        names = [self.employees.get(one, "") for one in wish.employee_ids]
        how = [*(self.ways.get(way, way) for way in wish.meeting_types), wish.location, *names]
        others = {wish.email, wish.phone, wish.customer_id or ""} - {wish.customer}
        offer = wish.offer
        return Row(
            id=wish.id,
            customer=wish.customer,
            reached_by=" · ".join(sorted(filter(None, others))),
            topic=self.topics.get(wish.topic_id, "") if wish.topic_id else "",
            how=", ".join(filter(None, how)),
            when=self._show_days(wish),
            since=show_moment(self.page, wish.date_created, self.zone),
            status=wish.status,
            offer=self._show_offer(offer) if offer is not None else "",
            seconds=max(round((offer.expires_at - self.page.now).total_seconds()), 0) if offer is not None else 0,
        )

    def _show_days(self, wish: Wish) -> str:
        today = self.page.now.astimezone(self.zone).date()
        first, last = (moment.astimezone(self.zone).date() for moment in (wish.from_, wish.to - _MOMENT))
        return self.page.texts.show_period(first, last, today)

    def _show_offer(self, offer: Offer) -> str:
        when = show_moment(self.page, offer.start_date, self.zone)
        return self.page.texts.translate(
            "{time} with {advisor}", time=when, advisor=self.employees.get(offer.employee_id, "")
        )
