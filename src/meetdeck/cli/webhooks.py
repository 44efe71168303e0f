"""Webhooks on the command line: `meetdeck webhooks list | test | replay | listen | trigger`."""

import os
import sys
import tempfile
from http import HTTPStatus
from json import dumps, loads
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID, uuid4

from cyclopts import App, Parameter

from meetdeck.cli.installation import run_on_database
from meetdeck.cli.output import print_json, print_table, show_moment
from meetdeck.cli.parameters import Flag, UsageError, show_examples
from meetdeck.platform.changes import name_operator, write_entries
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.errors import SetupError
from meetdeck.platform.process import clock
from meetdeck.platform.secrets import write_secret_file
from meetdeck.platform.settings import ServiceAccess, Settings, read_service_access, read_settings

if TYPE_CHECKING:
    from meetdeck.events.listening.forwarding import Forwarded
    from meetdeck.events.webhooks.schemas import Replayed, TestSent, Webhook

_STATE = Path(tempfile.gettempdir()) / f"meetdeck-listen-{os.getuid()}.json"
"""The address to which the running `listen` forwards events, with its secret."""

webhook_app = App(name=("webhooks", "webhook"), help="Webhooks: the addresses to which a tenant's events are sent.")


@webhook_app.command(
    name="list",
    help_epilogue=show_examples(
        "meetdeck webhooks list", "meetdeck webhooks list --tenant 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --json"
    ),
)
def list_(*, tenant: UUID | None = None, json: Flag = False) -> None:
    """List the webhooks of all tenants or of one, and since when they have been failing.

    Parameters
    ----------
    tenant
        The tenant's id.
    json
        Print an array of {tenantId, tenant, webhook}, the webhook as in GET /api/v3/events/webhooks/{id}.
    """
    found = run_on_database(lambda database, _: _list(database, tenant))
    if json:
        print_json([{"tenantId": tenant_id, "tenant": name, "webhook": webhook} for tenant_id, name, webhook in found])
        return
    print_table(
        ("Tenant", "Id", "Address", "Types", "Active", "Failing since (UTC)"),
        [
            (
                name,
                webhook.id,
                webhook.url,
                ", ".join(webhook.types) or "all",
                "yes" if webhook.active else "no",
                show_moment(webhook.failing_since),
            )
            for _, name, webhook in found
        ],
        empty="There are no webhooks.",
    )


@webhook_app.command(
    name="test",
    help_epilogue=show_examples(
        "meetdeck webhooks test 0b0e2e5c-2f0a-4c55-9d0e-3f5f6c1d2a77",
        "meetdeck webhooks test 0b0e2e5c-2f0a-4c55-9d0e-3f5f6c1d2a77 --type meeting.created",
    ),
)
def send_test(
    id: UUID, /, *, type_: Annotated[str | None, Parameter(name="--type")] = None, json: Flag = False
) -> None:
    """Send a test event to a webhook, signed and delivered like all others.

    Parameters
    ----------
    id
        The webhook's id.
    type_
        Send an example of this type, such as meeting.created; default: webhook.test.
    json
        Print {eventId}, the id of the event.
    """
    wanted = _read_type(type_) if type_ is not None else None
    sent = run_on_database(lambda database, _: _send_test(database, id, wanted))
    if json:
        print_json(sent)
    else:
        print(f"The worker sends test event {sent.event_id}; the webhook's `deliveries` show the result.")


@webhook_app.command(
    help_epilogue=show_examples(
        "meetdeck webhooks replay 0b0e2e5c-2f0a-4c55-9d0e-3f5f6c1d2a77 --from 2026-03-01T00:00:00Z --types 'meeting.*'",
        "meetdeck webhooks replay 0b0e2e5c-2f0a-4c55-9d0e-3f5f6c1d2a77 --event 5c2a77e8-6d0f-4c39-9d38-1d2f2a1b7c55",
    )
)
def replay(
    id: UUID,
    /,
    *,
    from_: Annotated[str | None, Parameter(name="--from")] = None,
    to: str | None = None,
    types: str | None = None,
    event: UUID | None = None,
    json: Flag = False,
) -> None:
    """Resend past events to a webhook with their original ids: those of a period, or a single one.

    Parameters
    ----------
    id
        The webhook's id.
    from_
        Only events from this time on, such as 2026-03-01T00:00:00Z.
    to
        Only events before this time; default: now.
    types
        Only these types, separated by commas, such as meeting.*; default: the webhook's types.
    event
        The id of a single event.
    json
        Print {events}, the number of events that are resent.
    """
    body: dict[str, Any] = {"from": from_, "to": to, "eventId": str(event) if event is not None else None}
    if types is not None:
        body["types"] = [each.strip() for each in types.split(",")]
    replayed = run_on_database(lambda database, settings: _replay(database, settings, id, body))
    if json:
        print_json(replayed)
    else:
        print(f"{replayed.events:,} events will be resent by the worker; the webhook's `deliveries` show the progress.")


@webhook_app.command(
    help_epilogue=show_examples("meetdeck webhooks listen --forward-to http://localhost:9360/hooks --types 'meeting.*'")
)
def listen(
    *, forward_to: str, types: list[str] | None = None, url: str | None = None, secret: str | None = None
) -> None:
    """Forward events to an address on this machine as they happen, signed like webhooks, until Ctrl+C.

    Credentials are those of a client with the elevated role: MEETDECK_KEY, and MEETDECK_TOKEN, or MEETDECK_CLIENT_ID
    and MEETDECK_CLIENT_SECRET. Without them, those of the demo data are used.

    Parameters
    ----------
    forward_to
        The address, such as http://localhost:9360/hooks.
    types
        Only these types, such as meeting.*; default: all.
    url
        The service's address; default MEETDECK_URL, else http://127.0.0.1:8080.
    secret
        The secret that signs the events; default: a new one, which is printed.
    """
    from meetdeck.events.listening.following import Follower
    from meetdeck.events.listening.forwarding import Forwarder

    signed_with = secret or _make_secret()
    follower = Follower(_find_access(url), on_wait=lambda reason: print(f"{reason}. Trying again …", file=sys.stderr))
    forwarder = Forwarder(forward_to, signed_with, clock.now)
    end = follower.find_end()
    write_secret_file(_STATE, dumps({"url": forward_to, "secret": signed_with}))
    print(f"Events are forwarded to {forward_to}, signed with {signed_with}. Press Ctrl+C to stop it.", flush=True)
    try:
        for event in follower.follow(end, types or []):
            _print_forwarded(forwarder.send(event))
    except KeyboardInterrupt:
        pass
    finally:
        _STATE.unlink(missing_ok=True)
        forwarder.close()


@webhook_app.command(
    help_epilogue=show_examples(
        "meetdeck webhooks trigger meeting.created",
        "meetdeck webhooks trigger meeting.moved --forward-to http://localhost:9360/hooks",
    )
)
def trigger(event_type: str, /, *, forward_to: str | None = None, secret: str | None = None) -> None:
    """Send an example event of a type to where `listen` forwards, or to an address; `test` sends one to a webhook.

    Exit status 1 unless the receiver accepts it.

    Parameters
    ----------
    event_type
        The type, such as meeting.created.
    forward_to
        The address; default: that of the running `meetdeck webhooks listen`.
    secret
        The secret that signs the event; default: that of `listen`, else a new one, which is printed.
    """
    listening = _read_listening() if forward_to is None else {"url": forward_to, "secret": secret or _make_secret()}

    from meetdeck.events.examples import show_example
    from meetdeck.events.listening.forwarding import Forwarder
    from meetdeck.sent_events import EXAMPLES

    wanted, made_up = _read_type(event_type), uuid4()
    if secret is None and forward_to is not None:
        print(f"Signed with {listening['secret']}.")
    data = EXAMPLES.get(wanted) or {"id": str(made_up)}
    event = show_example(wanted, data, made_up, uuid4(), clock.now())
    forwarder = Forwarder(listening["url"], secret or listening["secret"], clock.now)
    outcome = forwarder.send(event)
    forwarder.close()
    _print_forwarded(outcome)
    if outcome.status is None or outcome.status >= HTTPStatus.MULTIPLE_CHOICES:
        sys.exit(1)


def _read_listening() -> dict[str, str]:
    """Return where the running `listen` forwards. Raises SetupError when none runs."""
    try:
        if _STATE.stat().st_uid == os.getuid():
            return loads(_STATE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        pass
    raise SetupError("Nothing listens: start `meetdeck webhooks listen --forward-to URL`, or send --forward-to here.")


def _find_access(url: str | None) -> ServiceAccess:
    """Return the access of the environment, else that of the demo data's elevated client."""
    from meetdeck.demo.credentials import read_credentials

    access = read_service_access(url=url)
    if access.key is not None:
        return access
    demo = read_credentials(read_settings().data_dir)
    if demo is None:
        return access
    tenant = demo.tenants[0]
    return read_service_access(
        url=url,
        key=tenant.subscription_key,
        client_id=tenant.clients[1].client_id,
        client_secret=tenant.clients[1].client_secret,
    )


def _read_type(given: str) -> str:
    """Return a type that exists. Raises UsageError."""
    from meetdeck.events.examples import describe_unknown_type
    from meetdeck.events.webhooks.schemas import TEST_TYPE
    from meetdeck.platform.changes import EventType

    if given not in {*EventType, TEST_TYPE}:
        raise UsageError(describe_unknown_type(given))
    return given


def _make_secret() -> str:
    from meetdeck.events.webhooks.schemas import Signature
    from meetdeck.events.webhooks.service.signing import make_secret

    return make_secret(Signature.V1).secret


def _print_forwarded(forwarded: "Forwarded") -> None:
    event = forwarded.event
    told = forwarded.problem if forwarded.status is None else str(forwarded.status)
    print(f"{show_moment(event.time)}  {event.type}  {event.subject}  {told}", flush=True)


async def _list(database: Database, tenant_id: UUID | None) -> list[tuple[UUID, str, "Webhook"]]:
    from meetdeck.administration.tenants.service import tenants
    from meetdeck.events.webhooks.store import webhooks

    found: list[tuple[UUID, str, Webhook]] = []
    for tenant in await tenants.choose_tenants(database, tenant_id):
        async with database.transaction(tenant.tenant_id) as connection:
            found += [(tenant.tenant_id, tenant.name, webhook) for webhook in await webhooks.list_webhooks(connection)]
    return found


async def _send_test(database: Database, webhook_id: UUID, event_type: str | None) -> "TestSent":
    from meetdeck.events.webhooks.schemas import TEST_TYPE
    from meetdeck.events.webhooks.service import deliveries, webhooks

    async def work(connection: Connection) -> "TestSent":
        webhook = await webhooks.get_webhook(connection, webhook_id, for_update=True)
        return await deliveries.send_test(connection, webhook, clock.now(), event_type or TEST_TYPE)

    return await database.run(await _find_tenant(database, webhook_id), work)


async def _find_tenant(database: Database, webhook_id: UUID) -> UUID:
    """Return the tenant of a webhook. Raises WebhookNotFound."""
    from meetdeck.events.errors import WebhookNotFound
    from meetdeck.events.webhooks.store.webhooks import identify_webhook

    tenant_id = await database.find(lambda connection: identify_webhook(connection, webhook_id))
    if tenant_id is None:
        raise WebhookNotFound(webhook_id)
    return tenant_id


async def _replay(database: Database, settings: Settings, webhook_id: UUID, given: dict[str, Any]) -> "Replayed":
    from meetdeck.events.webhooks.schemas import ReplayEvents
    from meetdeck.events.webhooks.service import deliveries, webhooks
    from meetdeck.platform.values import read_builtins

    del settings
    body = read_builtins({name: value for name, value in given.items() if value is not None}, ReplayEvents)
    tenant_id = await _find_tenant(database, webhook_id)
    now = clock.now()

    async def work(connection: Connection) -> "Replayed":
        webhook = await webhooks.get_webhook(connection, webhook_id, for_update=True)
        replayed = await deliveries.replay(connection, webhook, body, now)
        await write_entries(
            connection, name_operator("webhook replay"), now, [deliveries.describe_replay(webhook, body)]
        )
        return replayed

    return await database.run(tenant_id, work)
