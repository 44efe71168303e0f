"""Errors of the events."""

from uuid import UUID

from meetdeck.platform.errors import Conflict, Fault, Gone, Invalid, NotFound
from meetdeck.platform.phrases import phrase


class EventsGone(Gone):
    """Events after a cursor are no longer kept: some were missed."""

    code = "events_gone"

    def __init__(self) -> None:
        detail = (
            "The events after this cursor are no longer kept, so you missed some: read the resources that you need "
            "again, then continue from `after=latest`, or leave `after` out to get all kept events."
        )
        super().__init__(detail, faults=(Fault("/query/after", "Too old."),))


class WebhookNotFound(NotFound):
    """No webhook of the tenant has this id."""

    code = "webhook_not_found"

    def __init__(self, webhook_id: UUID) -> None:
        super().__init__(phrase("There is no webhook {webhook_id}.", webhook_id=webhook_id))


class InvalidWebhook(Invalid):
    """A webhook with an address that may not be called."""

    code = "invalid_webhook"

    def __init__(self, reason: str) -> None:
        super().__init__(phrase("url: {reason}", reason=reason), faults=(Fault("/url", reason),))


class TooManyWebhooks(Conflict):
    """The tenant already has the maximum number of webhooks."""

    code = "too_many_webhooks"

    def __init__(self, most: int) -> None:
        super().__init__(
            phrase("There are already {most} webhooks, the maximum. Delete one that is not used.", most=most)
        )


class WebhookInactive(Conflict):
    """Events cannot be replayed to an inactive webhook."""

    code = "webhook_inactive"

    def __init__(self, webhook_id: UUID) -> None:
        super().__init__(
            phrase(
                "The webhook {webhook_id} is not active, so nothing is sent to it. PATCH its `active` first.",
                webhook_id=webhook_id,
            )
        )


class EventNotFound(NotFound):
    """No stored event has this id."""

    code = "event_not_found"

    def __init__(self, event_id: UUID) -> None:
        super().__init__(phrase("There is no event {event_id}, or it is no longer kept.", event_id=event_id))
