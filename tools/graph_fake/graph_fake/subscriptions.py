"""Change notifications: subscriptions to mailboxes, and notifications that may be late, duplicate or lost."""

import asyncio
import random
from datetime import datetime, timedelta
from typing import Final

import httpx
import msgspec

from graph_fake.clock import Clock
from graph_fake.directory import Person, Tenant, make_id
from graph_fake.events import Event
from graph_fake.problems import GraphProblem
from graph_fake.times import read_moment, stamp

_LONGEST: Final = timedelta(minutes=10_080)
_MOST_OF_A_MAILBOX: Final = 1_000
_SECONDS: Final = 10.0  # for an answer to a validation or a notification


class SubscriptionDraft(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """The body of a subscription's POST."""

    change_type: str
    notification_url: str
    resource: str
    expiration_date_time: str
    client_state: str | None = None
    lifecycle_notification_url: str | None = None
    latest_supported_tls_version: str | None = None


class Subscription(msgspec.Struct, rename="camel", kw_only=True):
    """A subscription: its address is notified of a mailbox's changes until it expires."""

    id: str
    tenant_id: str
    application_id: str
    person_id: str
    resource: str
    changes: frozenset[str]
    notification_url: str
    expires_at: datetime
    client_state: str | None = None

    def to_resource(self) -> dict[str, object]:
        """Return the subscription as Graph shows it."""
        return {
            "id": self.id,
            "resource": self.resource,
            "changeType": ",".join(sorted(self.changes)),
            "notificationUrl": self.notification_url,
            "clientState": self.client_state,
            "applicationId": self.application_id,
            "expirationDateTime": stamp(self.expires_at),
        }


class Delivery(msgspec.Struct, rename="camel", kw_only=True):
    """The delivery of notifications: the share that is lost, how often each is sent, and how late."""

    lost: float = 0.0
    copies: int = 1
    seconds: float = 0.0


class Subscriptions:
    """Stores subscriptions and notifies their addresses of changes."""

    def __init__(self, clock: Clock) -> None:
        self.delivery = Delivery()
        self.kept: dict[str, Subscription] = {}
        self.told = 0
        self._clock = clock
        self._dice = random.Random(1)  # noqa: S311 - which ones are lost is not a secret
        self._tasks: set[asyncio.Task[None]] = set()
        self._made = 0

    async def add(self, tenant: Tenant, application_id: str, person: Person, draft: SubscriptionDraft) -> Subscription:
        """Return a new subscription, after its address has repeated a token. Raises GraphProblem."""
        if sum(each.person_id == person.id for each in self._list_living()) >= _MOST_OF_A_MAILBOX:
            raise GraphProblem(403, "ErrorQuotaExceeded", "The mailbox has too many subscriptions.")
        self._made += 1
        subscription = Subscription(
            id=make_id(tenant.id, "subscription", str(self._made)),
            tenant_id=tenant.id,
            application_id=application_id,
            person_id=person.id,
            resource=draft.resource,
            changes=frozenset(each.strip() for each in draft.change_type.split(",")),
            notification_url=draft.notification_url,
            expires_at=self.read_expiry(draft.expiration_date_time),
            client_state=draft.client_state,
        )
        await _validate(draft.notification_url)
        self.kept[subscription.id] = subscription
        return subscription

    def read_expiry(self, text: str) -> datetime:
        """Return the end of a subscription. Raises GraphProblem for one that is past or too far."""
        expires_at, now = read_moment(text), self._clock.now()
        if not now < expires_at <= now + _LONGEST:
            raise GraphProblem(
                400, "ExtensionError", "Subscription expiration can only be 10080 minutes in the future."
            )
        return expires_at

    def get(self, id: str, application_id: str) -> Subscription:  # noqa: A002 - its name everywhere
        """Return a living subscription of an application. Raises GraphProblem."""
        found = next((each for each in self._list_living() if each.id == id), None)
        if found is None or found.application_id != application_id:
            raise GraphProblem(404, "ResourceNotFound", "The object was not found.")
        return found

    def list_of(self, application_id: str) -> list[Subscription]:
        """Return the living subscriptions of an application."""
        return [each for each in self._list_living() if each.application_id == application_id]

    def notify(self, tenant: Tenant, person: Person, event: Event, change: str) -> None:
        """Notify the addresses that subscribed to a mailbox's change, in the background."""
        for each in self._list_living():
            if each.tenant_id == tenant.id and each.person_id == person.id and change in each.changes:
                for _ in range(self.delivery.copies):
                    if self._dice.random() >= self.delivery.lost:
                        task = asyncio.get_running_loop().create_task(self._deliver(each, person, event, change))
                        self._tasks.add(task)
                        task.add_done_callback(self._tasks.discard)

    async def finish(self) -> None:
        """Wait until all notifications are sent."""
        while self._tasks:
            await asyncio.gather(*self._tasks)

    async def _deliver(self, subscription: Subscription, person: Person, event: Event, change: str) -> None:
        await asyncio.sleep(self.delivery.seconds)
        note = {
            "subscriptionId": subscription.id,
            "subscriptionExpirationDateTime": stamp(subscription.expires_at),
            "changeType": change,
            "resource": f"Users/{person.id}/Events/{event.id}",
            "resourceData": {"@odata.type": "#Microsoft.Graph.Event", "@odata.etag": event.etag, "id": event.id},
            "clientState": subscription.client_state,
            "tenantId": subscription.tenant_id,
        }
        async with httpx.AsyncClient(timeout=_SECONDS) as client:
            try:
                await client.post(subscription.notification_url, json={"value": [note]})
                self.told += 1
            except httpx.HTTPError:
                return

    def _list_living(self) -> list[Subscription]:
        now = self._clock.now()
        return [each for each in self.kept.values() if each.expires_at > now]


async def _validate(address: str) -> None:
    """Raise GraphProblem unless an address repeats a token, as text, in time."""
    token = make_id(address, "validation")
    async with httpx.AsyncClient(timeout=_SECONDS) as client:
        try:
            answer = await client.post(address, params={"validationToken": token})
        except httpx.HTTPError as error:
            raise GraphProblem(400, "ValidationError", f"Subscription validation request failed: {error}") from None
    if not answer.is_success or answer.text != token:
        raise GraphProblem(
            400, "ValidationError", "Subscription validation request failed. The token was not repeated."
        )
