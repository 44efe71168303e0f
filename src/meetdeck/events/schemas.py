"""An event as receivers get it, with CloudEvents' names (docs/events.md#the-event)."""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from meetdeck.platform.changes import Event, EventType

WHEN_SENT: Final[dict[str, str]] = {
    EventType.MEETING_CREATED: "A meeting is booked.",
    EventType.MEETING_CHANGED: "A meeting changed in another way than `meeting.moved` reports.",
    EventType.MEETING_MOVED: "A meeting's time, advisor, additional employees or room changed.",
    EventType.MEETING_CANCELLED: "A meeting is cancelled.",
    EventType.MEETING_ERASED: "A meeting's personal data was erased, also from its earlier events.",
    EventType.ATTENDEE_REPLIED: "An attendee of a meeting answered its invitation.",
    EventType.CALENDAR_DIFFERS: "A meeting's event was moved or deleted in the advisor's calendar.",
    EventType.DOCUMENTS_READY: "A meeting's documents were created, or created again.",
    EventType.DOCUMENTS_FAILED: "A meeting's documents could not be created; tell the advisor.",
    EventType.RESERVATION_CREATED: "A time is held.",
    EventType.RESERVATION_RENEWED: "A hold is extended by five minutes.",
    EventType.RESERVATION_REPLACED: "A reservation's token now holds another time.",
    EventType.RESERVATION_EXPIRED: "A hold ended without a booking: its time ran out, or it was given back.",
    EventType.WISH_OFFERED: "A time is held for a customer on the waiting list.",
    EventType.TEMPLATE_UPLOADED: "A template, or a new revision of one, was uploaded.",
    EventType.TEMPLATE_CHANGED: "A template's labels changed.",
    EventType.TEMPLATE_DELETED: "A template is deleted.",
    EventType.CONTENT_CREATED: "A file is stored.",
    EventType.CONFIGURATION_CHANGED: "A resource of the configuration is created, changed, deleted or imported.",
    EventType.CALENDAR_FAILED: "A connected calendar can no longer be read.",
    EventType.CALENDAR_RECOVERED: "A calendar that could not be read can be read again.",
    EventType.WEBHOOK_FAILING: "Nothing could be delivered to a webhook for an hour, or its receiver is gone.",
}
"""When events of each type are written, for the API document."""


class ShownEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A change, as the feed and webhooks show it."""

    specversion: str
    """The version of CloudEvents: 1.0."""
    id: UUID
    """The event's id, the same in every delivery."""
    source: str
    """The firm: `/tenants/{id}`."""
    type: str
    """The type of the event: `meeting.created`."""
    time: datetime
    """When it happened."""
    subject: str
    """The resource, by the last steps of its address: `meetings/{id}`."""
    sequence: int
    """Higher with each event of a subject: the highest shows the current state."""
    data: Any
    """The resource as v3 shows it, or as it was before it was deleted; null if its data is no longer kept."""
    test: bool | UnsetType = UNSET
    """True: an example that was sent as a test, and nothing happened. Events in the feed do not have it."""


def show_event(event: Event, tenant_id: UUID) -> ShownEvent:
    """Return a tenant's event as receivers get it."""
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
