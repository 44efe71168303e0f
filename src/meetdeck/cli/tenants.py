"""Tenants: `meetdeck tenant create | list | show | set | disable | enable | move | delete`."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Final
from uuid import UUID

from cyclopts import App, Parameter
from msgspec import UNSET, UnsetType

from meetdeck.cli.installation import run_on_database
from meetdeck.cli.moving import move
from meetdeck.cli.output import confirm, print_facts, print_json, print_table, show_bytes, show_moment
from meetdeck.cli.parameters import Flag, UsageError, show_examples
from meetdeck.platform.changes import name_operator
from meetdeck.platform.database import Database
from meetdeck.platform.process import clock
from meetdeck.platform.process.progress import show_progress
from meetdeck.platform.settings import Settings

if TYPE_CHECKING:
    from meetdeck.administration.tenants.schemas import DeletedTenant, Tenant

tenant_app = App(name="tenant", help="Tenants: the firms on this installation, each with its own data.")

_DEFAULT = "default"
_NONE = "none"
_OF_INSTALLATION: Final = " (as the installation has it)"


@tenant_app.command(
    help_epilogue=show_examples(
        'meetdeck tenant create "Nordlys Bank"',
        'meetdeck tenant create "Nordlys Bank" --id 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --json',
        'meetdeck tenant create "Nordlys Bank" --cell b',
    )
)
def create(name: str, /, *, id: UUID | None = None, cell: str | None = None, json: Flag = False) -> None:
    """Create a tenant.

    Parameters
    ----------
    name
        Its name.
    id
        Its id: the UUID in the tenant claim of its callers' tokens. Default: a new one.
    cell
        The cell in which it lives: a name of MEETDECK_CELLS. Default: the first database.
    json
        Print {tenantId, name} as JSON.
    """
    from meetdeck.administration.tenants.service import tenants

    actor = name_operator("tenant create")

    async def make(database: Database, settings: Settings) -> tuple["Tenant", Settings]:
        return await tenants.create_tenant(database, name, id, actor, clock.now(), cell=cell), settings

    tenant, settings = run_on_database(make)
    if json:
        print_json({"tenantId": tenant.tenant_id, "name": tenant.name})
        return
    print(f"The tenant {tenant.name} is {tenant.tenant_id}.")
    _print_next(tenant, settings)


@tenant_app.command(name="list", help_epilogue=show_examples("meetdeck tenant list", "meetdeck tenant list --json"))
def list_(*, json: Flag = False) -> None:
    """List the tenants by name.

    Parameters
    ----------
    json
        Print an array of tenants, each in the format of `tenant show --json`.
    """
    from meetdeck.administration.tenants.service import tenants

    found = run_on_database(lambda database, _: tenants.list_tenants(database))
    if json:
        print_json(found)
        return
    print_table(
        ("Name", "Id", "Status", "Made (UTC)", "Stored", "Templates", "Live keys", "Cell"),
        [
            (
                each.name,
                each.tenant_id,
                each.status,
                show_moment(each.created_at),
                _show(each.stored_bytes, show_bytes),
                _show(each.templates),
                _show(each.live_keys),
                each.cell if each.live_keys is not None else f"{each.cell} (away)",
            )
            for each in found
        ],
        empty="There are no tenants. Create one with `meetdeck tenant create NAME`.",
    )


@tenant_app.command(help_epilogue=show_examples("meetdeck tenant show 6f9619ff-8b86-4d01-b42d-00cf4fc964ff"))
def show(id: UUID, /, *, json: Flag = False) -> None:
    """Show a tenant, its settings and its usage of each quota.

    Parameters
    ----------
    id
        The tenant's id.
    json
        Print it as JSON. null is the installation's quota or period; a quota of 0 is not a limit.
    """
    from meetdeck.administration.tenants.service import tenants

    async def read(database: Database, settings: Settings) -> tuple["Tenant", Settings]:
        return await tenants.read_tenant(database, id), settings

    _print(*run_on_database(read), json=json)


@tenant_app.command(
    name="set",
    help_epilogue=show_examples(
        "meetdeck tenant set 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --locale da-DK --quota-bytes 53687091200",
        "meetdeck tenant set 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --quota-bytes default",
        "meetdeck tenant set 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --retention-days 730 --cpr-retention-days 7",
        "meetdeck tenant set 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --keep-meetings",
        "meetdeck tenant set 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --outgoing-hosts 'crm.bank.example,*.bank.example'",
    ),
)
def set_(  # noqa: PLR0913 - an option for each setting
    id: UUID,
    /,
    *,
    name: str | None = None,
    locale: str | None = None,
    quota_bytes: str | None = None,
    quota_templates: str | None = None,
    rate_limit: str | None = None,
    retention_days: str | None = None,
    cpr_retention_days: str | None = None,
    erase_meetings: Annotated[bool | None, Parameter(negative="--keep-meetings")] = None,
    event_days: str | None = None,
    outgoing_hosts: str | None = None,
    json: Flag = False,
) -> None:
    """Change a tenant's settings; options you leave out keep their value.

    Parameters
    ----------
    id
        The tenant's id.
    name
        Its name.
    locale
        The language of numbers and dates in its decks: en, da-DK …
    quota_bytes
        The most bytes that it may store; 0 for no limit, `default` for MEETDECK_QUOTA_BYTES.
    quota_templates
        The most templates that it may have; 0 for no limit, `default` for MEETDECK_QUOTA_TEMPLATES.
    rate_limit
        The most requests that each of its keys may send in a minute; 0 for no limit, `default` for MEETDECK_RATE_LIMIT.
    retention_days
        The days that a customer's personal data is kept after a meeting ends; `default` for MEETDECK_RETENTION_DAYS.
    cpr_retention_days
        The same for cpr, never longer than other data; `default` for MEETDECK_CPR_RETENTION_DAYS.
    erase_meetings
        Whether customers are removed from past meetings then. Cancelled meetings are deleted in any case.
    event_days
        The days that events stay in the feed, at least 7; `default` for MEETDECK_EVENT_DAYS.
    outgoing_hosts
        The hosts that its webhooks and data services may use, separated by commas; "*.bank.example" includes every
        subdomain; `none` for no host, `default` for MEETDECK_OUTGOING_HOSTS.
    json
        Print the tenant as JSON.
    """
    from meetdeck.administration.tenants.schemas import TenantSettings
    from meetdeck.administration.tenants.service import tenants

    wanted = TenantSettings(
        name=UNSET if name is None else name,
        locale=UNSET if locale is None else locale,
        quota_bytes=_read_number("--quota-bytes", quota_bytes),
        quota_templates=_read_number("--quota-templates", quota_templates),
        rate_limit=_read_number("--rate-limit", rate_limit),
        retention_days=_read_number("--retention-days", retention_days, zero="at once"),
        cpr_retention_days=_read_number("--cpr-retention-days", cpr_retention_days, zero="at once"),
        erases_meetings=UNSET if erase_meetings is None else erase_meetings,
        event_days=_read_number("--event-days", event_days),
        outgoing_hosts=_read_hosts(outgoing_hosts),
    )
    if wanted == TenantSettings():
        raise UsageError(
            "Name an option to change, for example --quota-bytes; `meetdeck tenant set --help` lists all options."
        )
    actor = name_operator("tenant set")

    async def change(database: Database, settings: Settings) -> tuple["Tenant", Settings]:
        return await tenants.change_tenant(database, id, wanted, actor, clock.now()), settings

    _print(*run_on_database(change), json=json)


@tenant_app.command(help_epilogue=show_examples("meetdeck tenant disable 6f9619ff-8b86-4d01-b42d-00cf4fc964ff"))
def disable(id: UUID, /, *, json: Flag = False) -> None:
    """Disable a tenant: within a minute, its callers are refused and its pages closed. Its data is kept.

    Parameters
    ----------
    id
        The tenant's id.
    json
        Print the tenant as JSON.
    """
    from meetdeck.administration.tenants.service import tenants

    actor = name_operator("tenant disable")
    tenant = run_on_database(lambda database, _: tenants.disable_tenant(database, id, actor, clock.now()))
    _print_tenant(tenant, f"{tenant.name} is disabled: within a minute its callers get 403 tenant_disabled.", json=json)


@tenant_app.command(help_epilogue=show_examples("meetdeck tenant enable 6f9619ff-8b86-4d01-b42d-00cf4fc964ff"))
def enable(id: UUID, /, *, json: Flag = False) -> None:
    """Enable a disabled tenant: its callers are served again everywhere within a minute.

    Parameters
    ----------
    id
        The tenant's id.
    json
        Print the tenant as JSON.
    """
    from meetdeck.administration.tenants.service import tenants

    actor = name_operator("tenant enable")
    tenant = run_on_database(lambda database, _: tenants.enable_tenant(database, id, actor, clock.now()))
    _print_tenant(tenant, f"{tenant.name} is enabled: within a minute its requests are accepted.", json=json)


tenant_app.command(
    move, help_epilogue=show_examples("meetdeck tenant move 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --to b")
)


@tenant_app.command(help_epilogue=show_examples("meetdeck tenant delete 6f9619ff-8b86-4d01-b42d-00cf4fc964ff"))
def delete(id: UUID, /, *, yes: Flag = False, json: Flag = False) -> None:
    """Delete a tenant with all its data and files; only a backup can restore them.

    On a terminal, it asks for the tenant's name. If it is interrupted, run it again.

    Parameters
    ----------
    id
        The tenant's id.
    yes
        Skip the confirmation.
    json
        Print what was deleted as JSON.
    """
    deleted = run_on_database(lambda database, settings: _delete(database, settings, id, yes=yes))
    if json:
        print_json(deleted)
        return
    files = f"{deleted.files:,} files of {show_bytes(deleted.file_bytes)}"
    print(f"{deleted.name} was deleted, with {sum(deleted.rows.values()):,} rows and {files}.")
    print_table(("Table", "Rows"), sorted(deleted.rows.items()), empty="It had no data.")


async def _delete(database: Database, settings: Settings, tenant_id: UUID, *, yes: bool) -> "DeletedTenant":
    from meetdeck.administration.tenants.service import deletion, tenants
    from meetdeck.installation import open_storage

    tenant = await tenants.read_tenant(database, tenant_id)
    confirm(f"All data and files of {tenant.name} will be deleted.", yes=yes, answer=tenant.name)
    storage = await open_storage(settings)
    actor = name_operator("tenant delete")
    with show_progress() as progress:
        return await deletion.delete_tenant(database, storage, tenant_id, actor, clock.now(), progress=progress)


def _print_next(tenant: "Tenant", settings: Settings) -> None:
    """Print the commands after which users can sign in to a new tenant, and programs can call it."""
    key = f"  meetdeck key create --tenant {tenant.tenant_id} --name site"
    if settings.issuer is not None:
        print(
            f"Give its people roles at the token issuer, {settings.issuer}, with this id in the claim "
            f"{settings.claim_tenant}; `meetdeck user roles` lists the roles. "
            f"They sign in on {settings.base_url}/console.\nPrograms that call the API need a key:\n{key}"
        )
        return
    person = "--name 'Anna Holm' --email anna@bank.example --role admin"
    print(
        f"Next, add a user, create a key for programs, and start the server:\n"
        f"  meetdeck user create --tenant {tenant.tenant_id} {person}\n{key}\n  meetdeck serve\n"
        f"Then open {settings.base_url}/console and choose the user's name."
    )


def _print(tenant: "Tenant", settings: Settings, *, json: bool) -> None:
    if json:
        print_json(tenant)
        return
    room = _name_quota(tenant.quota_bytes, settings.quota_bytes, show_bytes)
    templates = _name_quota(tenant.quota_templates, settings.quota_templates, "{:,}".format)
    print_facts(
        [
            ("Name", tenant.name),
            ("Id", tenant.tenant_id),
            ("Cell", tenant.cell),
            ("Status", f"{tenant.status} {show_moment(tenant.disabled_at)}".rstrip()),
            ("Made (UTC)", show_moment(tenant.created_at)),
            ("Locale", tenant.locale),
            ("Stored", f"{_show(tenant.stored_bytes, show_bytes)} {room}"),
            ("Templates", f"{_show(tenant.templates)} {templates}"),
            ("Requests", _name_rate(tenant.rate_limit, settings.rate_limit)),
            ("Live keys", _show(tenant.live_keys)),
            ("Customers' data", _describe_retention(tenant, settings)),
            ("Their cpr", _describe_cpr(tenant, settings)),
            ("Events", f"kept for {_name_days(tenant.event_days, settings.event_days)}"),
            ("May name the hosts", _name_hosts(tenant.outgoing_hosts, settings.outgoing_hosts)),
        ]
    )


def _show(number: int | None, show: Callable[[int], str] = "{:,}".format) -> str:
    return "-" if number is None else show(number)


def _describe_retention(tenant: "Tenant", settings: Settings) -> str:
    days = _name_days(tenant.retention_days, settings.retention_days)
    if tenant.erases_meetings:
        return f"erased {days} after a meeting's end"
    return f"kept, of meetings that took place; cancelled ones are deleted {days} after their end"


def _describe_cpr(tenant: "Tenant", settings: Settings) -> str:
    rest = settings.retention_days if tenant.retention_days is None else tenant.retention_days
    own = tenant.cpr_retention_days
    if (settings.cpr_retention_days if own is None else own) > rest:
        return f"erased {rest:,} days after a meeting's end, as the rest is"
    return f"erased {_name_days(own, settings.cpr_retention_days)} after a meeting's end"


def _name_days(own: int | None, of_installation: int) -> str:
    return f"{of_installation:,} days{_OF_INSTALLATION}" if own is None else f"{own:,} days"


def _print_tenant(tenant: "Tenant", sentence: str, *, json: bool) -> None:
    if json:
        print_json(tenant)
    else:
        print(sentence)


def _name_rate(own: int | None, of_installation: int) -> str:
    most = of_installation if own is None else own
    rate = f"at most {most:,} a minute for each key" if most else "no limit"
    return f"{rate}{_OF_INSTALLATION if own is None else ''}"


def _name_quota(own: int | None, of_installation: int, show: Callable[[int], str]) -> str:
    most = of_installation if own is None else own
    return f"of {show(most) if most else 'any number'}{_OF_INSTALLATION if own is None else ''}"


def _name_hosts(own: Sequence[str] | None, of_installation: Sequence[str] | None) -> str:
    hosts = of_installation if own is None else own
    named = "any public one" if hosts is None else ", ".join(hosts) or "none"
    return f"{named}{_OF_INSTALLATION if own is None else ''}"


def _read_hosts(text: str | None) -> list[str] | UnsetType | None:
    if text is None:
        return UNSET
    if text.strip().lower() == _DEFAULT:
        return None
    hosts = [host.strip() for host in text.split(",") if host.strip()]
    return [] if [host.lower() for host in hosts] == [_NONE] else hosts


def _read_number(option: str, text: str | None, *, zero: str = "no limit") -> int | UnsetType | None:
    if text is None:
        return UNSET
    if text.lower() == _DEFAULT:
        return None
    try:
        return int(text)
    except ValueError:
        raise UsageError(f"{option} must be a whole number, 0 for {zero}, or {_DEFAULT}; not {text!r}.") from None
