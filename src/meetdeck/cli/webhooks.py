"""Webhooks on the command line: `meetdeck webhook list | replay`."""

from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

from cyclopts import App, Parameter

from meetdeck.cli.installation import run_on_database
from meetdeck.cli.output import print_json, print_table, show_moment
from meetdeck.cli.parameters import Flag, show_examples
from meetdeck.platform.changes import name_operator, write_entries
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.process import clock
from meetdeck.platform.settings import Settings

if TYPE_CHECKING:
    from meetdeck.events.webhooks.schemas import Replayed, Webhook

webhook_app = App(name="webhook", help="Webhooks: the addresses to which a tenant's events are sent.")


@webhook_app.command(
    name="list",
    help_epilogue=show_examples(
        "meetdeck webhook list", "meetdeck webhook list --tenant 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --json"
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
    help_epilogue=show_examples(
        "meetdeck webhook replay 0b0e2e5c-2f0a-4c55-9d0e-3f5f6c1d2a77 --from 2026-03-01T00:00:00Z --types 'meeting.*'",
        "meetdeck webhook replay 0b0e2e5c-2f0a-4c55-9d0e-3f5f6c1d2a77 --event 5c2a77e8-6d0f-4c39-9d38-1d2f2a1b7c55",
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


async def _list(database: Database, tenant_id: UUID | None) -> list[tuple[UUID, str, "Webhook"]]:
    from meetdeck.administration.tenants.service import tenants
    from meetdeck.events.webhooks.store import webhooks

    found: list[tuple[UUID, str, Webhook]] = []
    for tenant in await tenants.choose_tenants(database, tenant_id):
        async with database.transaction(tenant.tenant_id) as connection:
            found += [(tenant.tenant_id, tenant.name, webhook) for webhook in await webhooks.list_webhooks(connection)]
    return found


async def _replay(database: Database, settings: Settings, webhook_id: UUID, given: dict[str, Any]) -> "Replayed":
    from meetdeck.events.errors import WebhookNotFound
    from meetdeck.events.webhooks.schemas import ReplayEvents
    from meetdeck.events.webhooks.service import deliveries, webhooks
    from meetdeck.events.webhooks.store.webhooks import identify_webhook
    from meetdeck.platform.values import read_builtins

    del settings
    body = read_builtins({name: value for name, value in given.items() if value is not None}, ReplayEvents)
    async with database.outside_tenants() as connection:
        tenant_id = await identify_webhook(connection, webhook_id)
    if tenant_id is None:
        raise WebhookNotFound(webhook_id)
    now = clock.now()

    async def work(connection: Connection) -> "Replayed":
        webhook = await webhooks.get_webhook(connection, webhook_id, for_update=True)
        replayed = await deliveries.replay(connection, webhook, body, now)
        await write_entries(
            connection, name_operator("webhook replay"), now, [deliveries.describe_replay(webhook, body)]
        )
        return replayed

    return await database.run(tenant_id, work)
