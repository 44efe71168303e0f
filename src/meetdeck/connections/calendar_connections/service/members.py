"""The mailboxes of a connection: the members of Microsoft's group, or the people of a CalDAV server."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from meetdeck.connections.caldav.client import CalDavClient
from meetdeck.connections.caldav.people import list_people
from meetdeck.connections.calendar_connections import store
from meetdeck.connections.calendar_connections.service.lines import Line
from meetdeck.connections.calendar_connections.service.requesting import NO_CONSENT
from meetdeck.connections.failures import ServiceFailed, ServiceProblem
from meetdeck.connections.graph.rounds import Horizon
from meetdeck.connections.graph.schedules import write_request
from meetdeck.platform.database import Connection


class KnownAddresses(NamedTuple):
    """The employees and rooms that the firm has, by e-mail address."""

    emails: Sequence[str]
    outsider: str | None
    """The address of an employee outside the group."""


class Members(NamedTuple):
    """The mailboxes that a service lists."""

    homes: Mapping[str, Sequence[str]]
    """The paths of each person's calendars, by address; empty for Microsoft."""
    is_too_wide: bool = False


async def find_addresses(connection: Connection, connection_id: UUID) -> KnownAddresses:
    """Return the e-mail addresses of the firm's employees and rooms."""
    return KnownAddresses(await store.list_emails(connection), await store.find_outsider(connection, connection_id))


async def list_members(line: Line, known: KnownAddresses, now: datetime) -> Members:
    """Return the mailboxes that a connection's service lists. Raises ServiceFailed."""
    if isinstance(line.client, CalDavClient):
        async with line.count_request():
            return Members({one.email: one.homes for one in await list_people(line.client, known.emails)})
    async with line.count_request():
        members = await line.graph.list_members(line.stored.group_id or "", now)
    emails = [member.email for member in members if member.account_enabled is not False and member.email]
    if members and not emails:  # the group is readable, its members are not yet
        raise ServiceFailed(ServiceProblem.DENIED, NO_CONSENT)
    outsider = known.outsider
    is_outside = outsider is not None and outsider.lower() not in {email.lower() for email in emails}
    is_too_wide = is_outside and await _may_read(line, outsider or "", now)
    return Members(dict.fromkeys(emails, ()), is_too_wide=is_too_wide)


async def sign_in(line: Line, now: datetime) -> None:
    """Get a token if there is none; CalDAV servers need none. Raises ServiceFailed."""
    if not isinstance(line.client, CalDavClient):
        await line.client.sign_in(now)


async def _may_read(line: Line, email: str, now: datetime) -> bool:
    """Return whether the application can read a mailbox that should be denied to it."""
    try:
        async with line.count_request():
            await line.graph.get_schedule(email, write_request([email], Horizon.NEAR.find_window(now)), now)
    except ServiceFailed:
        return False
    return True
