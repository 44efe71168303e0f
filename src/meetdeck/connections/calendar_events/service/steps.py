"""The next step of writing a meeting's event, and its outcome, each in its own transaction."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from meetdeck.connections.calendar_events import store
from meetdeck.connections.calendar_events.service.contents import (
    EventContent,
    find_mailbox,
    is_advisors_mailbox,
    read_content,
)
from meetdeck.connections.calendar_events.service.owners import read_owner
from meetdeck.connections.calendar_events.store import Holder, KeptEvent
from meetdeck.connections.graph.event_steps import (
    Create,
    Done,
    EventFacts,
    EventState,
    NotThere,
    Step,
    begin,
    find_step,
    finish,
)
from meetdeck.platform.database import Connection


class Task(NamedTuple):
    """A step that was started."""

    owner_id: UUID
    connection_id: UUID
    """The connection whose application performs it."""
    step: Step
    begun: EventState
    holders: tuple[Holder, ...]
    text: str = ""
    """HTML, for a new event."""


async def begin_step(connection: Connection, owner_id: UUID, now: datetime) -> Task | None:
    """Return the next step of an owner's event, and record that it was started; None if there is none.

    Nothing is written for past meetings, or by connections that no longer write.
    """
    owner = await read_owner(connection, owner_id)
    if owner is None or owner.ends_at <= now:
        return None
    kept = await store.find_event(connection, owner_id, for_update=True)
    if kept is not None and not kept.is_written:
        return None
    content, meeting = None, owner.meeting
    if meeting is not None:
        mailbox = await find_mailbox(connection, meeting, kept)
        summary = kept.state.summary if kept is not None else None
        if mailbox is None and summary is not None and await is_advisors_mailbox(connection, meeting, summary.mailbox):
            return None  # the directory does not list the mailbox just now; this must not cancel events
        if mailbox is not None:
            content = await read_content(connection, owner, mailbox, kept.join_url if kept is not None else "")
    if kept is None and content is not None:
        await store.add_event(connection, owner_id, content.connection_id, now)
        kept = await store.find_event(connection, owner_id, for_update=True)
    return await _begin(connection, owner_id, kept, content, now) if kept is not None else None


async def _begin(
    connection: Connection, owner_id: UUID, kept: KeptEvent, content: EventContent | None, now: datetime
) -> Task | None:
    step = find_step(content.facts if content is not None else None, kept.state)
    if step is None:
        return None
    begun = begin(kept.state, step)
    is_new = isinstance(step, Create) and step.number > kept.state.number
    connection_id = content.connection_id if is_new and content is not None else kept.connection_id
    await store.update_event(connection, owner_id, connection_id, begun, now)
    holders, text = _find_holders(step, content)
    facts = getattr(step, "facts", None)
    if isinstance(facts, EventFacts):
        await store.add_times(connection, owner_id, holders, facts.starts_at, facts.ends_at)
    return Task(owner_id, connection_id, step, begun, holders, text)


def _find_holders(step: Step, content: EventContent | None) -> tuple[tuple[Holder, ...], str]:
    """Return the mailboxes that a step writes into, and the text for a new event."""
    facts = getattr(step, "facts", None)
    if content is not None and facts == content.facts:
        return content.holders, content.text
    return ((Holder(facts.mailbox, is_guests=False),) if isinstance(facts, EventFacts) else ()), ""


async def finish_step(connection: Connection, task: Task, outcome: Done | NotThere, now: datetime) -> None:
    """Record the outcome of a step, unless another worker has started one since."""
    kept = await store.find_event(connection, task.owner_id, for_update=True)
    if kept is None or kept.state != task.begun:
        return
    state = finish(kept.state, task.step, outcome)
    await store.update_event(connection, task.owner_id, kept.connection_id, state, now)
    if state.summary is None:
        await store.delete_files(connection, task.owner_id)
    if not state.is_unsure:
        await store.end_times(connection, task.owner_id, task.holders, state.summary, now)
    await store.record_problem(connection, task.owner_id, None)
