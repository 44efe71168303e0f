"""A day on the first page: meetings, held times, and failures."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from http import HTTPStatus
from typing import Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.pages.console.kit import (
    WAYS,
    Api,
    ApiRefusal,
    ConsolePage,
    find_own,
    name_employees,
    name_topics,
    read_zone,
    show_moment,
)
from meetdeck.pages.console.overview.own_days import OwnDay, read_own_days

MOST_SHOWN: Final = 50
_DAY: Final = timedelta(days=1)


class _Person(msgspec.Struct, frozen=True):
    name: str = ""


class DayMeeting(msgspec.Struct, frozen=True, rename="camel"):
    """A meeting as the API lists it, in short."""

    id: UUID
    title: str
    start_date: datetime
    end_date: datetime
    type: str
    employee_id: UUID
    topic_id: UUID | None = None
    external_attendees: list[_Person] = []


class _Hold(msgspec.Struct, frozen=True, rename="camel"):
    id: UUID
    start_time: datetime
    employee_id: UUID | None = None
    expires_at: datetime | None = None


class _Webhook(msgspec.Struct, frozen=True, rename="camel"):
    id: UUID
    url: str
    failing_since: datetime | None = None


class _UndeliveredCount(msgspec.Struct, frozen=True, rename="camel"):
    waiting: int
    perhaps_sent: int
    since: datetime | None
    reason: str | None


class _Renderer(msgspec.Struct, frozen=True):
    problem: str | None


class ShownMeeting(NamedTuple):
    """A row of the day."""

    id: UUID
    when: str
    title: str
    advisor: str
    customer: str
    way: str
    is_over: bool


class ShownHold(NamedTuple):
    """A held time, and for how many more seconds."""

    when: str
    advisor: str
    seconds: int


_MOST_NAMED: Final = 3
"""The number of failing webhooks that are named one by one."""


class Failure(NamedTuple):
    """A failure, and since when."""

    title: str
    detail: str
    link: str = ""
    """The path, below the console, of the page with details; empty if there is none."""


class Today(NamedTuple):
    """The content of the first page."""

    date: date
    meetings: list[ShownMeeting]
    total: int
    is_own: bool
    may_choose: bool
    own_days: list[OwnDay]
    """The days of a person who looks only at their own meetings; otherwise empty."""
    holds: list[ShownHold]
    failures: list[Failure]


async def read_today(page: ConsolePage, *, only_own: bool) -> Today:
    """Return the day in the organization's zone; `only_own` shows only the person's meetings."""
    zone = await read_zone(page.api)
    day = page.now.astimezone(zone).date()
    begin, end = (datetime.combine(one, time(), zone) for one in (day, day + _DAY))
    own = await find_own(page)
    is_own = only_own and own is not None
    own_days = await read_own_days(page, own) if own is not None and is_own else []
    meetings = await _list_meetings(page.api, begin, end) if not is_own else []
    names = await name_employees(page.api, (one.employee_id for one in meetings[:MOST_SHOWN]))
    titles = await name_topics(page.api)
    return Today(
        date=day,
        meetings=[_show_meeting(page, one, zone, names, titles) for one in meetings[:MOST_SHOWN]],
        total=len(meetings),
        is_own=is_own,
        may_choose=own is not None,
        own_days=own_days,
        holds=await _list_holds(page, zone),
        failures=await _list_failures(page, zone) if page.may_open("settings/webhooks") else [],
    )


async def _list_meetings(api: Api, begin: datetime, end: datetime) -> list[DayMeeting]:
    meetings = await api.get(
        "booking/meetings",
        list[DayMeeting],
        startDate=begin.isoformat(),
        endDate=end.isoformat(),
    )
    return sorted(meetings, key=lambda one: (one.start_date, one.id))


async def _list_holds(page: ConsolePage, zone: ZoneInfo) -> list[ShownHold]:
    """Return the times that are held now, in the order in which they end."""
    holds = await page.api.get("booking/time-slots", list[_Hold], status="Reserved", startDate=page.now.isoformat())
    alive = [(one.expires_at, one) for one in holds if one.expires_at is not None and one.expires_at > page.now]
    shown = sorted(alive, key=lambda each: (each[0], each[1].id))[:MOST_SHOWN]
    names = await name_employees(page.api, (one.employee_id for _, one in shown))
    return [
        ShownHold(
            show_moment(page, one.start_time, zone),
            names.get(one.employee_id, "") if one.employee_id else "",
            round((expires_at - page.now).total_seconds()),
        )
        for expires_at, one in shown
    ]


async def _list_failures(page: ConsolePage, zone: ZoneInfo) -> list[Failure]:
    try:
        return [*await _find_renderer(page), *await _list_webhooks(page, zone), *await _list_messages(page, zone)]
    except ApiRefusal as refused:
        if refused.status == HTTPStatus.FORBIDDEN:
            return []
        raise


async def _find_renderer(page: ConsolePage) -> list[Failure]:
    found = await page.api.get("present/renderer", _Renderer)
    return (
        [Failure(page.texts.translate("PDFs and pictures of slides cannot be created"), found.problem)]
        if found.problem
        else []
    )


async def _list_webhooks(page: ConsolePage, zone: ZoneInfo) -> list[Failure]:
    """Return the failing webhooks; many are one failure."""
    webhooks = await page.api.get("events/webhooks", list[_Webhook])
    failing = sorted(
        ((one.failing_since, one) for one in webhooks if one.failing_since is not None), key=lambda each: each[0]
    )
    told = [
        Failure(
            page.texts.translate("A webhook fails"),
            page.texts.translate(
                "{url} has not answered since {time}.", url=one.url, time=show_moment(page, since, zone)
            ),
            f"settings/webhooks/{one.id}",
        )
        for since, one in failing
    ]
    if len(told) <= _MOST_NAMED:
        return told
    title = page.texts.translate_plural("{number} webhook fails", "{number} webhooks fail", len(told))
    return [Failure(title, told[0].detail, "settings/webhooks")]


async def _list_messages(page: ConsolePage, zone: ZoneInfo) -> list[Failure]:
    found = await page.api.get("booking/messages/undelivered", _UndeliveredCount)
    if not found.waiting:
        return []
    translate = page.texts.translate
    title = page.texts.translate_plural(
        "{number} message is not delivered", "{number} messages are not delivered", found.waiting
    )
    since = (
        translate("The oldest waits since {time}.", time=show_moment(page, found.since, zone)) if found.since else ""
    )
    why = translate("At the last try: {reason}.", reason=found.reason.rstrip(".")) if found.reason else ""
    perhaps = ""
    if found.perhaps_sent:
        perhaps = page.texts.translate_plural(
            "{number} of them may have arrived: its delivery was not confirmed.",
            "{number} of them may have arrived: their delivery was not confirmed.",
            found.perhaps_sent,
        )
    again = translate("Each is retried automatically while it is due.")
    return [Failure(title, " ".join(part for part in (since, why, perhaps, again) if part))]


def _show_meeting(
    page: ConsolePage, meeting: DayMeeting, zone: ZoneInfo, names: dict[UUID, str], titles: Mapping[UUID, str]
) -> ShownMeeting:
    topic = titles.get(meeting.topic_id, "") if meeting.topic_id else ""
    return ShownMeeting(
        id=meeting.id,
        when=page.texts.show_span(meeting.start_date, meeting.end_date, zone),
        title=meeting.title or topic,
        advisor=names.get(meeting.employee_id, ""),
        customer=", ".join(one.name for one in meeting.external_attendees if one.name),
        way=page.texts.translate(WAYS.get(meeting.type, meeting.type)),
        is_over=meeting.end_date <= page.now,
    )
