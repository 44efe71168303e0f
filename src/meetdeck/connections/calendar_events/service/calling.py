"""Calls Graph to perform a step, or to read an event."""

from datetime import datetime
from typing import Final, NamedTuple

from meetdeck.connections.calendar_connections.service.lines import Line
from meetdeck.connections.calendar_events.service.steps import Task
from meetdeck.connections.failures import ServiceFailed, ServiceProblem
from meetdeck.connections.graph.event_steps import Cancel, Change, Create, Done, NotThere
from meetdeck.connections.graph.events import SELECTED, ReadEvent, read_event, write_change, write_new

_CANCEL: Final = b'{"comment":""}'


class StepAnswer(NamedTuple):
    """Graph's answer to a step, with the event in it."""

    outcome: Done | NotThere
    event: ReadEvent | None = None


async def take_step(line: Line, task: Task, now: datetime) -> StepAnswer:
    """Perform a step, and return its outcome. Raises ServiceFailed; the step may have been performed."""
    match task.step:
        case Create():
            return await _create(line, task, task.step, now)
        case Change():
            return await _change(line, task.step, now)
        case Cancel():
            return await _cancel(line, task.step, now)


async def find_event(line: Line, mailbox: str, event_id: str, now: datetime) -> ReadEvent | None:
    """Return an event as it is in the calendar; None if it was deleted or cancelled there. Raises ServiceFailed."""
    address = f"{line.graph.name_event(mailbox, event_id)}?$select={SELECTED}"
    try:
        async with line.count_request():
            event = _read(await line.graph.call("GET", address, now))
    except ServiceFailed as failed:
        if failed.problem is ServiceProblem.GONE:
            return None
        raise
    return None if event.is_cancelled else event


async def _create(line: Line, task: Task, step: Create, now: datetime) -> StepAnswer:
    body = write_new(step.facts, step.name_transaction(task.owner_id), task.text)
    async with line.count_request():
        event = _read(await line.graph.call("POST", line.graph.name_events(step.facts.mailbox), now, body))
    return StepAnswer(Done(event.id), event)


async def _change(line: Line, step: Change, now: datetime) -> StepAnswer:
    address = line.graph.name_event(step.facts.mailbox, step.event_id)
    try:
        async with line.count_request():
            event = _read(await line.graph.call("PATCH", address, now, write_change(step.facts)))
    except ServiceFailed as failed:
        if failed.problem is ServiceProblem.GONE:
            return StepAnswer(NotThere())
        raise
    return StepAnswer(Done(event.id), event)


async def _cancel(line: Line, step: Cancel, now: datetime) -> StepAnswer:
    """Cancel an event; delete it if it cannot be cancelled, for example because it has another organizer now."""
    address = line.graph.name_event(step.mailbox, step.event_id)
    try:
        try:
            async with line.count_request():
                await line.graph.call("POST", f"{address}/cancel", now, _CANCEL)
        except ServiceFailed as failed:
            if failed.problem is not ServiceProblem.UNEXPECTED:
                raise
            async with line.count_request():
                await line.graph.call("DELETE", address, now)
    except ServiceFailed as failed:
        if failed.problem is ServiceProblem.GONE:
            return StepAnswer(NotThere())
        raise
    return StepAnswer(Done(step.event_id))


def _read(body: bytes) -> ReadEvent:
    """Return an event. Raises ServiceFailed for a malformed answer."""
    try:
        return read_event(body)
    except ValueError:
        raise ServiceFailed(ServiceProblem.UNEXPECTED) from None
