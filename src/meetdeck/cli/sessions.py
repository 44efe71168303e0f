"""Sessions at the console: `meetdeck session list | end`."""

from typing import TYPE_CHECKING
from uuid import UUID

from cyclopts import App

from meetdeck.cli.installation import run_on_database
from meetdeck.cli.output import confirm, print_json, print_table, show_moment
from meetdeck.cli.parameters import Flag, UsageError, show_examples
from meetdeck.platform.changes import name_operator
from meetdeck.platform.database import Database
from meetdeck.platform.errors import SetupError
from meetdeck.platform.process import clock

if TYPE_CHECKING:
    from meetdeck.pages.console.kit import LiveSession, SessionFilter

session_app = App(name="session", help="Console sessions: list the people who are signed in, and sign them out.")


@session_app.command(
    name="list",
    help_epilogue=show_examples(
        "meetdeck session list --tenant 6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
        "meetdeck session list --tenant 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --json",
    ),
)
def list_(*, tenant: UUID | None = None, user: str | None = None, json: Flag = False) -> None:
    """List the active sessions of all tenants or of one.

    Parameters
    ----------
    tenant
        The tenant's id.
    user
        The id or e-mail address of a person.
    json
        Print an array of {sessionId, tenantId, tenant, userId, name, email, roles, createdAt, lastUsedAt, signedInAt,
        rolesCheckedAt, endsAt}.
    """
    from meetdeck.pages.console.kit import administration

    choice = administration.SessionFilter(tenant_id=tenant, user=user)
    found = run_on_database(lambda database, _: administration.list_sessions(database, choice, clock.now()))
    if json:
        print_json(found)
        return
    print_table(
        ("Tenant", "Name", "E-mail", "Id", "Roles", "Signed in (UTC)", "Last used", "Ends"),
        [
            (
                one.tenant,
                one.name,
                one.email,
                one.session_id,
                ", ".join(one.roles),
                show_moment(one.signed_in_at or one.created_at),
                show_moment(one.last_used_at),
                show_moment(one.ends_at),
            )
            for one in found
        ],
        empty="No one is signed in.",
    )


@session_app.command(
    help_epilogue=show_examples(
        "meetdeck session end 0b0e2e5c-2f0a-4c55-9d0e-3f5f6c1d2a77 --yes",
        "meetdeck session end --user anna@nordlys.example --yes",
        "meetdeck session end --tenant 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --yes --json",
    )
)
def end(
    session_id: UUID | None = None,
    /,
    *,
    user: str | None = None,
    tenant: UUID | None = None,
    yes: Flag = False,
    json: Flag = False,
) -> None:
    """End a session, all sessions of a person, or all of a tenant: they are signed out at once.

    They can sign in again unless the provider refuses them.

    Parameters
    ----------
    session_id
        The session's id, as `session list` shows it.
    user
        The id or e-mail address of the person whose sessions end.
    tenant
        The id of the tenant whose sessions end.
    yes
        Skip the confirmation.
    json
        Print the ended sessions as JSON, in the format of `session list --json`.
    """
    from meetdeck.pages.console.kit import SessionFilter

    if session_id is None and user is None and tenant is None:
        raise UsageError("Give a session, --user or --tenant; `meetdeck session list` shows the active sessions.")
    choice = SessionFilter(session_id, tenant, user)
    ended = run_on_database(lambda database, _: _end(database, choice, yes=yes))
    if json:
        print_json(ended)
    else:
        print(f"{_count(ended)} ended.")


async def _end(database: Database, choice: "SessionFilter", *, yes: bool) -> "list[LiveSession]":
    from meetdeck.pages.console.kit import administration

    found = await administration.list_sessions(database, choice, clock.now())
    if choice.session_id is not None and not found:
        raise SetupError(
            f"There is no session {choice.session_id}. It may have ended; `meetdeck session list` shows active ones."
        )
    people = ", ".join(dict.fromkeys(one.email or one.name for one in found))
    if found:
        confirm(f"{_count(found)} of {people} will be ended.", yes=yes)
    return await administration.end_sessions(database, choice, name_operator("session end"), clock.now())


def _count(sessions: "list[LiveSession]") -> str:
    return "1 session" if len(sessions) == 1 else f"{len(sessions):,} sessions"
