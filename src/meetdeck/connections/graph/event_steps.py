"""Decides the steps by which a meeting gets exactly one event in a calendar, even if answers are lost; pure.

Each creation has a number, stored before it is sent, and Graph creates one event for each `transactionId`. So an
unanswered creation is sent again, even if the meeting was cancelled meanwhile: only the answer tells which event to
cancel. An event's content is certain only once Graph has answered; until then it is written again.
"""

from datetime import datetime
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID

import msgspec

_DIGEST_BYTES = 16


class Guest(NamedTuple):
    """An invited person or room."""

    email: str
    name: str
    is_room: bool = False


class EventFacts(NamedTuple):
    """The content of a meeting's event, and the mailbox that it is written into."""

    mailbox: str
    starts_at: datetime
    ends_at: datetime
    subject: str = ""
    place: str = ""
    guests: tuple[Guest, ...] = ()
    is_online: bool = False
    """True if it has a Teams meeting."""

    def summarize(self) -> "EventSummary":
        """Return the stored form: without names, and without guests' addresses."""
        digest = sha256(msgspec.json.encode(self)).digest()[:_DIGEST_BYTES]
        return EventSummary(self.mailbox, self.starts_at, self.ends_at, digest)


class EventSummary(NamedTuple):
    """The stored form of an event: its mailbox and times, and a digest of its content."""

    mailbox: str
    starts_at: datetime
    ends_at: datetime
    digest: bytes


class EventState(NamedTuple):
    """The last known state of a meeting's event.

    `number` counts creations. `summary` is the content of the event, or of a creation that waits for its answer.
    `event_id` is None while the answer of a creation is unknown. `is_unsure`: the event may have other content, or be
    gone.
    """

    number: int = 0
    event_id: str | None = None
    summary: EventSummary | None = None
    is_unsure: bool = False

    @property
    def is_open(self) -> bool:
        """Return whether a creation was started and its answer is unknown."""
        return self.summary is not None and self.event_id is None


class Create(NamedTuple):
    """Create the event with a number, or find the one that an earlier try created."""

    number: int
    facts: EventFacts

    def name_transaction(self, owner_id: UUID) -> str:
        """Return the `transactionId`."""
        return f"{owner_id}-{self.number}"


class Change(NamedTuple):
    """Change an event's time, place, subject or guests; never its text, which would remove the Teams meeting."""

    event_id: str
    facts: EventFacts


class Cancel(NamedTuple):
    """Cancel an event."""

    event_id: str
    mailbox: str


Step = Create | Change | Cancel


class NotThere(NamedTuple):
    """The answer that an event no longer exists."""


class Done(NamedTuple):
    """The answer that a step was performed; `event_id` is the event's."""

    event_id: str


def find_step(wanted: EventFacts | None, state: EventState) -> Step | None:
    """Return the next step; None if the calendar is up to date. `wanted` is None for a cancelled meeting."""
    summary = state.summary
    if summary is None:
        return Create(state.number + 1, wanted) if wanted is not None else None
    if state.event_id is None:
        if wanted is not None and wanted.mailbox == summary.mailbox:
            return Create(state.number, wanted)
        # Only to learn the id: nobody is invited to an event that is cancelled next.
        return Create(state.number, EventFacts(summary.mailbox, summary.starts_at, summary.ends_at))
    if wanted is None or wanted.mailbox != summary.mailbox:
        return Cancel(state.event_id, summary.mailbox)
    return Change(state.event_id, wanted) if state.is_unsure or wanted.summarize() != summary else None


def begin(state: EventState, step: Step) -> EventState:
    """Return the state to store before a step is sent."""
    if not isinstance(step, Create):
        return state._replace(is_unsure=True)
    summary = step.facts.summarize()
    is_other = state.is_open and (state.is_unsure or state.summary != summary)
    return EventState(step.number, None, summary, is_other)


def finish(state: EventState, step: Step, outcome: Done | NotThere) -> EventState:
    """Return the state to store after an answer. Without an answer the state stays, and the step is sent again.

    An event that is gone when it should change is created again under another number.
    """
    match step, outcome:
        case Create(), Done():
            return state._replace(event_id=outcome.event_id)
        case Change(), Done():
            return state._replace(summary=step.facts.summarize(), is_unsure=False)
        case _:  # cancelled, or gone
            return EventState(state.number)
