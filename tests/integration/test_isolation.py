"""Only a role that row-level security holds to one tenant may open the database, in a schema in which it is on."""

import secrets
from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest
import pytest_asyncio

from meetdeck.demo.firm import NORDLYS
from meetdeck.embedded_postgres import Endpoint
from meetdeck.platform.database import Address, Connection, Database, DatabaseUnavailable
from meetdeck.platform.errors import SetupError

pytestmark = pytest.mark.own_database

OWNER, APP = "meetdeck_owner", "meetdeck_app"


@pytest_asyncio.fixture
async def admin(postgres: Endpoint, addresses: tuple[Address, Address]) -> AsyncGenerator[Connection]:
    """Lend a superuser's connection to the test's own database."""
    connection = await replace(postgres.superuser, database=addresses[0].database).connect()
    yield connection
    await connection.close()


class Roles:
    """Makes roles of the test's own, which are gone after it."""

    def __init__(self, admin: Connection, address: Address) -> None:
        self._admin = admin
        self._address = address
        self.made: list[str] = []

    async def make(self, attributes: str = "login", *statements: str) -> Address:
        """Make a role, and do what `statements` say of it, called `{role}` in them; return how it connects."""
        name, password = f"test_{secrets.token_hex(6)}", secrets.token_hex(8)
        await self._admin.execute(f"create role {name} {attributes} password '{password}'")
        self.made.append(name)
        for statement in ("grant connect on database {database} to {role}", "grant {app} to {role}", *statements):
            await self._admin.execute(statement.format(role=name, app=APP, database=self._address.database))
        return replace(self._address, user=name, password=password)


@pytest_asyncio.fixture
async def roles(admin: Connection, addresses: tuple[Address, Address]) -> AsyncGenerator[Roles]:
    roles = Roles(admin, addresses[1])
    yield roles
    for name in reversed(roles.made):
        await admin.execute(f"reassign owned by {name} to {OWNER}")
        await admin.execute(f"drop owned by {name}")
        await admin.execute(f"drop role {name}")


async def explain_refusal(address: Address, *, owner_may_serve: bool) -> str | None:
    try:
        async with (
            Database(address, connections=1, owner_may_serve=owner_may_serve) as database,
            database.transaction(NORDLYS.tenant_id) as connection,
        ):
            await connection.fetchval("select count(*) from tenant")
    except SetupError as error:
        return str(error)
    return None


ALWAYS_REFUSED: dict[str, tuple[str, list[str]]] = {
    "a superuser": ("login superuser", []),
    "a role with BYPASSRLS": ("login bypassrls", []),
    "a role that may read what is replicated": ("login replication", []),
    "a role that may become a superuser": ("login", ["grant postgres to {role}"]),
    "a role that may become one, and does not by itself": ("login noinherit", ["grant postgres to {role}"]),
    "a role that is another at first": ("login superuser", ["alter role {role} set role = {app}"]),
    "a role that reads the server's files": ("login", ["grant pg_read_server_files to {role}"]),
}
REFUSED_IN_PRODUCTION: dict[str, tuple[str, list[str]]] = {
    "a role that may become the owner": ("login", [f"grant {OWNER} to {{role}}"]),
    "a role that may change roles": ("login createrole", []),
    "the owner of a table": ("login", ["alter table room owner to {role}"]),
    "the owner of the database": ("login", ["alter database {database} owner to {role}"]),
    "the owner of the schema": ("login", ["alter schema public owner to {role}"]),
    "the owner of the function that says whose rows are shown": (
        "login",
        ["alter function current_tenant owner to {role}"],
    ),
}


@pytest.mark.parametrize("kind", ALWAYS_REFUSED)
@pytest.mark.parametrize("in_test", [False, True])
async def test_nobody_serves_as(kind: str, in_test: bool, roles: Roles) -> None:  # noqa: FBT001 - a parameter
    attributes, statements = ALWAYS_REFUSED[kind]
    refusal = await explain_refusal(await roles.make(attributes, *statements), owner_may_serve=in_test)
    assert refusal is not None
    assert "does not keep tenants apart" in refusal
    assert "create role meetdeck_app" in refusal


@pytest.mark.parametrize("kind", REFUSED_IN_PRODUCTION)
async def test_in_production_nobody_serves_as(kind: str, roles: Roles) -> None:
    attributes, statements = REFUSED_IN_PRODUCTION[kind]
    address = await roles.make(attributes, *statements)
    assert await explain_refusal(address, owner_may_serve=False) is not None
    assert await explain_refusal(address, owner_may_serve=True) is None


async def test_the_owner_serves_a_test_installation_alone(addresses: tuple[Address, Address]) -> None:
    assert await explain_refusal(addresses[0], owner_may_serve=True) is None
    refusal = await explain_refusal(addresses[0], owner_may_serve=False)
    assert refusal is not None
    assert "meetdeck_owner does not keep tenants apart: it owns tables" in refusal


async def test_a_role_that_owns_nothing_serves(addresses: tuple[Address, Address]) -> None:
    assert addresses[1].user == APP
    assert await explain_refusal(addresses[1], owner_may_serve=False) is None


LOST = [
    "alter table room disable row level security",
    "alter table room no force row level security",
    "create policy everybody on room using (true)",
    f"create policy some_reader on room for select to {APP} using (name <> '')",
    "alter policy tenant on room using (true)",
    "alter policy identify on subscription_key to public",
]


@pytest.mark.parametrize("statement", LOST)
async def test_a_table_that_keeps_nobody_apart_is_refused(
    statement: str, addresses: tuple[Address, Address], owner: Connection
) -> None:
    await owner.execute(statement)
    table = statement.partition(" on ")[2].partition(" ")[0] or statement.split()[2]
    refusal = await explain_refusal(addresses[1], owner_may_serve=True)
    assert refusal is not None
    assert f"Row-level security does not keep the tenants of {table} apart" in refusal


async def test_what_keeps_tenants_apart_is_asked_at_each_connection(
    admin: Connection, addresses: tuple[Address, Address]
) -> None:
    async with Database(addresses[1], connections=2) as database:
        await admin.execute("alter table room no force row level security")
        async with database.outside_tenants():  # the one that is open
            with pytest.raises(DatabaseUnavailable):
                async with database.outside_tenants():
                    raise AssertionError
        await admin.execute("alter table room force row level security")
        async with database.outside_tenants(), database.outside_tenants() as second:
            assert await second.fetchval("select 1") == 1
