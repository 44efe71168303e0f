"""Checks of the calendars that are read: of single people and rooms, and of whole firms."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from asyncpg import Record

from meetdeck.doctor.database import connect, list_tenant_ids
from meetdeck.doctor.outcome import Finding, ok, warning
from meetdeck.platform.database import Address, load_queries
from meetdeck.platform.process import clock

queries = load_queries(__file__, "calendars.sql")

_MOST_NAMED: Final = 5
_MEND_CALENDARS: Final = (
    "The times last read stay. docs/calendars.md explains each problem; POST config/calendars/{id}/read tries again at "
    "once."
)
_MEND_WORKER: Final = "See the line `worker`: nothing has been tried for that long."
_ASKED_AGAIN: Final = "Microsoft's answer is in the log (`request`); Meetdeck tries again automatically."
_ASKED_AGAIN_CALDAV: Final = "Ask the server's administrator to check it; Meetdeck tries again automatically."
_MEND_SCOPE: Final = (
    "In Exchange Online, assign `Application Calendars.Read` for the group; if it is assigned, wait 30 minutes to 2 "
    "hours. `Test-ServicePrincipalAuthorization` tells whether it is in force."
)
_MEND: Final[Mapping[str, tuple[str, str]]] = {
    "NotYet": (
        "has no consent yet: the application may not see the group, or the people in it",
        "In Entra, grant GroupMember.Read.All and User.ReadBasic.All to the application (docs/calendars-of-a-firm.md).",
    ),
    "OutOfScope": (
        "is out of scope: every mailbox of the group is denied",
        _MEND_SCOPE,
    ),
    "TooWide": (
        "is too wide: the application may read people outside of the group, too",
        "Revoke the consent to calendars in Entra; with the role in Exchange Online it is not needed.",
    ),
    "WrongCredentials": (
        "cannot sign in: the secret, the certificate or an id is wrong, or has expired",
        "Ask an administrator of the firm to enter a new one on the console's Connections page.",
    ),
    "AddressNotAllowed": (
        "names an address that may not be called",
        "See the line `outgoing addresses`.",
    ),
}
"""The meaning of each problem of a connection, and its remedy."""
_MEND_CALDAV: Final[Mapping[str, tuple[str, str]]] = {
    **_MEND,
    "OutOfScope": (
        "sees no calendar on the CalDAV server",
        "Ask the server's administrator to allow its account to list the people and read their calendars.",
    ),
    "WrongCredentials": (
        "cannot sign in at the CalDAV server: the name or the password is wrong",
        "Ask an administrator of the firm to enter the password again on the console's Connections page.",
    ),
    "UnexpectedAnswer": (
        "has an address that is not of a CalDAV server",
        "Ask an administrator of the firm to check the address on the console's Connections page.",
    ),
}
"""Likewise for connections of the kind CalDav."""


async def check_calendars(address: Address) -> Finding:
    """List the calendars of single people and rooms that cannot be read: since when, and why."""
    told: list[str] = []
    async with connect(address) as connection:
        for tenant_id in await list_tenant_ids(connection):
            await connection.execute("select set_config('meetdeck.tenant', $1, true)", str(tenant_id))
            told += [
                f"Calendar {row['calendar_id']} of tenant {tenant_id} has been failing since "
                f"{_write_time(row['failing_since'])} ({row['problem']})."
                async for row in queries.list_failing_calendars(connection)
            ]
    if not told:
        return ok("Every external calendar can be read.")
    return warning(_shorten(told), _MEND_CALENDARS)


async def check_connections(address: Address) -> Finding:
    """List the firms' connections that read nothing, or may read too much: why, and what to do about each problem."""
    told: list[str] = []
    mend: list[str] = []
    async with connect(address) as connection:
        for tenant_id in await list_tenant_ids(connection):
            await connection.execute("select set_config('meetdeck.tenant', $1, true)", str(tenant_id))
            async for row in queries.list_connections(connection, now=clock.now()):
                if (explained := _explain(row)) is not None:
                    meaning, advice = explained
                    told.append(f"Connection {row['connection_id']} of tenant {tenant_id} {meaning}.")
                    mend += [advice] * (advice not in mend)
    if not told:
        return ok("Every firm's calendars are read.")
    return warning(_shorten(told), " ".join(mend))


def _explain(row: Record) -> tuple[str, str] | None:
    """Return what is wrong with a connection, and what to do; None: nothing."""
    problem: str | None = row["problem"] or ("TooWide" if row["is_too_wide"] else None)
    is_caldav = row["kind"] == "CalDav"
    if (known := (_MEND_CALDAV if is_caldav else _MEND).get(problem or "")) is not None:
        return known
    if row["is_stale"] and (row["matched"] or row["last_at"] is None):
        since = f"since {_write_time(row['last_at'])}" if row["last_at"] is not None else "yet"
        why = f" ({problem})" if problem is not None else ""
        advice = (_ASKED_AGAIN_CALDAV if is_caldav else _ASKED_AGAIN) if problem else _MEND_WORKER
        return f"has read nothing {since}{why}", advice
    if row["failing"]:
        listed = "GET config/calendar-connections/{id}/mailboxes?status=Failing lists them with the reason."
        return f"cannot read {row['failing']} of {row['matched']} mailboxes", listed
    return None


def _shorten(told: list[str]) -> str:
    more = [f"And {len(told) - _MOST_NAMED} more."] * (len(told) > _MOST_NAMED)
    return " ".join(told[:_MOST_NAMED] + more)


def _write_time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
