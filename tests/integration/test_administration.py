"""Tenants, keys and clients on a real database: what operators' commands stand on."""

import asyncio
from collections.abc import Awaitable
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from meetdeck.administration.archives.snapshots import open_snapshot
from meetdeck.administration.clients import service as clients
from meetdeck.administration.errors import ClientRefused, FilesHeld, InvalidTenant, KeyRefused, TenantExists
from meetdeck.administration.keys import service as keys
from meetdeck.administration.names import InvalidName
from meetdeck.administration.tenants.schemas import DeletedTenant, TenantSettings
from meetdeck.administration.tenants.service import deletion, tenants
from meetdeck.booking.scheduling.retention.schemas import Periods
from meetdeck.booking.scheduling.retention.store import find_periods
from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.platform.changes import Actor
from meetdeck.platform.database import Address, Database
from meetdeck.platform.errors import MeetdeckError
from meetdeck.platform.identity import TenantNotFound, find_client, find_key, hash_secret
from meetdeck.platform.process.progress import NoProgress
from meetdeck.platform.settings import RoleNames
from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN as NOW
from support.factories import Api

OPERATOR = Actor(operator="root", command="test")


async def make_tenant(database: Database) -> UUID:
    return (await tenants.create_tenant(database, "Ny Bank", None, OPERATOR, NOW)).tenant_id


async def list_entries(database: Database, tenant_id: UUID) -> list[tuple[str, str]]:
    async with database.transaction(tenant_id) as connection:
        rows = await connection.fetch("select action, kind from audit_entry where operator = 'root' order by entry_id")
    return [(row["action"], row["kind"]) for row in rows]


async def test_a_tenant_is_made_once_listed_and_changed(database: Database) -> None:
    tenant_id = await make_tenant(database)
    with pytest.raises(TenantExists):
        await tenants.create_tenant(database, "Another", tenant_id, OPERATOR, NOW)
    wanted = TenantSettings(name=" Ny  Bank A/S ", locale="da-dk", quota_bytes=0, quota_templates=7, rate_limit=90)
    changed = await tenants.change_tenant(database, tenant_id, wanted, OPERATOR, NOW)
    assert (changed.name, changed.locale) == ("Ny Bank A/S", "da-DK")
    assert (changed.quota_bytes, changed.quota_templates, changed.rate_limit) == (0, 7, 90)
    changed = await tenants.change_tenant(database, tenant_id, TenantSettings(quota_bytes=None), OPERATOR, NOW)
    assert (changed.quota_bytes, changed.quota_templates) == (None, 7)
    periods = TenantSettings(retention_days=90, cpr_retention_days=7, erases_meetings=False)
    changed = await tenants.change_tenant(database, tenant_id, periods, OPERATOR, NOW)
    assert (changed.retention_days, changed.cpr_retention_days, changed.erases_meetings) == (90, 7, False)
    async with database.transaction(tenant_id) as connection:
        assert await find_periods(connection, Periods(365, 30)) == Periods(90, 7, erases_meetings=False)
    assert await tenants.list_tenants(database) == [changed]
    assert await list_entries(database, tenant_id) == [("created", "tenants"), *[("changed", "tenants")] * 3]


@pytest.mark.parametrize(
    "settings",
    [
        TenantSettings(locale="klingon"),
        TenantSettings(locale="da-u-ca-buddhist"),
        TenantSettings(quota_bytes=-1),
        TenantSettings(outgoing_hosts=["https://crm.example"]),
        TenantSettings(outgoing_hosts=["crm.*.example"]),
        TenantSettings(quota_templates=2**40),
        TenantSettings(retention_days=-1),
        TenantSettings(cpr_retention_days=36_501),
        TenantSettings(retention_days=90, cpr_retention_days=91),
        TenantSettings(name="  "),
        TenantSettings(name="a\x1b[2J"),
    ],
)
async def test_settings_that_no_tenant_can_have_are_refused(settings: TenantSettings, database: Database) -> None:
    tenant_id = await make_tenant(database)
    with pytest.raises((InvalidTenant, InvalidName)):
        await tenants.change_tenant(database, tenant_id, settings, OPERATOR, NOW)


async def test_what_is_not_there_is_said_to_be_so(database: Database) -> None:
    for wanted in (
        tenants.read_tenant(database, uuid4()),
        tenants.disable_tenant(database, uuid4(), OPERATOR, NOW),
        keys.create_key(database, uuid4(), "site", OPERATOR, NOW),
        keys.rotate_key(database, uuid4(), OPERATOR, NOW),
        keys.revoke_key(database, uuid4(), OPERATOR, NOW),
        clients.delete_client(database, "nobody", OPERATOR, NOW),
    ):
        with pytest.raises(MeetdeckError, match="There is no "):
            await wanted


async def test_two_keys_of_a_name_are_live_at_a_time(database: Database) -> None:
    tenant_id = await make_tenant(database)
    first = await keys.create_key(database, tenant_id, "site", OPERATOR, NOW)
    second = await keys.rotate_key(database, first.key_id, OPERATOR, NOW + timedelta(minutes=1))
    for key in (first, second):
        found = await find_key(database, hash_secret(key.subscription_key), NOW)
        assert found is not None
        assert found.tenant_id == tenant_id
    with pytest.raises(KeyRefused, match=str(first.key_id)):
        await keys.rotate_key(database, second.key_id, OPERATOR, NOW)
    await keys.create_key(database, tenant_id, "crm", OPERATOR, NOW)
    await keys.revoke_key(database, first.key_id, OPERATOR, NOW)
    assert await find_key(database, hash_secret(first.subscription_key), NOW) is None
    with pytest.raises(KeyRefused, match="was revoked"):
        await keys.rotate_key(database, first.key_id, OPERATOR, NOW)
    third = await keys.rotate_key(database, second.key_id, OPERATOR, NOW)
    listed = await keys.list_keys(database, tenant_id)
    assert [(key.name, key.status, key.ending) for key in listed][-1] == (
        "site",
        "revoked",
        first.subscription_key[-4:],
    )
    assert {key.key_id for key in listed if key.status == "live" and key.name == "site"} == {
        second.key_id,
        third.key_id,
    }
    again = await keys.revoke_key(database, first.key_id, OPERATOR, NOW + timedelta(days=1))
    assert again.revoked_at == NOW


async def test_of_many_who_rotate_at_once_one_gets_a_key(database: Database) -> None:
    tenant_id = await make_tenant(database)
    first = await keys.create_key(database, tenant_id, "site", OPERATOR, NOW)
    rotations = [keys.rotate_key(database, first.key_id, OPERATOR, NOW) for _ in range(5)]
    outcomes = await asyncio.gather(*rotations, return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == [*["KeyRefused"] * 4, "NewKey"]


async def test_the_last_use_of_a_key_is_known_to_the_hour(database: Database) -> None:
    tenant_id = await make_tenant(database)
    digest = hash_secret((await keys.create_key(database, tenant_id, "site", OPERATOR, NOW)).subscription_key)
    for minutes in (0, 59):
        await find_key(database, digest, NOW + timedelta(minutes=minutes))
        assert (await keys.list_keys(database, tenant_id))[0].last_used_at == NOW
    await find_key(database, digest, NOW + timedelta(minutes=60))
    assert (await keys.list_keys(database, tenant_id))[0].last_used_at == NOW + timedelta(minutes=60)


async def test_a_client_has_roles_that_there_are_and_is_gone_when_deleted(database: Database) -> None:
    tenant_id = await make_tenant(database)
    roles = clients.read_roles(["elevated", "meetdeck.manager", "Meetdeck.Elevated"], RoleNames())
    assert roles == ["Meetdeck.Elevated", "Meetdeck.Manager"]
    with pytest.raises(ClientRefused, match=r"there are Meetdeck\.Employee"):
        clients.read_roles(["root"], RoleNames())
    made = await clients.create_client(database, tenant_id, "Website", roles, OPERATOR, NOW)
    found = await find_client(database, made.client_id)
    assert found is not None
    assert (found.tenant_id, found.secret_digest) == (tenant_id, hash_secret(made.client_secret))
    assert [client.roles for client in await clients.list_clients(database, None)] == [roles]
    await clients.delete_client(database, made.client_id, OPERATOR, NOW)
    assert await find_client(database, made.client_id) is None
    assert (await list_entries(database, tenant_id))[1:] == [("created", "clients"), ("deleted", "clients")]


async def test_a_tenant_is_not_deleted_while_a_backup_may_need_its_files(
    services: Services, database: Database, addresses: tuple[Address, Address]
) -> None:
    tenant_id = await make_tenant(database)
    file = f"{tenant_id}/files/any"
    await services.storage.put(file, b"any")

    def delete() -> Awaitable[DeletedTenant]:
        return deletion.delete_tenant(database, services.storage, tenant_id, OPERATOR, NOW, progress=NoProgress())

    async with open_snapshot(addresses[1]):
        with pytest.raises(FilesHeld, match="Repeat the command"):
            await delete()
        assert (await tenants.read_tenant(database, tenant_id)).status == "enabled"
        assert await services.storage.get(file) == b"any"
    assert (await delete()).files == 1


async def test_a_deleted_tenant_leaves_no_row_and_no_file_and_the_others_whole(
    api: Api, services: Services, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deletion, "_ROWS_AT_ONCE", 3)
    storage = services.storage

    async def count(tenant_id: UUID) -> tuple[dict[str, int], int]:
        async with database.transaction(tenant_id) as connection:
            rows = await connection.fetch(
                "select table_name from information_schema.columns where column_name = 'tenant_id'"
                " and table_schema = 'public'"
            )
            counts = {
                row["table_name"]: await connection.fetchval(f'select count(*) from "{row["table_name"]}"')  # noqa: S608
                for row in rows
            }
        return counts, sum([len(page) async for page in storage.list_pages(str(tenant_id))])

    assert (await api.get("v3/booking/employees")).status_code == 200
    others = await count(FJORD.tenant_id)
    deleted = await deletion.delete_tenant(database, storage, NORDLYS.tenant_id, OPERATOR, NOW, progress=NoProgress())
    assert (deleted.rows["employee"], deleted.files) == (len(NORDLYS.advisors), 1)
    counts, files = await count(NORDLYS.tenant_id)
    assert not any(counts.values())
    assert files == 0
    assert await count(FJORD.tenant_id) == others
    with pytest.raises(TenantNotFound):
        await tenants.read_tenant(database, NORDLYS.tenant_id)
