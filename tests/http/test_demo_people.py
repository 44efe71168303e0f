"""The demo firms' people: in the credentials file, in installations of earlier versions, with roles of any name."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from meetdeck.administration.clients import store as clients
from meetdeck.administration.clients.schemas import NewClient
from meetdeck.demo import portals, seed
from meetdeck.demo.firm import FIRMS, FJORD, NORDLYS
from meetdeck.demo.seed import load_demo_data
from meetdeck.platform.database import Database
from meetdeck.services import Services
from support.factories import Api
from support.fakes import HandClock
from support.signing_in import ANNA, get_tokens, list_choices, read_claims, show


async def test_the_credentials_file_names_a_user_for_each_role(api: Api, tmp_path: Path) -> None:
    written = msgspec.json.decode((tmp_path / "dev-credentials.json").read_bytes())
    assert written["consoleUrl"] == "http://meetdeck.test/console"
    for tenant in written["tenants"]:
        roles = [user["roles"] for user in tenant["users"]]
        assert roles == [[f"Meetdeck.{name}"] for name in ("Employee", "Manager", "Configurator", "Admin")]
        assert all(user["userName"] and user["name"] and user["email"] for user in tenant["users"])
        assert tenant["customers"]
    assert api.credentials.tenants[0].users[0].user_name == ANNA


async def test_an_installation_of_an_earlier_version_gets_its_people_and_keeps_its_keys(
    api: Api, services: Services, database: Database, tmp_path: Path
) -> None:
    path = tmp_path / "dev-credentials.json"
    old = msgspec.json.decode(path.read_bytes())
    old.pop("consoleUrl")
    for tenant in old["tenants"]:
        for name in ("users", "customers"):
            tenant.pop(name)
    path.write_bytes(msgspec.json.encode(old))
    for firm in (NORDLYS, FJORD):
        async with database.transaction(firm.tenant_id) as connection:
            await connection.execute("delete from oauth_user")
    again = await load_demo_data(services)
    assert [one.subscription_key for one in again.tenants] == [one["subscriptionKey"] for one in old["tenants"]]
    assert len(again.tenants[1].users) == 4
    assert ANNA in list_choices((await show(api.http)).text)


async def test_the_roles_have_the_names_that_are_set(api: Api, services: Services) -> None:
    settings = services.settings.model_copy(update={"role_manager": "Bank.Leader"})
    credentials = await load_demo_data(replace(services, settings=settings))
    assert credentials.tenants[0].users[1].roles == ["Bank.Leader"]
    tokens = await get_tokens(api.http, "eva@nordlys.example")
    assert (await read_claims(api.http, tokens["id_token"]))["roles"] == ["Bank.Leader"]


async def test_a_start_puts_back_demo_clients_and_keys_that_are_gone_and_leaves_others(
    api: Api, services: Services, database: Database, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Start again after clients were deleted or replaced at the console, and with a firm of a later version."""
    monkeypatch.setattr(seed, "FIRMS", (*FIRMS, msgspec.structs.replace(FJORD, name="Ny Bank", domain="ny.example")))
    portal = portals.FJORD_PORTAL
    monkeypatch.setitem(vars(portals)["_PORTALS"], "Ny Bank", msgspec.structs.replace(portal, address="ny-bank"))
    before = tenants = api.credentials.tenants
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("delete from oauth_client where client_id = 'nordlys-app'")
        await connection.execute("update oauth_client set secret_digest = sha256('another')")
        own = NewClient(client_id="own-1234", client_secret="own")
        await clients.add_client(connection, own, "Own", [], clock())
        await connection.execute("update subscription_key set revoked_at = now(), name = 'Old'")
    for _ in range(2):
        tenants = (await load_demo_data(services)).tenants
        assert [one.clients for one in tenants[:2]] == [one.clients for one in before]
        assert services.issuer is not None
        for tenant in tenants:
            for client in tenant.clients:
                assert await services.issuer.issue(client.client_id, client.client_secret, clock())
        assert await services.issuer.issue("own-1234", "own", clock())
        assert (await api.get("v3/booking/rooms")).status_code == 200
    assert len(tenants) == 3
