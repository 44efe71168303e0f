"""Clients and roles: `meetdeck client create | list | delete`, `meetdeck user create | roles`."""

from typing import TYPE_CHECKING, Annotated
from uuid import UUID

from cyclopts import App, Parameter

from meetdeck.cli.installation import run_on_database
from meetdeck.cli.output import confirm, print_json, print_table, show_moment
from meetdeck.cli.parameters import Flag, show_examples
from meetdeck.platform.changes import name_operator
from meetdeck.platform.database import Database
from meetdeck.platform.errors import SetupError
from meetdeck.platform.process import clock
from meetdeck.platform.settings import Settings, read_settings

if TYPE_CHECKING:
    from meetdeck.administration.clients.schemas import NewClient
    from meetdeck.administration.users.schemas import NewUser

client_app = App(name="client", help="Clients of the built-in token issuer (test environment).")
user_app = App(name="user", help="Users of the built-in token issuer (test environment), and the roles of all users.")

_MAY = {
    "employee": "Sees and books what employees do.",
    "manager": "Everything that an employee may do, also for others.",
    "configurator": "Everything that a manager may do, and change the configuration.",
    "admin": "Everything that a configurator may do; has the elevated role.",
    "elevated": "For programs: elevated operations, as the API page names them.",
}


@client_app.command(
    help_epilogue=show_examples(
        'meetdeck client create --tenant 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --name "Booking site"',
        "meetdeck client create --tenant 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --name setup --role elevated --json",
    )
)
def create(
    *,
    tenant: UUID,
    name: str,
    role: Annotated[tuple[str, ...], Parameter(negative="")] = (),
    json: Flag = False,
) -> None:
    """Create a client of the built-in token issuer and show its secret once: only its hash is stored.

    Parameters
    ----------
    tenant
        The tenant's id.
    name
        Its name, which says what uses it.
    role
        A role in its tokens; repeat the option for several. `meetdeck user roles` lists the roles.
    json
        Print {clientId, clientSecret} as JSON.
    """
    from meetdeck.administration.clients import service

    settings = _require_own_issuer("Clients are made")
    actor = name_operator("client create")

    async def make(database: Database, settings: Settings) -> "NewClient":
        roles = service.read_roles(role, settings.role_names)
        return await service.create_client(database, tenant, name, roles, actor, clock.now())

    client = run_on_database(make)
    if json:
        print_json(client)
        return
    print(f"client_id      {client.client_id}\nclient_secret  {client.client_secret}")
    print(f"The secret is not shown again. Tokens: POST {settings.base_url}/oauth/token (client credentials).")


@client_app.command(name="list", help_epilogue=show_examples("meetdeck client list"))
def list_(*, tenant: UUID | None = None, json: Flag = False) -> None:
    """List the clients of all tenants or of one.

    Parameters
    ----------
    tenant
        The tenant's id.
    json
        Print an array of {clientId, tenantId, tenant, name, roles, createdAt}.
    """
    from meetdeck.administration.clients import service

    _require_own_issuer("Clients are made")
    found = run_on_database(lambda database, _: service.list_clients(database, tenant))
    if json:
        print_json(found)
        return
    print_table(
        ("Tenant", "Name", "Client id", "Roles", "Made (UTC)"),
        [
            (each.tenant, each.name, each.client_id, ", ".join(each.roles), show_moment(each.created_at))
            for each in found
        ],
        empty="There are no clients. Create one with `meetdeck client create --tenant ID --name NAME`.",
    )


@client_app.command(help_epilogue=show_examples("meetdeck client delete booking-site-1f2e3d4c"))
def delete(client_id: str, /, *, yes: Flag = False, json: Flag = False) -> None:
    """Delete a client: it can no longer get tokens, and its current token expires within an hour.

    Parameters
    ----------
    client_id
        The client's id.
    yes
        Skip the confirmation.
    json
        Print the client as JSON.
    """
    from meetdeck.administration.clients import service

    _require_own_issuer("Clients are made")
    confirm(f"The client {client_id} will be deleted.", yes=yes)
    actor = name_operator("client delete")
    client = run_on_database(lambda database, _: service.delete_client(database, client_id, actor, clock.now()))
    if json:
        print_json(client)
    else:
        print(f"The client {client.name} of {client.tenant} was deleted. Its last token expires within an hour.")


@user_app.command(
    name="create",
    help_epilogue=show_examples(
        "meetdeck user create --tenant 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --name 'Anna Holm' --role admin "
        "--email anna@bank.example",
    ),
)
def create_user(
    *,
    tenant: UUID,
    name: str,
    email: str,
    role: Annotated[tuple[str, ...], Parameter(negative="")] = ("employee",),
    json: Flag = False,
) -> None:
    """Add a user of the built-in token issuer, who signs in to the console by choosing their name: it has no passwords.

    Parameters
    ----------
    tenant
        The tenant's id.
    name
        The person's name.
    email
        The person's e-mail address. With an employee's address, they find that employee's calendar as their own.
    role
        The person's role: employee, manager, configurator or admin. `meetdeck user roles` explains them.
    json
        Print {userId, tenantId, name, email, roles} as JSON.
    """
    from meetdeck.administration.clients.service import read_roles
    from meetdeck.administration.users.schemas import UserContent
    from meetdeck.administration.users.service import create_user as add

    settings = _require_own_issuer("People are added")
    actor = name_operator("user create")

    async def make(database: Database, settings: Settings) -> "NewUser":
        content = UserContent(name=name, email=email, roles=read_roles(role, settings.role_names))
        return await add(database, tenant, content, actor, clock.now())

    user = run_on_database(make)
    if json:
        print_json(user)
        return
    print(f"While `meetdeck serve` runs, {user.name} can sign in at {settings.base_url}/console by choosing the name.")


@user_app.command(
    help_epilogue=show_examples("meetdeck user roles", "MEETDECK_ROLE_ADMIN=it-admins meetdeck user roles")
)
def roles(*, json: Flag = False) -> None:
    """List the roles: their value in a token's roles claim, their setting, and their permissions.

    Parameters
    ----------
    json
        Print {claim, roles: [{role, value, setting, may}]} as JSON.
    """
    settings = read_settings()
    found = [
        {"role": role, "value": value, "setting": _name_setting(role), "may": _MAY[role]}
        for role, value in settings.role_names.by_role.items()
    ]
    if json:
        print_json({"claim": settings.claim_roles, "roles": found})
        return
    print_table(("Role", "Value of the claim", "Setting", "May"), [tuple(one.values()) for one in found], empty="")
    print(
        f"The claim is {settings.claim_roles} (MEETDECK_CLAIM_ROLES). Assign roles at the token issuer, "
        f"{settings.issuer or 'here the built-in one'}."
    )


def _name_setting(role: str) -> str:
    return "MEETDECK_ELEVATED_ROLE" if role == "elevated" else f"MEETDECK_ROLE_{role.upper()}"


def _require_own_issuer(done: str) -> Settings:
    """Return the settings of an installation that issues tokens itself. Raises SetupError: `done` happens elsewhere."""
    settings = read_settings()
    if settings.issuer is not None:
        raise SetupError(f"{done} at the token issuer, {settings.issuer}; the built-in one is not used here.")
    return settings
