"""Calendar connections: the resource, its bodies and its mailboxes (docs/calendars.md)."""

from datetime import datetime, timedelta
from typing import Annotated, Final
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.platform.database import PartQuery
from meetdeck.platform.values import AnyCase, Duration

_Id = Annotated[str, Meta(min_length=1, max_length=200)]
_Certificate = Annotated[str, Meta(min_length=1, max_length=20_000)]
_Secret = Annotated[str, Meta(min_length=1, max_length=1_000)]
_UserName = Annotated[str, Meta(min_length=1, max_length=200)]
_Address = Annotated[str, Meta(min_length=1, max_length=500)]
STALE_AFTER: Final = Duration(minutes=10)
SHORTEST_STALE_AFTER: Final = timedelta(minutes=1)
LONGEST_STALE_AFTER: Final = timedelta(days=1)


class ConnectionKind(AnyCase):
    """The service that keeps the calendars."""

    MICROSOFT365 = "Microsoft365"
    """The mailboxes of a group."""
    CALDAV = "CalDav"
    """The calendars of a CalDAV server's people, as far as an account may read them."""


class ConnectionStatus(AnyCase):
    """The state of reading a connection's calendars."""

    OK = "Ok"
    WAITING = "Waiting"
    """Nothing was read yet."""
    FAILING = "Failing"
    """The credentials are wrong, or nothing was read for longer than `staleAfter`."""
    OUT_OF_SCOPE = "OutOfScope"
    """Every mailbox is denied."""


class WhenStale(AnyCase):
    """The treatment of people and rooms in searches whose calendar was not read for `staleAfter`."""

    OFFER = "Offer"
    """It offers their times as they were last known."""
    BLOCK = "Block"
    """It offers none of their times."""


class Writes(AnyCase):
    """The kinds of events that are written into the calendars."""

    NONE = "None"
    EVENTS = "Events"
    """An event for each meeting that is booked from then on, in its advisor's calendar."""
    EVENTS_WITH_TEAMS = "EventsWithTeams"
    """Online meetings without a link of their own also get a Teams meeting."""


class MailboxStatus(AnyCase):
    """The state of a mailbox: matched to an employee or room, and read."""

    MATCHED = "Matched"
    UNMATCHED = "Unmatched"
    """No employee or room has its address."""
    FAILING = "Failing"
    """It has an owner, and the last attempt to read it failed."""


class ConnectionContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The members of a connection that can be changed."""

    name: Annotated[str, Meta(min_length=1, max_length=200)]
    """Its name in lists."""
    directory_id: _Id | None = None
    """`Microsoft365`: the directory's (tenant's) id."""
    client_id: _Id | None = None
    """`Microsoft365`: the application's id."""
    group_id: _Id | None = None
    """`Microsoft365`: the group whose members, and those of groups in it, are read: people and rooms."""
    certificate: _Certificate | None = None
    """`Microsoft365`: as PEM, the private key and then the certificate; it cannot be read."""
    client_secret: _Secret | None = None
    """`Microsoft365`: a secret in place of a certificate; it cannot be read."""
    user_name: _UserName | None = None
    """`CalDav`: the name of an account that may read everybody's calendars."""
    password: _Secret | None = None
    """`CalDav`: its password; it cannot be read."""
    address: _Address | None = None
    """`CalDav`: the server. `Microsoft365`: where the calendars are, by default Graph; national clouds differ."""
    login_address: _Address | None = None
    """`Microsoft365`: where tokens are requested, by default Entra's."""
    tentative_blocks: bool = True
    """True if tentative appointments block."""
    writes: Writes = Writes.NONE
    """The kind of events that are written into the calendars of advisors; `CalDav`: `None`."""
    when_stale: WhenStale = WhenStale.OFFER
    """The treatment of people and rooms with a stale calendar: `Offer` offers times as last known, `Block` none."""
    stale_after: Duration = msgspec.field(default_factory=lambda: STALE_AFTER)
    """The time without a reading after which a calendar is stale, and the connection `Failing`; at most a
    day.
    """


class CreateConnection(ConnectionContent, frozen=True, rename="camel", kw_only=True):
    """POST /config/calendar-connections: `certificate` or `clientSecret`, or for `CalDav` `password`."""

    kind: ConnectionKind
    """The service that keeps the calendars; it cannot be changed."""


class CalendarConnection(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A connection to the calendars of a firm."""

    id: UUID
    """The connection's id; it never changes."""
    name: str
    """Its name in lists."""
    kind: ConnectionKind
    """The service that keeps the calendars."""
    directory_id: str | None
    """The directory's id; null for `CalDav`."""
    client_id: str | None
    """The application's id; null for `CalDav`."""
    group_id: str | None
    """The group whose members are read; null for `CalDav`."""
    user_name: str | None
    """The account's name; null for `Microsoft365`."""
    address: str
    """The address of the calendars."""
    login_address: str | None
    """The address that issues tokens; null for `CalDav`."""
    tentative_blocks: bool
    """True if tentative appointments block."""
    writes: Writes
    """The kind of events that are written into the calendars of advisors."""
    when_stale: WhenStale
    """The treatment of people and rooms whose calendar is stale."""
    stale_after: Duration
    """The time without a reading after which a calendar is stale, and the connection `Failing`."""
    status: ConnectionStatus
    """The state of reading its calendars; while they are not read, the times last read stay."""
    problem: str | None
    """The reason why not: `NotYet`, `OutOfScope`, `TooWide` (it may read others' mailboxes, too) and so on."""
    mailboxes: int
    """The number of mailboxes in the group, or of people at the server."""
    matched: int
    """Mailboxes whose address an employee or a room has."""
    oldest_seconds: int | None
    """The time since the next two weeks of the mailbox that waits longest were read; null: of one they never were."""
    last_round_at: datetime | None
    """Since when each matched mailbox was read at least once; null: not all were read."""
    unwritten: int
    """The number of meetings to come whose event could not be written at the last try."""
    write_problem: str | None
    """The most frequent reason for failures: `Denied` and so on, with the service's own code; null: none failed."""


class Mailbox(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A mailbox of a connection."""

    email: str
    """Its address."""
    employee_id: UUID | None
    """The employee who has the address; null: none."""
    room_id: UUID | None
    """The room that has the address; null: none."""
    read_at: datetime | None
    """When its next two weeks were last read."""
    problem: str | None
    """The reason that the last try failed: the service's own code; null: it succeeded."""


class MailboxesQuery(PartQuery, frozen=True, rename="camel", kw_only=True):
    """GET /config/calendar-connections/{id}/mailboxes."""

    status: MailboxStatus | None = None
    """Only mailboxes of this status."""
    search: Annotated[str, Meta(max_length=200)] | None = None
    """Only mailboxes with this in their address, in any case."""


class ReadConnection(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST /config/calendar-connections/{id}/read."""

    employee_ids: Annotated[list[UUID], Meta(max_length=100)] = []
    """The employees whose mailboxes are read; none: all that are due, and the group's members."""
