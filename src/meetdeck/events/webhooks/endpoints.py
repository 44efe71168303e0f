"""Webhooks' addresses, an extension in v3 only. All need the elevated role."""

from functools import partial
from typing import Annotated
from uuid import UUID

from litestar import Controller, Response, delete, get, patch, post
from litestar.params import PathParameter
from litestar.response import Stream

from meetdeck.events.webhooks.schemas import (
    CreateWebhook,
    DeliveriesQuery,
    Delivery,
    NewWebhook,
    Replayed,
    ReplayEvents,
    SendTest,
    TestSent,
    Webhook,
    WebhookContent,
)
from meetdeck.events.webhooks.service import deliveries
from meetdeck.events.webhooks.service import webhooks as service
from meetdeck.events.webhooks.service.webhooks import KIND, SecretKeeper
from meetdeck.events.webhooks.store import webhooks as store
from meetdeck.events.webhooks.store.deliveries import write_deliveries
from meetdeck.platform.database import Connection
from meetdeck.platform.http.answers import AnyRequest
from meetdeck.platform.http.calls import Call, CurrentCall, SavedResource, Service, answers, audits, observes
from meetdeck.platform.http.lists import answer_list, answer_page
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.outgoing import OutgoingClient
from meetdeck.platform.settings.outgoing_hosts import find_outgoing_hosts
from meetdeck.platform.values.patching import JsonPatch

_AREA = "events/webhooks"

WebhookId = Annotated[UUID, PathParameter(description="The webhook's `id`.")]

# The introduction of the API page.
_NEW_WEBHOOK = {
    "url": "https://crm.example.com/meetdeck",
    "types": ["meeting.*"],
    "description": "The CRM's calendar",
}
_OTHER_TYPES = [{"op": "replace", "path": "/types", "value": ["meeting.created", "meeting.cancelled"]}]
_AN_EXAMPLE = {"type": "meeting.created"}
_YESTERDAY = {"from": "2026-03-01T00:00:00Z", "to": "2026-03-02T00:00:00Z"}


class Webhooks(Controller):
    """The addresses to which events are sent."""

    path = "/webhooks"
    tags = ("Webhooks",)
    opt = audits(KIND) | observes("failingSince", "secret")

    @get(summary="List webhooks")
    async def list_webhooks(self, call: CurrentCall) -> list[Webhook]:
        """Return the webhooks, the oldest first, without their secrets. All operations here need the elevated role."""
        async with call.transaction() as connection:
            return await store.list_webhooks(connection)

    @get("/{webhook_id:uuid}", summary="Read a webhook")
    async def get_webhook(self, call: CurrentCall, webhook_id: WebhookId) -> Response[Webhook]:
        """Return a webhook; `failingSince` shows whether deliveries fail, and since when."""
        async with call.reading() as connection:
            return call.answer(await service.get_webhook(connection, webhook_id))

    @post(status_code=201, summary="Create a webhook", **accepts(body=CreateWebhook, example=_NEW_WEBHOOK))
    async def create_webhook(
        self, call: CurrentCall, payload: Body[CreateWebhook], outgoing: Service[OutgoingClient]
    ) -> Response[NewWebhook]:
        """Create a webhook, which gets all events from now on; its `secret` is shown only once.

        A webhook with the signature `v1a` has a `publicKey` instead.
        """
        async with call.reading() as connection:
            hosts = await find_outgoing_hosts(connection)
        await service.require_allowed(outgoing, payload.url, hosts)
        return await call.create(
            payload,
            _AREA,
            lambda connection: service.create_webhook(connection, payload, _keeper(call), call.now),
            shown=_hide_secret,
            sealed=True,
        )

    @patch("/{webhook_id:uuid}", summary="Change a webhook", **accepts(patch=WebhookContent, example=_OTHER_TYPES))
    async def update_webhook(
        self, call: CurrentCall, webhook_id: WebhookId, payload: Body[JsonPatch], outgoing: Service[OutgoingClient]
    ) -> Response[Webhook]:
        """Change a webhook by JSON Patch; waiting deliveries of a webhook that is made inactive are not sent."""
        async with call.reading() as connection:
            before, hosts = await service.get_webhook(connection, webhook_id), await find_outgoing_hosts(connection)
        after = service.patch_webhook(before, payload)
        if after.active or after.url != before.url:  # an inactive one is not called
            await service.require_allowed(outgoing, after.url, hosts)
        return await call.change(
            service.get_webhook,
            webhook_id,
            lambda connection, webhook: service.update_webhook(connection, outgoing, webhook, payload, call.now),
        )

    @delete("/{webhook_id:uuid}", summary="Delete a webhook")
    async def delete_webhook(self, call: CurrentCall, webhook_id: WebhookId) -> None:
        """Delete a webhook, with its secrets and deliveries."""
        await call.delete(service.get_webhook, webhook_id, service.delete_webhook)

    @post("/{webhook_id:uuid}/secrets", status_code=201, summary="Rotate a webhook's secret")
    async def rotate_webhook_secret(self, call: CurrentCall, webhook_id: WebhookId) -> Response[NewWebhook]:
        """Give a webhook a new secret, shown once; for 24 hours events are signed with the old secret, too."""

        async def rotate(connection: Connection) -> SavedResource:
            webhook = await service.rotate_secret(connection, webhook_id, _keeper(call), call.now)
            await call.audit(connection, service.describe_rotation(webhook.without_secret))
            return SavedResource(webhook, call.uri(_AREA, webhook_id))

        return await call.save(None, rotate, sealed=True)

    @post(
        "/{webhook_id:uuid}/test",
        status_code=202,
        summary="Send a test event",
        **accepts(body=SendTest, body_required=False, example=_AN_EXAMPLE),
    )
    async def test_webhook(self, call: CurrentCall, webhook_id: WebhookId, payload: Body[SendTest]) -> TestSent:
        """Send a test event, which is in no feed: `webhook.test`, or an example of any `type` with the member `test`.

        `deliveries` show the result.
        """

        async def send(connection: Connection) -> TestSent:
            webhook = await service.get_webhook(connection, webhook_id, for_update=True)
            return await deliveries.send_test(connection, webhook, call.now, payload.type)

        return await call.run(send)

    @get(
        "/{webhook_id:uuid}/deliveries",
        summary="List a webhook's deliveries",
        **accepts(query=DeliveriesQuery),
        **answers(stream_of=Delivery),
    )
    async def list_webhook_deliveries(
        self, call: CurrentCall, webhook_id: WebhookId, params: Query[DeliveriesQuery], request: AnyRequest
    ) -> Response[bytes] | Stream:
        """Return the attempts of a webhook, the newest first, including waiting ones; one row for each."""
        page = params.page
        async with call.reading() as connection:
            await service.get_webhook(connection, webhook_id)
        write = partial(write_deliveries, webhook_id=webhook_id, statuses=params.status, page=page)
        return await (answer_list(call, write) if page is None else answer_page(call, request, page, write))

    @post(
        "/{webhook_id:uuid}/replay",
        status_code=202,
        summary="Send events again",
        **accepts(body=ReplayEvents, example=_YESTERDAY),
    )
    async def replay_events(self, call: CurrentCall, webhook_id: WebhookId, payload: Body[ReplayEvents]) -> Replayed:
        """Send past events again with their original ids: those of a period, or a single one."""

        async def replay(connection: Connection) -> Replayed:
            webhook = await service.get_webhook(connection, webhook_id, for_update=True)
            replayed = await deliveries.replay(connection, webhook, payload, call.now)
            await call.audit(connection, deliveries.describe_replay(webhook, payload))
            return replayed

        return await call.run(replay)


def _keeper(call: Call) -> SecretKeeper:
    return SecretKeeper(call.encryption, call.principal.tenant_id)


def _hide_secret(webhook: NewWebhook) -> Webhook:
    return webhook.without_secret
