"""Asking a connection's service for the schedules of mailboxes, and naming why it did not tell them."""

from collections.abc import Mapping
from typing import Final
from uuid import UUID

from prometheus_client import Counter

from meetdeck.connections.calendar_connections.service.lines import Line
from meetdeck.connections.calendar_connections.store import MatchedMailbox
from meetdeck.connections.graph.client import GraphFailed, GraphProblem
from meetdeck.connections.graph.rounds import Horizon
from meetdeck.connections.graph.schedules import Schedule, read_answer, write_request
from meetdeck.platform.process.clock import Clock

REQUESTS: Final = Counter("meetdeck_calendar_connection_requests", "Requests for schedules.", ["outcome"])
NO_CONSENT: Final = "Authorization_RequestDenied"
"""Graph's code where a consent is missing."""
OF_A_MAILBOX: Final = frozenset({GraphProblem.DENIED, GraphProblem.GONE})
_MOST_ASKERS: Final = 3
_SECONDS: Final = 30.0


async def ask(
    line: Line, horizon: Horizon, mailboxes: Mapping[UUID, MatchedMailbox], clock: Clock
) -> Mapping[str, Schedule]:
    """Return what is told of mailboxes, in the name of one of them that may be used. Raises GraphFailed.

    If that is too large, it is asked for in halves: of one mailbox that is too large alone, this is the problem.
    """
    try:
        return await _ask(line, horizon, mailboxes, clock)
    except GraphFailed as failed:
        if failed.problem is not GraphProblem.TOO_LARGE:
            raise
    if len(mailboxes) == 1:
        return {each.email: Schedule([], GraphProblem.TOO_LARGE.value) for each in mailboxes.values()}
    ids = [*mailboxes]
    middle, told = len(ids) // 2, dict[str, Schedule]()
    for half in (ids[:middle], ids[middle:]):
        told |= await ask(line, horizon, {id_: mailboxes[id_] for id_ in half}, clock)
    return told


async def _ask(
    line: Line, horizon: Horizon, mailboxes: Mapping[UUID, MatchedMailbox], clock: Clock
) -> Mapping[str, Schedule]:
    now = clock()
    window, emails = horizon.find_window(now), [each.email for each in mailboxes.values()]
    askers = sorted(mailboxes.values(), key=lambda each: (each.problem is not None, each.near_at is None))
    failed = GraphFailed(GraphProblem.UNEXPECTED)
    for asker in askers[:_MOST_ASKERS]:
        try:
            async with line.occupy():
                body = await line.client.get_schedule(asker.email, write_request(emails, window), now, _SECONDS)
            schedules = read_answer(body, window, tentative_blocks=line.stored.tentative_blocks)
        except GraphFailed as error:
            failed = error
            REQUESTS.labels(error.problem.value).inc()
            if error.problem not in OF_A_MAILBOX:
                break
        except ValueError:
            REQUESTS.labels(GraphProblem.UNEXPECTED.value).inc()
            raise GraphFailed(GraphProblem.UNEXPECTED) from None
        else:
            REQUESTS.labels("read").inc()
            return schedules
    raise failed


def name_problem(failed: GraphFailed) -> str:
    """Return a problem as connections tell it: a group that is denied is no consent, a mailbox is out of scope."""
    if failed.problem is GraphProblem.DENIED:
        return "NotYet" if failed.code == NO_CONSENT else "OutOfScope"
    return failed.problem.value
