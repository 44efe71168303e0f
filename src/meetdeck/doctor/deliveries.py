"""Checks of outgoing calls: webhooks, messages to attendees, and firms' addresses."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from asyncpg import Record

from meetdeck.doctor.database import connect, list_tenant_ids
from meetdeck.doctor.outcome import Finding, ok, warning
from meetdeck.platform.database import Address, load_queries
from meetdeck.platform.outgoing import AllowedHosts, NamedHosts
from meetdeck.platform.settings import Settings, limits_outgoing_calls
from meetdeck.platform.settings.outgoing_hosts import find_outgoing_hosts

queries = load_queries(__file__, "deliveries.sql")

_MOST_NAMED: Final = 5
_LONGEST_PROBLEM: Final = 200
_GONE: Final = 410
_MEND_WEBHOOKS: Final = (
    "Ask the operator of the receiver. GET /api/v3/events/webhooks/{id}/deliveries lists each attempt with its "
    "answer. When the receiver answers again, waiting events are sent automatically; `meetdeck webhooks replay ID` "
    "resends those that were given up."
)
_MEND_MESSAGES: Final = (
    "See the line `mail`, and the log of the mail server or the gateway. Once it answers, all messages that are "
    "still due are sent."
)
_MEND_ADDRESSES: Final = (
    "Add the host to MEETDECK_OUTGOING_HOSTS or to the firm's own list (`meetdeck tenant set ID --outgoing-hosts`), "
    "and a private one to MEETDECK_OUTGOING_ALLOW, too; or ask the firm to remove the address."
)


async def check_webhooks(address: Address) -> Finding:
    """List the failing webhooks: since when, how many events wait for each, and the last answer."""
    async with connect(address) as connection:
        failing = [row async for row in queries.list_failing_webhooks(connection)]
    if not failing:
        return ok("Every webhook that was called accepted its events.")
    told = [_describe_webhook(row) for row in failing[:_MOST_NAMED]]
    more = len(failing) - len(told)
    told += [f"And {more} more {'fail' if more > 1 else 'fails'}."] * bool(more)
    return warning(" ".join(told), _MEND_WEBHOOKS)


def _describe_webhook(row: Record) -> str:
    name = f"Webhook {row['webhook']} of tenant {row['tenant']}"
    if not row["is_active"]:
        return f"{name} gets no more events: its receiver answered {_GONE} (gone)."
    answered = f"answered {row['last_status']}" if row["last_status"] is not None else "did not answer"
    problem = f" ({row['last_problem'][:_LONGEST_PROBLEM]})" if row["last_problem"] else ""
    return (
        f"{name} has been failing since {_write_time(row['since'])}: {_count(row['waiting'], 'event')} for it, and "
        f"it last {answered}{problem}."
    )


async def check_addresses(settings: Settings, address: Address) -> Finding:
    """List webhooks, document rules and calendars that name a host which may not, or may no longer, be called."""
    # With demo data this machine may be called, too, and nothing here tells whether there is any.
    is_open = settings.environment == "test" and not limits_outgoing_calls()
    allowed = AllowedHosts(settings.outgoing_allow, () if is_open else None)
    told: list[str] = []
    async with connect(address) as connection:
        for tenant_id in await list_tenant_ids(connection):
            await connection.execute("select set_config('meetdeck.tenant', $1, true)", str(tenant_id))
            own = await find_outgoing_hosts(connection)
            hosts = settings.outgoing_hosts if own is None else own
            told += [
                f"{row['kind']} {row['id']} of tenant {tenant_id}: {why}"
                async for row in queries.list_called_addresses(connection)
                if (why := _explain_refusal(row["address"], allowed, hosts))
            ]
    if not told:
        return ok("All webhooks, document rules and calendars name hosts that may be called.")
    more = [f"And {len(told) - _MOST_NAMED} more."] * (len(told) > _MOST_NAMED)
    return warning(f"These addresses may not be called. {' '.join(told[:_MOST_NAMED] + more)}", _MEND_ADDRESSES)


def _explain_refusal(address: str, allowed: AllowedHosts, hosts: Sequence[str] | None) -> str:
    """Return why an address may not be called, wherever its name leads; empty if it may be called."""
    try:
        server = allowed.find(address)
    except ValueError as error:
        return str(error)
    if hosts is None or NamedHosts(hosts).permit(server):
        return ""
    return f"{server.host} is not one of the hosts that this firm may name."


async def check_messages(address: Address) -> Finding:
    """Check whether messages wait because servers refuse them: since when, how many, and why."""
    async with connect(address) as connection:
        found: Record = await queries.measure_undelivered(connection)
    if not found["waiting"]:
        return ok("No message waits to be sent again.")
    since = f", the first since {_write_time(found['since'])}" if found["since"] is not None else ""
    why = f" At the last try: {found['why'].rstrip('.')}." if found["why"] else ""
    return warning(f"{_count(found['waiting'], 'message')} to be tried again{since}.{why}", _MEND_MESSAGES)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun} waits" if number == 1 else f"{number} {noun}s wait"


def _write_time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
