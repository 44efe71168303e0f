"""The addresses of events, below `/events` in v3 only, and the webhooks that are sent, for its document."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from litestar import Controller

from meetdeck.events.feed.endpoints import Feed
from meetdeck.events.schemas import WHEN_SENT, ShownEvent
from meetdeck.events.webhooks.endpoints import Webhooks
from meetdeck.events.webhooks.schemas import TEST_TYPE, TestEventData, Webhook
from meetdeck.platform.changes import EventType
from meetdeck.platform.http.openapi import SentEvents
from meetdeck.platform.values import Version

EventData = Mapping[EventType, Sequence[type[msgspec.Struct]]]
"""The Structs that an event's data can be, by the event's type."""

_DATA: Final[dict[str, Sequence[type[Any]]]] = {
    EventType.WEBHOOK_FAILING.value: (Webhook,),
    TEST_TYPE: (TestEventData,),
}


def list_controllers(version: Version) -> list[type[Controller]]:
    """Return the addresses of one version."""
    return [Feed, Webhooks] if version is Version.V3 else []


def list_sent(*areas: EventData) -> SentEvents:
    """Return the webhooks that are sent, with the data that each area writes."""
    written = {one.value: structs for area in areas for one, structs in area.items()}
    return SentEvents(
        ShownEvent, WHEN_SENT | {TEST_TYPE: "A test event was requested. It is not in the feed."}, _DATA | written
    )
