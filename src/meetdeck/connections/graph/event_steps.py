"""How one meeting gets exactly one event in a calendar, whatever is lost on the way; pure.

Each creation has a number, kept before it is sent, and Graph makes one event for a `transactionId`. So a creation
without an answer is sent again, also when the meeting is cancelled meanwhile: only its answer tells which event to
cancel. What an event says is certain only when Graph has answered: until then it is written again.
"""

from datetime import datetime
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID

import msgspec

_DIGEST_BYTES = 16


class Guest(NamedTuple):
    """Somebody or a room that is invited."""

    email: str
    name: str
    is_room: bool = False


class Facts(NamedTuple):
    """The content of a meeting's event, and the mailbox that it is written into."""

    mailbox: str
    starts_at: datetime
    ends_at: datetime
    subject: str = ""
    place: str = ""
    guests: tuple[Guest, ...] = ()
    is_online: bool = False
    """Whether it has a Teams meeting."""

    def tell(self) -> "Told":
        """Return what is kept of it: no names, no addresses of guests."""
        digest = sha256(msgspec.json.encode(self)).digest()[:_DIGEST_BYTES]
        return Told(self.mailbox, self.starts_at, self.ends_at, digest)


class Told(NamedTuple):
    """The state of an event: its mailbox and times, and a digest of all its content."""

    mailbox: str
    starts_at: datetime
    ends_at: datetime
    digest: bytes


class Written(NamedTuple):
    """The last known state of a meeting's event.

    `number` counts creations. `told` is what the event says, or a creation that waits for its answer. `event_id` None
    with `told`: the creation was begun, and its answer is not known. `is_unsure`: the event perhaps says something
    else, or is gone.
    """

    number: int = 0
    event_id: str | None = None
    told: Told | None = None
    is_unsure: bool = False

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
    """Change an event's time, place, subject or guests; never its text, which would end a Teams meeting."""

    event_id: str
    facts: Facts


class Cancel(NamedTuple):
    """Cancel an event."""

    event_id: str
    mailbox: str


Step = Create | Change | Cancel


class NotThere(NamedTuple):
    """The answer that an event is not there any more."""


class Done(NamedTuple):
    """The answer that a step is done; `event_id`: of the event."""

    event_id: str


def find_step(wanted: Facts | None, written: Written) -> Step | None:
    """Return what to do next; None: the calendar is right. `wanted` None: the meeting is cancelled."""
    told = written.told
    if told is None:
        return Create(written.number + 1, wanted) if wanted is not None else None
    if written.event_id is None:
        if wanted is not None and wanted.mailbox == told.mailbox:
            return Create(written.number, wanted)
        # Only to learn its id: nobody is invited to what is cancelled next.
        return Create(written.number, Facts(told.mailbox, told.starts_at, told.ends_at))
    if wanted is None or wanted.mailbox != told.mailbox:
        return Cancel(written.event_id, told.mailbox)
    return Change(written.event_id, wanted) if written.is_unsure or wanted.tell() != told else None


def begin(written: Written, step: Step) -> Written:
    """Return what to keep before a step is sent."""
    if not isinstance(step, Create):
        return written._replace(is_unsure=True)
    told = step.facts.tell()
    is_other = written.is_open and (written.is_unsure or written.told != told)
    return Written(step.number, None, told, is_other)


def finish(written: Written, step: Step, outcome: Done | NotThere) -> Written:
    """Return what to keep after an answer. Without an answer, nothing changes and the step is sent again.

    An event that is gone when it should change is made anew under another number.
    """
    match step, outcome:
        case Create(), Done():
            return written._replace(event_id=outcome.event_id)
        case Change(), Done():
            return written._replace(told=step.facts.tell(), is_unsure=False)
        case _:  # cancelled, or gone
            return Written(written.number)
