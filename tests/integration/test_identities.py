"""Callers in the database, found before the tenant is known: the tenant of a key, the client of an id, a portal."""

from uuid import UUID

import pytest

from meetdeck.booking.configuration.portals.service.identity import PortalIdentity, find_portal
from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.identity import SubscriptionKey, find_client, find_key, hash_secret
from support.factories import TUESDAY_AT_TEN, Api


def key_of(api: Api, number: int) -> bytes:
    return hash_secret(api.credentials.tenants[number].subscription_key)


async def test_a_key_says_its_tenant_and_no_more(api: Api, database: Database) -> None:
    for number, firm in enumerate((NORDLYS, FJORD)):
        key = SubscriptionKey(key_of(api, number), firm.tenant_id)
        assert await find_key(database, key.digest, TUESDAY_AT_TEN) == key


@pytest.mark.usefixtures("api")
async def test_a_key_that_is_none_says_nothing(database: Database) -> None:
    for digest in [hash_secret("guessed"), b"", bytes(32)]:
        assert await find_key(database, digest, TUESDAY_AT_TEN) is None


async def test_a_revoked_key_says_nothing(api: Api, database: Database) -> None:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update subscription_key set revoked_at = now()")
    assert await find_key(database, key_of(api, 0), TUESDAY_AT_TEN) is None
    assert await find_key(database, key_of(api, 1), TUESDAY_AT_TEN) == SubscriptionKey(key_of(api, 1), FJORD.tenant_id)


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


async def test_a_portal_is_found_by_id_and_by_address_without_a_tenant(api: Api, database: Database) -> None:
    found: dict[str, PortalIdentity] = {}
    for firm, address in ((NORDLYS, "nordlys-home"), (FJORD, "fjord-home")):
        answer = await (await api.of(firm)).post("v3/config/portals", {"name": "Home", "address": address})
        assert answer.status_code == 201, answer.text
        found[address] = PortalIdentity(firm.tenant_id, UUID(answer.json()["id"]))
    for address, portal in found.items():
        for reference in (address, address.upper(), str(portal.portal_id), str(portal.portal_id).upper()):
            assert await find_portal(database, reference) == portal


@pytest.mark.usefixtures("api")
async def test_a_reference_that_is_no_portals_finds_nothing(database: Database) -> None:
    for reference in ["", "home", "%", "\0", "a" * 64, "x" * 100_000, "' or true --", str(UUID(int=0)), "æ", "İ"]:
        assert await find_portal(database, reference) is None


@pytest.mark.usefixtures("api")
async def test_a_portal_that_was_deleted_is_not_found(api: Api, database: Database) -> None:
    portal = (await api.post("v3/config/portals", {"name": "Home", "address": "gone"})).json()
    assert await find_portal(database, "gone") is not None
    await api.request("DELETE", f"v3/config/portals/{portal['id']}")
    assert await find_portal(database, "gone") is None
    assert await find_portal(database, portal["id"]) is None


@pytest.mark.usefixtures("api")
async def test_finding_a_portal_leaves_no_portal_visible(database: Database, owner: Connection) -> None:
    async with database.transaction(FJORD.tenant_id) as connection:
        portal_id = await connection.fetchval("select portal_id from portal limit 1")
    for role in ("nobody's transaction", "a tenant's"):
        async with owner.transaction():
            if role == "a tenant's":
                await owner.execute(f"select set_config('meetdeck.tenant', '{NORDLYS.tenant_id}', true)")
            before = await owner.fetch("select tenant_id from portal")
            assert len(await owner.fetch("select * from identify_portal($1, null)", portal_id)) == 1
            assert await owner.fetch("select tenant_id from portal") == before
            assert {row["tenant_id"] for row in before} <= {NORDLYS.tenant_id}


async def test_nobody_can_trick_the_functions_that_run_as_the_owner(owner: Connection) -> None:
    """All of them, with the reasons, are in tests/integration/test_distribution.py."""
    rows = await owner.fetch(
        "select proname, proconfig from pg_proc where prosecdef and pronamespace = 'public'::regnamespace"
    )
    assert len(rows) > 10
    assert [row["proname"] for row in rows if "search_path=public" not in row["proconfig"]] == []
