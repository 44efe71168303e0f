"""How one meeting gets exactly one event in a calendar, whatever is lost on the way; pure.

Each creation has a number, kept before it is sent, and Graph makes one event for a `transactionId`. So a creation
without an answer is sent again as it was, also when the meeting is cancelled meanwhile: only its answer tells which
event to cancel.
"""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID


class Facts(NamedTuple):
    """The content of a meeting's event, and the mailbox that it is written into."""

    mailbox: str
    starts_at: datetime
    ends_at: datetime
    subject: str = ""
    place: str = ""
    attendees: tuple[str, ...] = ()


class Written(NamedTuple):
    """The last known state of a meeting's event.

    `number` counts creations. `told` is what the event says, or a creation that waits for its answer. `event_id` None
    with `told`: the creation was begun, and its answer is not known.
    """

    number: int = 0
    event_id: str | None = None
    told: Facts | None = None

    @property
    def is_open(self) -> bool:
        """Return whether a creation was begun whose answer is not known."""
        return self.told is not None and self.event_id is None


class Create(NamedTuple):
    """Make the event of a number, or find the one that it made before."""

    number: int
    facts: Facts

    def name_transaction(self, meeting_id: UUID) -> str:
        """Return the `transactionId`."""
        return f"{meeting_id}-{self.number}"


class Change(NamedTuple):
    """Change an event's time, place, subject or attendees; never its text, which would end a Teams meeting."""

    event_id: str
    before: Facts
    facts: Facts


class Cancel(NamedTuple):
    """Cancel an event."""

    event_id: str
    mailbox: str


Step = Create | Change | Cancel


class Gone(NamedTuple):
    """The answer that an event is not there any more."""


class Done(NamedTuple):
    """The answer that a step is done; `event_id`: of the event."""

    event_id: str


def find_step(wanted: Facts | None, written: Written) -> Step | None:
    """Return what to do next; None: the calendar is right. `wanted` None: the meeting is cancelled."""
    if written.told is None:
        return Create(written.number + 1, wanted) if wanted is not None else None
    if written.event_id is None:
        return Create(written.number, written.told)
    if wanted is None or wanted.mailbox != written.told.mailbox:
        return Cancel(written.event_id, written.told.mailbox)
    return Change(written.event_id, written.told, wanted) if wanted != written.told else None


def begin(written: Written, step: Step) -> Written:
    """Return what to keep before a step is sent."""
    return Written(step.number, None, step.facts) if isinstance(step, Create) else written


def finish(written: Written, step: Step, outcome: Done | Gone) -> Written:
    """Return what to keep after an answer. Without an answer, nothing changes and the step is sent again.

    An event that is gone when it should change is to be decided by the firm's rule: until then nothing is written.
    """
    match step, outcome:
        case Create(), Done():
            return written._replace(event_id=outcome.event_id)
        case Change(), Done():
            return written._replace(told=step.facts)
        case _:  # cancelled, or gone
            return Written(written.number)
