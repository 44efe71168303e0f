"""Checks of what is on its way to others: events to webhooks, and messages to the people of meetings."""

from datetime import datetime
from typing import Final

from asyncpg import Record

from meetdeck.doctor.database import connect
from meetdeck.doctor.outcome import Finding, ok, warning
from meetdeck.platform.db import Address
from meetdeck.platform.queries import load_queries

queries = load_queries(__file__, "deliveries.sql")

_MOST_NAMED: Final = 5
_LONGEST_PROBLEM: Final = 200
_GONE: Final = 410
_MEND_WEBHOOKS: Final = (
    "Ask who runs the receiver. GET /api/v3/events/webhooks/{id}/deliveries has each try with its answer; when it "
    "answers again, what waits comes by itself, and `meetdeck webhook replay ID` sends what was given up."
)
_MEND_MESSAGES: Final = (
    "See the line `mail`, and what the mail server or the gateway says in its own log; once it answers, all are sent "
    "that are still due."
)


async def check_webhooks(address: Address) -> Finding:
    """Find out which webhooks fail: since when, how many events wait for each, and what was answered last."""
    async with connect(address) as connection:
        failing = [row async for row in queries.list_failing_webhooks(connection)]
    if not failing:
        return ok("Every webhook that was called took what it was sent.")
    told = [_describe_webhook(row) for row in failing[:_MOST_NAMED]]
    more = len(failing) - len(told)
    told += [f"And {more} more {'fail' if more > 1 else 'fails'}."] * bool(more)
    return warning(" ".join(told), _MEND_WEBHOOKS)


def _describe_webhook(row: Record) -> str:
    name = f"Webhook {row['webhook']} of tenant {row['tenant']}"
    if not row["is_active"]:
        return f"{name} gets nothing any more: its receiver answered {_GONE}, that it is gone."
    answered = f"answered {row['last_status']}" if row["last_status"] is not None else "did not answer"
    problem = f" ({row['last_problem'][:_LONGEST_PROBLEM]})" if row["last_problem"] else ""
    return (
        f"{name} fails since {_tell(row['since'])}: {_count(row['waiting'], 'event')} for it, and it last "
        f"{answered}{problem}."
    )


async def check_messages(address: Address) -> Finding:
    """Find out whether messages wait because servers do not take them: since when, how many, and why."""
    async with connect(address) as connection:
        found: Record = await queries.measure_undelivered(connection)
    if not found["waiting"]:
        return ok("No message waits for a server that did not take it.")
    since = f", the first since {_tell(found['since'])}" if found["since"] is not None else ""
    why = f" At the last try: {found['why'].rstrip('.')}." if found["why"] else ""
    return warning(f"{_count(found['waiting'], 'message')} to be tried again{since}.{why}", _MEND_MESSAGES)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun} waits" if number == 1 else f"{number} {noun}s wait"


def _tell(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
