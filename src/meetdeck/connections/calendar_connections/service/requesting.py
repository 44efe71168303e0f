"""Requests the schedules of mailboxes from a connection's service, and names the problem of a failed request.

Microsoft Graph answers for twenty mailboxes in one request. A CalDAV server is asked about one after the other.
"""

from collections.abc import Mapping
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from prometheus_client import Counter

from meetdeck.connections.caldav.busy import ScheduleRequest, read_schedule
from meetdeck.connections.caldav.client import CalDavClient
from meetdeck.connections.calendar_connections.service.lines import Line
from meetdeck.connections.calendar_connections.store import MatchedMailbox
from meetdeck.connections.failures import ServiceFailed, ServiceProblem
from meetdeck.connections.graph.rounds import Horizon
from meetdeck.connections.graph.schedules import read_answer, write_request
from meetdeck.connections.icalendar import Window
from meetdeck.connections.schedules import Schedule
from meetdeck.platform.process.clock import Clock

REQUESTS: Final = Counter("meetdeck_calendar_connection_requests", "Requests for schedules.", ["outcome"])
NO_CONSENT: Final = "Authorization_RequestDenied"
"""Graph's code for a missing consent."""
OF_A_MAILBOX: Final = frozenset({ServiceProblem.DENIED, ServiceProblem.GONE})
_OF_A_HOME: Final = OF_A_MAILBOX | {ServiceProblem.TOO_LARGE, ServiceProblem.UNEXPECTED}
_MOST_ASKERS: Final = 3
_SECONDS: Final = 30.0


async def request_schedules(
    line: Line, horizon: Horizon, mailboxes: Mapping[UUID, MatchedMailbox], clock: Clock
) -> Mapping[str, Schedule]:
    """Return the schedules of mailboxes. Raises ServiceFailed."""
    if isinstance(line.client, CalDavClient):
        return await _request_each(line, line.client, horizon, mailboxes, clock)
    return await _request_together(line, horizon, mailboxes, clock)


async def _request_each(
    line: Line, client: CalDavClient, horizon: Horizon, mailboxes: Mapping[UUID, MatchedMailbox], clock: Clock
) -> Mapping[str, Schedule]:
    """Return schedules from a CalDAV server. A failure is stored in its mailbox's schedule, unless all are denied.

    Raises ServiceFailed.
    """
    window, schedules = Window(*horizon.find_window(clock())), dict[str, Schedule]()
    for mailbox in mailboxes.values():
        wanted = ScheduleRequest(
            tuple(mailbox.homes),
            window,
            ZoneInfo(mailbox.time_zone) if mailbox.time_zone else line.zone,
            mailbox.near_tag if horizon is Horizon.NEAR else mailbox.far_tag,
            line.stored.tentative_blocks,
        )
        try:
            async with line.count_request():
                schedules[mailbox.email] = await read_schedule(client, wanted)
        except ServiceFailed as failed:
            REQUESTS.labels(failed.problem.value).inc()
            if failed.problem not in _OF_A_HOME:
                raise
            schedules[mailbox.email] = Schedule([], failed.problem.value)
        else:
            REQUESTS.labels("read").inc()
    if schedules and all(each.problem == ServiceProblem.DENIED for each in schedules.values()):
        raise ServiceFailed(ServiceProblem.DENIED)
    return schedules


async def _request_together(
    line: Line, horizon: Horizon, mailboxes: Mapping[UUID, MatchedMailbox], clock: Clock
) -> Mapping[str, Schedule]:
    """Return schedules from Graph, requested through one of the mailboxes that the application may use.

    A request whose answer is too large is split in half. If a single mailbox is too large, that is its problem.

    Raises ServiceFailed.
    """
    try:
        return await _request_batch(line, horizon, mailboxes, clock)
    except ServiceFailed as failed:
        if failed.problem is not ServiceProblem.TOO_LARGE:
            raise
    if len(mailboxes) == 1:
        return {each.email: Schedule([], ServiceProblem.TOO_LARGE.value) for each in mailboxes.values()}
    ids = [*mailboxes]
    middle, schedules = len(ids) // 2, dict[str, Schedule]()
    for half in (ids[:middle], ids[middle:]):
        schedules |= await _request_together(line, horizon, {id_: mailboxes[id_] for id_ in half}, clock)
    return schedules


async def _request_batch(
    line: Line, horizon: Horizon, mailboxes: Mapping[UUID, MatchedMailbox], clock: Clock
) -> Mapping[str, Schedule]:
    now = clock()
    window, emails = horizon.find_window(now), [each.email for each in mailboxes.values()]
    askers = sorted(mailboxes.values(), key=lambda each: (each.problem is not None, each.near_at is None))
    failed = ServiceFailed(ServiceProblem.UNEXPECTED)
    for asker in askers[:_MOST_ASKERS]:
        try:
            async with line.count_request():
                body = await line.graph.get_schedule(asker.email, write_request(emails, window), now, _SECONDS)
            schedules = read_answer(body, window, tentative_blocks=line.stored.tentative_blocks)
        except ServiceFailed as error:
            failed = error
            REQUESTS.labels(error.problem.value).inc()
            if error.problem not in OF_A_MAILBOX:
                break
        except ValueError:
            REQUESTS.labels(ServiceProblem.UNEXPECTED.value).inc()
            raise ServiceFailed(ServiceProblem.UNEXPECTED) from None
        else:
            REQUESTS.labels("read").inc()
            return schedules
    raise failed


def name_problem(failed: ServiceFailed) -> str:
    """Return the problem as connections report it: a denied group means no consent, a mailbox may be out of scope."""
    if failed.problem is ServiceProblem.DENIED:
        return "NotYet" if failed.code == NO_CONSENT else "OutOfScope"
    return failed.problem.value
