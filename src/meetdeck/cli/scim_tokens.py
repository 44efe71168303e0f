"""SCIM tokens: `meetdeck scim-token create | list | revoke`."""

from typing import TYPE_CHECKING
from uuid import UUID

import msgspec
from cyclopts import App

from meetdeck.cli.installation import run_on_database
from meetdeck.cli.output import confirm, print_json, print_table, show_moment
from meetdeck.cli.parameters import Flag, show_examples
from meetdeck.platform.changes import name_operator
from meetdeck.platform.database import Database
from meetdeck.platform.process import clock

if TYPE_CHECKING:
    from meetdeck.administration.scim_tokens.schemas import Token

scim_token_app = App(
    name="scim-token", help="SCIM tokens, with which a tenant's directory (Entra, Okta) updates people and groups."
)


class _PrintedToken(msgspec.Struct, frozen=True, rename="camel"):
    """A new token as `--json` prints it."""

    token_id: UUID
    token: str


@scim_token_app.command(
    help_epilogue=show_examples(
        "meetdeck scim-token create --tenant 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --name Entra",
        "meetdeck scim-token create --tenant 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --name Okta --json",
    )
)
def create(*, tenant: UUID, name: str, json: Flag = False) -> None:
    """Create a SCIM token and show it once: only its hash is stored.

    Parameters
    ----------
    tenant
        The tenant's id.
    name
        The directory that uses it; two tokens with one name can be live at a time.
    json
        Print {tokenId, token} as JSON.
    """
    from meetdeck.administration.scim_tokens import service

    actor = name_operator("scim-token create")
    token = run_on_database(lambda database, _: service.create_token(database, tenant, name, actor, clock.now()))
    if json:
        print_json(_PrintedToken(token.token_id, token.token))
        return
    print(token.token)
    print(
        f"This is the SCIM token {token.name}, whose id is {token.token_id}. It is not shown again: give it to the "
        "directory as its secret token, with the address https://YOUR-HOST/scim/v2."
    )


@scim_token_app.command(
    name="list",
    help_epilogue=show_examples(
        "meetdeck scim-token list", "meetdeck scim-token list --tenant 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --json"
    ),
)
def list_(*, tenant: UUID | None = None, json: Flag = False) -> None:
    """List the SCIM tokens of all tenants or of one: their last characters, and when they were created and last used.

    Parameters
    ----------
    tenant
        The tenant's id.
    json
        Print an array of {tokenId, tenantId, tenant, name, ending, status, createdAt, lastUsedAt, revokedAt}.
    """
    from meetdeck.administration.scim_tokens import service

    found = run_on_database(lambda database, _: service.list_tokens(database, tenant))
    if json:
        print_json(found)
        return
    print_table(
        ("Tenant", "Name", "Ends with", "Id", "Status", "Made (UTC)", "Last used"),
        [
            (
                token.tenant,
                token.name,
                token.ending,
                token.token_id,
                token.status,
                show_moment(token.created_at),
                show_moment(token.last_used_at),
            )
            for token in found
        ],
        empty="There are no SCIM tokens. Create one with `meetdeck scim-token create --tenant ID --name NAME`.",
    )


@scim_token_app.command(
    help_epilogue=show_examples(
        "meetdeck scim-token revoke 0b0e2e5c-2f0a-4c55-9d0e-3f5f6c1d2a77",
        "meetdeck scim-token revoke 0b0e2e5c-2f0a-4c55-9d0e-3f5f6c1d2a77 --yes --json",
    )
)
def revoke(token_id: UUID, /, *, yes: Flag = False, json: Flag = False) -> None:
    """Revoke a SCIM token: requests with it are refused everywhere within a minute.

    After the last live token is revoked, people and groups from the directory can be edited in the console again.

    Parameters
    ----------
    token_id
        The token's id.
    yes
        Skip the confirmation.
    json
        Print the token as JSON, in the format of `scim-token list --json`.
    """
    token = run_on_database(lambda database, _: _revoke(database, token_id, yes=yes))
    if json:
        print_json(token)
    else:
        print(
            f"The SCIM token {token.name} …{token.ending} of {token.tenant} was revoked. Requests with it are "
            "refused everywhere within a minute."
        )


async def _revoke(database: Database, token_id: UUID, *, yes: bool) -> "Token":
    from meetdeck.administration.scim_tokens import service

    token = await service.get_token(database, token_id)
    used = f"last used {show_moment(token.last_used_at)} UTC" if token.last_used_at else "never used"
    confirm(f"The SCIM token {token.name} …{token.ending} of {token.tenant}, {used}, will be revoked.", yes=yes)
    return await service.revoke_token(database, token_id, name_operator("scim-token revoke"), clock.now())
