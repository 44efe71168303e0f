"""The name of each type of event that a webhook can be sent, in words."""

from collections.abc import Mapping
from typing import Final

from meetdeck.pages.texts import mark
from meetdeck.platform.changes import EventType

EVENT_WORDS: Final[Mapping[str, str]] = {
    EventType.MEETING_CREATED: mark("A meeting was booked"),
    EventType.MEETING_CHANGED: mark("A meeting's details changed"),
    EventType.MEETING_MOVED: mark("A meeting's time, people or room changed"),
    EventType.MEETING_CANCELLED: mark("A meeting was cancelled"),
    EventType.MEETING_ERASED: mark("A meeting's personal data was erased"),
    EventType.CALENDAR_DIFFERS: mark("An advisor moved or deleted a meeting in their own calendar"),
    EventType.ATTENDEE_REPLIED: mark("An attendee answered an invitation"),
    EventType.DOCUMENTS_READY: mark("A meeting's documents were created"),
    EventType.DOCUMENTS_FAILED: mark("A meeting's documents could not be created"),
    EventType.RESERVATION_CREATED: mark("A time was put on hold"),
    EventType.RESERVATION_RENEWED: mark("A hold was extended"),
    EventType.RESERVATION_REPLACED: mark("A hold was moved to another time"),
    EventType.RESERVATION_EXPIRED: mark("A hold ended without a booking"),
    EventType.WISH_OFFERED: mark("A customer on the waiting list was offered a time"),
    EventType.TEMPLATE_UPLOADED: mark("A template was uploaded"),
    EventType.TEMPLATE_CHANGED: mark("A template's labels changed"),
    EventType.TEMPLATE_DELETED: mark("A template was deleted"),
    EventType.CONTENT_CREATED: mark("A file was stored"),
    EventType.CONFIGURATION_CHANGED: mark("A setting was created, changed, deleted or imported"),
    EventType.CALENDAR_FAILED: mark("A connected calendar can no longer be read"),
    EventType.CALENDAR_RECOVERED: mark("A connected calendar can be read again"),
    EventType.WEBHOOK_FAILING: mark("A webhook has failed for an hour"),
}
