"""Webhooks and deliveries: the resources, their bodies and queries (docs/events.md#webhooks)."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from meetdeck.platform.database import PageQuery
from meetdeck.platform.values import AnyCase, Moment

TEST_TYPE = "webhook.test"
"""The type of a test event, which stands in no feed."""

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
    """A way of signing of the specification: HMAC-SHA256 with a shared secret, or ed25519 with a key pair."""

    V1 = "v1"
    V1A = "v1a"


class TestEventData(msgspec.Struct, frozen=True):
    """The data of a test event."""

    id: UUID
    """The webhook."""


class WebhookContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The members of a webhook that can be changed."""

    url: Address
    """Where events are sent by POST."""
    types: Types = []
    """The types that are sent; none: all."""
    description: Description = ""
    """Its purpose."""
    active: bool = True
    """Whether events are sent; false: those that happen meanwhile are not kept for it, but can be replayed."""


class CreateWebhook(WebhookContent, frozen=True, rename="camel", kw_only=True):
    """POST /events/webhooks."""

    signature: Signature = Signature.V1
    """How events are signed; it stays so."""


class Webhook(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A receiver of events."""

    id: UUID
    """The webhook's id; it never changes."""
    url: str
    """Where events are sent by POST."""
    types: list[str]
    """The types that are sent; none: all."""
    description: str
    """Its purpose; may be empty."""
    active: bool
    """Whether events are sent; a 410 of the receiver makes it false."""
    signature: Signature
    """How events are signed."""
    created_at: datetime
    """When it was made; events from then on are sent."""
    failing_since: datetime | None
    """The first try that failed since one was delivered; null: the last one was delivered."""
    public_key: str | None
    """The newest public key of `v1a` (`whpk_…`), by which receivers verify; null of `v1`."""


class NewWebhook(Webhook, frozen=True, rename="camel", kw_only=True):
    """A webhook with a new secret."""

    secret: str | UnsetType = UNSET
    """The secret of `v1` (`whsec_…`), by which receivers verify: nobody can read it again."""

    @property
    def without_secret(self) -> Webhook:
        """Return the webhook as reading it answers."""
        return Webhook(**{name: getattr(self, name) for name in Webhook.__struct_fields__})


class DeliveryStatus(AnyCase):
    """The outcome of a try."""

    WAITING = "Waiting"
    """It is still to be made."""
    DELIVERED = "Delivered"
    """The receiver answered 2xx."""
    FAILED = "Failed"
    """It did not; `nextAttemptAt` is the next try."""
    ENDED = "Ended"
    """There is none more: the receiver is gone (410), the webhook is not active, or the event is not kept any more."""


class Delivery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A try to deliver an event."""

    id: UUID
    """The try's id."""
    event_id: UUID
    """The event's id, which is the `webhook-id`: the same for all its tries."""
    type: str
    """The event's type."""
    attempt: int
    """Which try it is, from 1."""
    at: datetime
    """When it was made; while it waits, when it will be."""
    status: DeliveryStatus
    """The outcome."""
    answer_status: int | None
    """The receiver's status; null: it did not answer."""
    answer_body: str | None
    """The begin of the receiver's answer."""
    problem: str | None
    """Why there was no answer, or no try."""
    next_attempt_at: datetime | None
    """When the next try is made; null: there is none more."""


class DeliveriesQuery(PageQuery, frozen=True, rename="camel", kw_only=True):
    """GET /events/webhooks/{id}/deliveries."""

    status: Annotated[list[DeliveryStatus], Meta(description="Only attempts with this outcome.")] = msgspec.field(
        default_factory=list
    )


class ReplayEvents(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST /events/webhooks/{id}/replay: one event, or those of a time; local times are in UTC."""

    event_id: UUID | None = None
    """One event; without it, those of a time."""
    from_: Moment | None = msgspec.field(default=None, name="from")
    """Events that happened from this moment on."""
    to: Moment | None = None
    """Events that happened before this moment; now, when not given."""
    types: Types | None = None
    """Only these types; the webhook's, when not given."""


class Replayed(msgspec.Struct, frozen=True):
    """The events that are sent again."""

    events: int
    """How many events."""


class TestSent(msgspec.Struct, frozen=True, rename="camel"):
    """A test event under way."""

    event_id: UUID
    """Its id, by which its deliveries are found."""
