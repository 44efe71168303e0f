"""Subscription keys: `meetdeck key create | list | rotate | revoke`."""

from typing import TYPE_CHECKING
from uuid import UUID

from cyclopts import App

from meetdeck.cli.installation import run_on_database
from meetdeck.cli.output import confirm, print_json, print_table, show_moment
from meetdeck.cli.parameters import Flag, show_examples
from meetdeck.platform.changes import name_operator
from meetdeck.platform.database import Database
from meetdeck.platform.process import clock

if TYPE_CHECKING:
    from meetdeck.administration.keys.schemas import Key, NewKey

key_app = App(name="key", help="Subscription keys, which a tenant's callers send with their token.")


@key_app.command(
    help_epilogue=show_examples(
        'meetdeck key create --tenant 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --name "Booking site"',
        "meetdeck key create --tenant 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --name crm --json",
    )
)
def create(*, tenant: UUID, name: str, json: Flag = False) -> None:
    """Create a subscription key and show it once: only its hash is stored.

    Parameters
    ----------
    tenant
        The tenant's id.
    name
        The system that uses it; two keys with one name can be live at a time.
    json
        Print {keyId, name, subscriptionKey} as JSON.
    """
    from meetdeck.administration.keys import service

    actor = name_operator("key create")
    _print_new(
        run_on_database(lambda database, _: service.create_key(database, tenant, name, actor, clock.now())), json
    )


@key_app.command(
    name="list",
    help_epilogue=show_examples(
        "meetdeck key list", "meetdeck key list --tenant 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --json"
    ),
)
def list_(*, tenant: UUID | None = None, json: Flag = False) -> None:
    """List the keys of all tenants or of one: their last characters, and when they were created and last used.

    Parameters
    ----------
    tenant
        The tenant's id.
    json
        Print an array of {keyId, tenantId, tenant, name, ending, status, createdAt, lastUsedAt, revokedAt}.
    """
    from meetdeck.administration.keys import service

    found = run_on_database(lambda database, _: service.list_keys(database, tenant))
    if json:
        print_json(found)
        return
    print_table(
        ("Tenant", "Name", "Ends with", "Id", "Status", "Made (UTC)", "Last used"),
        [
            (
                key.tenant,
                key.name,
                key.ending,
                key.key_id,
                key.status,
                show_moment(key.created_at),
                show_moment(key.last_used_at),
            )
            for key in found
        ],
        empty="There are no keys. Create one with `meetdeck key create --tenant ID --name NAME`.",
    )


@key_app.command(help_epilogue=show_examples("meetdeck key rotate 0b0e2e5c-2f0a-4c55-9d0e-3f5f6c1d2a77"))
def rotate(key_id: UUID, /, *, json: Flag = False) -> None:
    """Create a new key with the same name and show it once; the old one works until it is revoked.

    Two keys with one name can be live at a time: give callers the new key, check with `key list` that the old one is no
    longer used, and revoke the old one.

    Parameters
    ----------
    key_id
        The id of the old key.
    json
        Print {keyId, name, subscriptionKey} of the new one as JSON.
    """
    from meetdeck.administration.keys import service

    actor = name_operator("key rotate")
    _print_new(run_on_database(lambda database, _: service.rotate_key(database, key_id, actor, clock.now())), json)
    if not json:
        print(f"The old one works until you revoke it: `meetdeck key revoke {key_id}`.")


@key_app.command(
    help_epilogue=show_examples(
        "meetdeck key revoke 0b0e2e5c-2f0a-4c55-9d0e-3f5f6c1d2a77",
        "meetdeck key revoke 0b0e2e5c-2f0a-4c55-9d0e-3f5f6c1d2a77 --yes --json",
    )
)
def revoke(key_id: UUID, /, *, yes: Flag = False, json: Flag = False) -> None:
    """Revoke a key: requests with it are refused everywhere within a minute.

    Parameters
    ----------
    key_id
        The key's id.
    yes
        Skip the confirmation.
    json
        Print the key as JSON, in the format of `key list --json`.
    """
    key = run_on_database(lambda database, _: _revoke(database, key_id, yes=yes))
    if json:
        print_json(key)
    else:
        print(
            f"The key {key.name} …{key.ending} of {key.tenant} was revoked. Requests with it are refused "
            "everywhere within a minute."
        )


async def _revoke(database: Database, key_id: UUID, *, yes: bool) -> "Key":
    from meetdeck.administration.keys import service

    key = await service.get_key(database, key_id)
    used = f"last used {show_moment(key.last_used_at)} UTC" if key.last_used_at else "never used"
    confirm(f"The key {key.name} …{key.ending} of {key.tenant}, {used}, will be revoked.", yes=yes)
    return await service.revoke_key(database, key_id, name_operator("key revoke"), clock.now())


def _print_new(key: "NewKey", json: bool) -> None:  # noqa: FBT001 - passed on
    if json:
        print_json(key)
        return
    print(key.subscription_key)
    print(f"This is the key {key.name}, with the id {key.key_id}. It is not shown again: store it with your secrets.")
