"""The demo firms' users at the built-in token issuer: staff, one for each role, and customers."""

from meetdeck.demo.firm import Firm, write_email
from meetdeck.platform.database import Connection
from meetdeck.platform.identity import User, UserKind
from meetdeck.platform.settings import RoleNames

_STORE = """
insert into oauth_user (tenant_id, user_name, user_id, kind, name, email, roles, position)
values (current_tenant(), $1, $2, $3, $4, $5, $6, $7)
on conflict (tenant_id, user_name) do update
set (user_id, kind, name, email, roles, position)
    = row (excluded.user_id, excluded.kind, excluded.name, excluded.email, excluded.roles, excluded.position)
"""


def list_people(firm: Firm, names: RoleNames) -> list[User]:
    """Return a firm's users: the staff from the lowest role up, then the customers."""
    staff = [_make_user(firm, UserKind.STAFF, one.name, firm.domain, (getattr(names, one.role),)) for one in firm.staff]
    return staff + [_make_user(firm, UserKind.CUSTOMER, name, f"customers.{firm.domain}") for name in firm.customers]


async def store_people(connection: Connection, people: list[User]) -> None:
    """Store users in their present state; `connection` is in their tenant's transaction."""
    await connection.executemany(
        _STORE,
        [
            (one.user_name, one.user_id, one.kind, one.name, one.email, list(one.roles), position)
            for position, one in enumerate(people)
        ],
    )


def _make_user(firm: Firm, kind: UserKind, name: str, domain: str, roles: tuple[str, ...] = ()) -> User:
    is_advisor = kind is UserKind.STAFF and name in {advisor.name for advisor in firm.advisors}
    email = write_email(name, domain)
    return User(
        tenant_id=firm.tenant_id,
        tenant=firm.name,
        user_name=email,
        user_id=firm.id_of("employee" if is_advisor else "user", name),
        kind=kind,
        name=name,
        email=email,
        roles=roles,
    )
