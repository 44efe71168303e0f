"""What the database says of a caller before the tenant is known: the tenant of a key, the client of an id."""

import pytest

from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.platform.auth import hash_secret
from meetdeck.platform.db import Connection, Database
from meetdeck.platform.identities import find_client, find_tenant_of_key
from support.factories import Api


def key_of(api: Api, number: int) -> bytes:
    return hash_secret(api.credentials.tenants[number].subscription_key)


async def test_a_key_says_its_tenant_and_no_more(api: Api, database: Database) -> None:
    assert await find_tenant_of_key(database, key_of(api, 0)) == NORDLYS.tenant_id
    assert await find_tenant_of_key(database, key_of(api, 1)) == FJORD.tenant_id


@pytest.mark.usefixtures("api")
async def test_a_key_that_is_none_says_nothing(database: Database) -> None:
    for digest in [hash_secret("guessed"), b"", bytes(32)]:
        assert await find_tenant_of_key(database, digest) is None


async def test_a_revoked_key_says_nothing(api: Api, database: Database) -> None:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update subscription_key set revoked_at = now()")
    assert await find_tenant_of_key(database, key_of(api, 0)) is None
    assert await find_tenant_of_key(database, key_of(api, 1)) == FJORD.tenant_id


async def test_a_client_id_says_tenant_secret_and_roles(api: Api, database: Database) -> None:
    app, admin = api.credentials.tenants[1].clients
    for client in (app, admin):
        found = await find_client(database, client.client_id)
        assert found is not None
        assert (found.tenant_id, list(found.roles)) == (FJORD.tenant_id, client.roles)
        assert found.secret_digest == hash_secret(client.client_secret)


@pytest.mark.usefixtures("api")
async def test_a_client_id_that_is_none_says_nothing(database: Database) -> None:
    for client_id in ["", "%", "nordlys", "NORDLYS-APP", "' or true --"]:
        assert await find_client(database, client_id) is None


@pytest.mark.usefixtures("api")
async def test_keys_and_secrets_are_stored_hashed(api: Api, database: Database) -> None:
    tenant = api.credentials.tenants[0]
    async with database.transaction(NORDLYS.tenant_id) as connection:
        keys = await connection.fetch("select * from subscription_key")
        clients = await connection.fetch("select * from oauth_client")
    stored = f"{keys} {clients}"
    assert tenant.subscription_key not in stored
    assert all(client.client_secret not in stored for client in tenant.clients)


async def test_only_these_functions_run_as_the_owner_and_nobody_can_trick_them(owner: Connection) -> None:
    rows = await owner.fetch(
        "select proname, proconfig from pg_proc where prosecdef and pronamespace = 'public'::regnamespace"
    )
    assert {row["proname"]: row["proconfig"] for row in rows} == {
        "identify_subscription_key": ["search_path=public"],
        "identify_oauth_client": ["search_path=public"],
        "list_tenants": ["search_path=public"],
        "analyze_directory": ["search_path=public"],
    }
