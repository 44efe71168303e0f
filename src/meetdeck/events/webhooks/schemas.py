"""Webhooks and deliveries: the resources, their bodies and queries (docs/webhooks.md)."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from meetdeck.platform.database import PageQuery
from meetdeck.platform.values import AnyCase, Moment

TEST_TYPE = "webhook.test"
"""The type of a test event, which is not in any feed."""

Address = Annotated[
    str,
    Meta(
        description="The address that events are sent to by POST: https, and reachable from the Internet.",
        examples=["https://crm.example.com/meetdeck"],
    ),
]
Types = Annotated[
    list[str],
    Meta(max_length=50, description="The types to send; `meeting.*` is every type of meetings. None: all."),
]
Description = Annotated[str, Meta(max_length=500)]


class Signature(AnyCase):
    """A signature scheme of the specification: HMAC-SHA256 with a shared secret, or ed25519 with a key pair."""

    V1 = "v1"
    V1A = "v1a"


class TestEventData(msgspec.Struct, frozen=True):
    """The data of a test event."""

    id: UUID
    """The webhook."""


class WebhookContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The members of a webhook that can be changed."""

    url: Address
    """The address to which events are sent by POST."""
    types: Types = []
    """The types that are sent; empty: all."""
    description: Description = ""
    """Its purpose."""
    active: bool = True
    """True if events are sent. While it is false, events are not queued for it, but can be replayed later."""


class CreateWebhook(WebhookContent, frozen=True, rename="camel", kw_only=True):
    """POST /events/webhooks."""

    signature: Signature = Signature.V1
    """The signature scheme of events; it cannot be changed."""


class Webhook(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A receiver of events."""

    id: UUID
    """The webhook's id; it never changes."""
    url: str
    """The address to which events are sent by POST."""
    types: list[str]
    """The types that are sent; empty: all."""
    description: str
    """Its purpose; may be empty."""
    active: bool
    """True if events are sent. If the receiver answers 410, it is set to false."""
    signature: Signature
    """The signature scheme of events."""
    created_at: datetime
    """When it was created; it gets events from then on."""
    failing_since: datetime | None
    """The first failed attempt since the last successful delivery; null: the last delivery succeeded."""
    public_key: str | None
    """The newest public key of `v1a` (`whpk_…`), with which receivers verify; null for `v1`."""


class NewWebhook(Webhook, frozen=True, rename="camel", kw_only=True):
    """A webhook with a new secret."""

    secret: str | UnsetType = UNSET
    """The secret of `v1` (`whsec_…`), with which receivers verify: it cannot be read again."""

    @property
    def without_secret(self) -> Webhook:
        """Return the webhook without its secret, as the API answers it."""
        return Webhook(**{name: getattr(self, name) for name in Webhook.__struct_fields__})


class DeliveryStatus(AnyCase):
    """The outcome of an attempt."""

    WAITING = "Waiting"
    """It has not been made yet."""
    DELIVERED = "Delivered"
    """The receiver answered 2xx."""
    FAILED = "Failed"
    """The receiver did not; `nextAttemptAt` is the next attempt."""
    ENDED = "Ended"
    """There are no more attempts: the receiver is gone (410), the webhook inactive, or the event no longer kept."""


class Delivery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An attempt to deliver an event."""

    id: UUID
    """The attempt's id."""
    event_id: UUID
    """The event's id, which is the `webhook-id`: the same for all its attempts."""
    type: str
    """The event's type; `webhook.test` for a test event."""
    example_of: str | None
    """The type that a test event is an example of, which is sent as its type; null: none."""
    attempt: int
    """The number of the attempt, from 1."""
    at: datetime
    """When it was made; while it waits, when it is due."""
    status: DeliveryStatus
    """The outcome."""
    answer_status: int | None
    """The receiver's status; null: it did not answer."""
    answer_body: str | None
    """The beginning of the receiver's answer."""
    problem: str | None
    """The reason that there was no answer, or no attempt."""
    next_attempt_at: datetime | None
    """The time of the next attempt; null: there are no more."""


class DeliveriesQuery(PageQuery, frozen=True, rename="camel", kw_only=True):
    """GET /events/webhooks/{id}/deliveries."""

    status: Annotated[list[DeliveryStatus], Meta(description="Only attempts with this outcome.")] = msgspec.field(
        default_factory=list
    )


class ReplayEvents(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST /events/webhooks/{id}/replay: one event, or those of a period; local times are in UTC."""

    event_id: UUID | None = None
    """A single event; without it, those of a period."""
    from_: Moment | None = msgspec.field(default=None, name="from")
    """Only events from this moment on."""
    to: Moment | None = None
    """Only events before this moment; default: now."""
    types: Types | None = None
    """Only these types; default: the webhook's types."""


class Replayed(msgspec.Struct, frozen=True):
    """The number of events that are sent again."""

    events: int
    """The number of events."""


class SendTest(msgspec.Struct, frozen=True, rename="camel"):
    """POST /events/webhooks/{id}/test."""

    type: str = TEST_TYPE
    """The type to send an example of, such as `meeting.created`; the webhook need not subscribe to it."""


class TestSent(msgspec.Struct, frozen=True, rename="camel"):
    """A test event that is being sent."""

    event_id: UUID
    """Its id, by which its deliveries are found."""
