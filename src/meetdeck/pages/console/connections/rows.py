"""Connections, mailboxes and calendars as the API answers them, and as pages show them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.pages.console.connections.subjects import CALENDAR, CONNECTION
from meetdeck.pages.console.connections.words import (
    ShownState,
    describe_calendar,
    describe_connection,
    describe_mailbox,
)
from meetdeck.pages.console.kit import (
    ConsolePage,
    IdAndName,
    ListPage,
    list_part,
    read_by_ids,
    read_part,
    read_zone,
    show_age,
    show_short_moment,
)

PAGE_SIZE: Final = 50
STATUSES: Final = ("", "Matched", "Unmatched", "Failing")
_TOKENS: Final = "administration/scim-tokens"


class Connection(msgspec.Struct, frozen=True, rename="camel"):
    """A firm's connection."""

    id: UUID
    name: str
    kind: str
    status: str
    problem: str | None
    mailboxes: int
    matched: int
    oldest_seconds: int | None
    last_round_at: datetime | None


class Mailbox(msgspec.Struct, frozen=True, rename="camel"):
    """A mailbox of a connection."""

    email: str
    employee_id: UUID | None
    room_id: UUID | None
    read_at: datetime | None
    problem: str | None


class Calendar(msgspec.Struct, frozen=True, rename="camel"):
    """The calendar of a person or a room."""

    id: UUID
    employee_id: UUID | None
    room_id: UUID | None
    kind: str
    address: str | None
    last_read_at: datetime | None
    status: str
    problem: str | None
    left_out: int


class _Token(msgspec.Struct, frozen=True, rename="camel"):
    status: str
    last_used_at: datetime | None


class ShownConnection(NamedTuple):
    """A firm's connection with its state in words; `failing` is how many of its mailboxes fail."""

    id: UUID
    name: str
    state: ShownState
    mailboxes: int
    matched: int
    unmatched: int
    failing: int
    oldest: str
    """The age of the oldest calendar; empty: not all were read."""
    round: str
    """Since when each was read at least once; empty: never."""


class Owner(NamedTuple):
    """The employee or room of a calendar: its name, and the path of its page below the console."""

    name: str
    path: str


class ShownMailbox(NamedTuple):
    """A mailbox as its row shows it."""

    email: str
    owner: Owner | None
    read: str
    told: str
    fails: bool


class ShownCalendar(NamedTuple):
    """A calendar as its row shows it."""

    id: UUID
    owner: Owner | None
    source: str
    """The server's name; empty: it was uploaded."""
    is_uploaded: bool
    read: str
    state: ShownState


class ShownDirectory(NamedTuple):
    """The firm's directory: whether it may write, and when it last called; empty: never."""

    is_connected: bool
    called: str


async def list_connections(page: ConsolePage) -> list[ShownConnection]:
    """Return the firm's connections with their states."""
    zone = await read_zone(page.api)
    return [await show_connection(page, one, zone) for one in await page.api.get(CONNECTION.path, list[Connection])]


async def show_connection(page: ConsolePage, one: Connection, zone: ZoneInfo) -> ShownConnection:
    """Return a connection with its state in words, and the number of its failing mailboxes."""
    _, failing = await list_part(page.api, f"{CONNECTION.path}/{one.id}/mailboxes", Mailbox, status="Failing", limit=1)
    return ShownConnection(
        one.id,
        one.name,
        describe_connection(page.texts, one.kind, one.status, one.problem),
        one.mailboxes,
        one.matched,
        one.mailboxes - one.matched,
        failing,
        show_age(page.texts, one.oldest_seconds) if one.oldest_seconds is not None else "",
        _show(page, one.last_round_at, zone),
    )


async def list_mailboxes(
    page: ConsolePage, connection: Connection, status: str, wanted: str, number: int
) -> ListPage[ShownMailbox]:
    """Return a page of the mailboxes of a connection that have a status and a text in their address."""
    path = f"{CONNECTION.path}/{connection.id}/mailboxes"
    found = await read_part(page.api, path, Mailbox, number, PAGE_SIZE, status=status or None, search=wanted or None)
    zone = await read_zone(page.api)
    owners = await _find_owners(page, [(one.employee_id, one.room_id) for one in found.items])
    rows = [
        ShownMailbox(
            one.email,
            owners.get(one.employee_id or one.room_id),
            _show(page, one.read_at, zone),
            describe_mailbox(
                page.texts, connection.kind, one.problem, is_somebodys=bool(one.employee_id or one.room_id)
            ),
            one.problem is not None,
        )
        for one in found.items
    ]
    return ListPage(rows, found.number, found.pages, found.total)


async def list_calendars(page: ConsolePage, number: int) -> ListPage[ShownCalendar]:
    """Return a page of the calendars of single people and rooms."""
    found = await read_part(page.api, CALENDAR.path, Calendar, number, PAGE_SIZE)
    return ListPage(await show_calendars(page, found.items), found.number, found.pages, found.total)


async def show_calendars(page: ConsolePage, calendars: Sequence[Calendar]) -> list[ShownCalendar]:
    """Return calendars with their owners' names and their states in words."""
    zone = await read_zone(page.api)
    owners = await _find_owners(page, [(one.employee_id, one.room_id) for one in calendars])
    return [
        ShownCalendar(
            one.id,
            owners.get(one.employee_id or one.room_id),
            urlsplit(one.address).hostname or "" if one.address else "",
            one.address is None,
            _show(page, one.last_read_at, zone),
            describe_calendar(page.texts, one.status, one.problem, one.left_out, was_read=one.last_read_at is not None),
        )
        for one in calendars
    ]


async def show_directory(page: ConsolePage) -> ShownDirectory:
    """Return whether the firm's directory is connected, and when it last called."""
    live = [one for one in await page.api.get(_TOKENS, list[_Token]) if one.status == "live"]
    zone = await read_zone(page.api)
    called = max((one.last_used_at for one in live if one.last_used_at is not None), default=None)
    return ShownDirectory(bool(live), _show(page, called, zone))


async def _find_owners(
    page: ConsolePage, owners: Sequence[tuple[UUID | None, UUID | None]]
) -> dict[UUID | None, Owner]:
    """Return the employees and rooms by their ids."""
    found: dict[UUID | None, Owner] = {}
    for place, kind in enumerate(("employees", "rooms")):
        ids = [one[place] for one in owners]
        for one in await read_by_ids(page.api, f"booking/{kind}", IdAndName, ids):
            found[one.id] = Owner(one.name, f"settings/{kind}/{one.id}")
    return found


def _show(page: ConsolePage, moment: datetime | None, zone: ZoneInfo) -> str:
    return "" if moment is None else show_short_moment(page, moment, zone)
