"""The outbox: an event for each change, in the transaction of the change (docs/decisions/0109).

The rules: docs/events.md. `events/` places events in a tenant's feed and passes them to subscribers.
"""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

import msgspec

from meetdeck.platform.database import Connection, load_queries
from meetdeck.platform.values import write_json

queries = load_queries(__file__, "outbox.sql")


class EventType(StrEnum):
    """A kind of change, by the name that receivers see."""

    MEETING_CREATED = "meeting.created"
    MEETING_CHANGED = "meeting.changed"
    MEETING_MOVED = "meeting.moved"
    MEETING_CANCELLED = "meeting.cancelled"
    MEETING_ERASED = "meeting.erased"
    CALENDAR_DIFFERS = "meeting.calendarDiffers"
    ATTENDEE_REPLIED = "meeting.attendeeReplied"
    DOCUMENTS_READY = "meeting.documentsReady"
    DOCUMENTS_FAILED = "meeting.documentsFailed"
    RESERVATION_CREATED = "reservation.created"
    RESERVATION_RENEWED = "reservation.renewed"
    RESERVATION_REPLACED = "reservation.replaced"
    RESERVATION_EXPIRED = "reservation.expired"
    WISH_OFFERED = "wish.offered"
    TEMPLATE_UPLOADED = "template.uploaded"
    TEMPLATE_CHANGED = "template.changed"
    TEMPLATE_DELETED = "template.deleted"
    CONTENT_CREATED = "content.created"
    CONFIGURATION_CHANGED = "configuration.changed"
    CALENDAR_FAILED = "calendar.failed"
    CALENDAR_RECOVERED = "calendar.recovered"
    WEBHOOK_FAILING = "webhook.failing"


class NewEvent(msgspec.Struct, frozen=True):
    """An event to be written."""

    type: EventType
    subject: str
    """The last steps of the resource's address: `meetings/{id}`."""
    happened_at: datetime
    data: bytes | None = None
    """The resource as v3 reads it, or read it before it was deleted, as JSON; None: nothing can be read."""
    sequence: int | None = None
    """Higher with each event of the subject. None: taken when it is written, so the subject must be locked."""


class Event(msgspec.Struct, frozen=True):
    """An event in a tenant's feed."""

    id: UUID
    position: int
    type: str
    time: datetime
    subject: str
    sequence: int
    data: msgspec.Raw
    """The resource as v3 reads it, or read it before it was deleted; null when nothing is kept of it."""


async def write_event(connection: Connection, event: NewEvent) -> None:
    """Insert an event into the outbox, in the transaction of its change."""
    await queries.add_event(connection, **write_row(event))


def write_row(event: NewEvent, prefix: str = "") -> dict[str, Any]:
    """Return the arguments of an event's columns, for a statement that inserts it together with other rows."""
    return {
        f"{prefix}type": event.type.value,
        f"{prefix}subject": event.subject,
        f"{prefix}happened_at": event.happened_at,
        f"{prefix}data": event.data.decode() if event.data is not None else None,
        f"{prefix}sequence": event.sequence,
    }


def write_data(resource: object) -> bytes:
    """Return a resource, as v3 shows it, as an event's data."""
    return write_json(resource)


async def forget_data(connection: Connection, subjects: Sequence[str]) -> None:
    """Erase the data of all events of some subjects."""
    await queries.forget_data(connection, subjects=subjects)


async def drop_unplaced(connection: Connection, subjects: Sequence[str]) -> None:
    """Delete the events of some subjects that are not in the feed yet, so that no subscriber receives them."""
    await queries.drop_unplaced(connection, subjects=subjects)
