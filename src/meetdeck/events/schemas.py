"""An event as receivers get it: CloudEvents' names (docs/events.md#the-event)."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from meetdeck.platform.outbox import Event


class ShownEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A change, as the feed and webhooks show it."""

    specversion: str
    """The version of CloudEvents: 1.0."""
    id: UUID
    """The event's id: the same however often it comes."""
    source: str
    """The firm: `/tenants/{id}`."""
    type: str
    """What happened: `meeting.created`."""
    time: datetime
    """When it happened."""
    subject: str
    """The resource, by the last steps of its address: `meetings/{id}`."""
    sequence: int
    """Higher with each event of a subject: whoever keeps the highest has the resource as it is."""
    data: Any
    """The resource as v3 reads it, or as it was when it is gone; null when nothing is kept of it."""


def show_event(event: Event, tenant_id: UUID) -> ShownEvent:
    """Return an event of a tenant as receivers get it."""
    return ShownEvent(
        specversion="1.0",
        id=event.id,
        source=f"/tenants/{tenant_id}",
        type=event.type,
        time=event.time,
        subject=event.subject,
        sequence=event.sequence,
        data=event.data,
    )
