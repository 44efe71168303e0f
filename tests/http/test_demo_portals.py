"""The demo firms' portals: where they are, and what becomes of those that an earlier version made."""

from typing import Any

import msgspec

from meetdeck.booking.configuration.portals.service.identity import find_portal
from meetdeck.demo.credentials import FILE_NAME, Credentials, read_credentials, write_credentials
from meetdeck.demo.firm import FIRMS, NORDLYS
from meetdeck.demo.seed import load_demo_data
from meetdeck.platform.database import Database
from meetdeck.services import Services
from support.factories import Api

_MAKE_FORMER = """
update portal set address = null, brand_color = null, authentication_type = 'IdentityProvider';
delete from portal_field;
insert into portal_field (tenant_id, portal_field_id, portal_id, position, name, label, type, required)
select tenant_id, gen_random_uuid(), portal_id, position, field.name, label, type, required
from portal cross join (values
    (0, 'name', 'Your name', 'Text', true),
    (1, 'phone', 'Phone', 'Phone', false),
    (2, 'email', 'E-mail', 'Email', true)
) as field (position, name, label, type, required);
"""


async def forget_portals(services: Services, statements: str) -> None:
    """Make the demo firms and their credentials as an earlier version left them."""
    for firm in FIRMS:
        async with services.database.transaction(firm.tenant_id) as connection:
            await connection.execute(statements)
    known = read_credentials(services.settings.data_dir)
    assert known is not None
    for tenant in known.tenants:
        tenant.portals = []
    write_credentials(services.settings.data_dir, known)
    path = services.settings.data_dir / FILE_NAME
    path.write_bytes(path.read_bytes().replace(b'"portals": []', b'"nothing": []'))  # as the file was


async def read_portals(api: Api) -> list[dict[str, Any]]:
    return (await api.get("v3/config/portals", params={"includeHiddenFields": "true"})).json()


async def test_each_firm_has_a_portal_that_its_credentials_name(api: Api, database: Database) -> None:
    kinds: set[str] = set()
    for firm, tenant in zip(FIRMS, api.credentials.tenants, strict=True):
        (shown,) = tenant.portals
        (portal,) = (await (await api.of(firm)).get("v3/config/portals?includeHiddenFields=true")).json()
        assert (str(shown.id), shown.name, shown.address) == (portal["id"], portal["name"], portal["address"])
        assert await find_portal(database, shown.address or "") == (firm.tenant_id, shown.id)
        kinds.add(portal["authenticationType"])
        types = {field["type"] for field in portal["fields"]}
        assert {"Dropdown", "Checkbox"} <= types
        assert [field["defaultValue"] for field in portal["fields"] if field["hidden"]] == ["demo"]
        assert 3 <= len(portal["fields"]) <= 5
        assert portal["brandColor"]
        again = await (await api.of(firm)).post("v3/config/portals", portal | {"address": "copy"})
        assert again.status_code == 201, "what the API itself takes"
        await (await api.of(firm)).request("DELETE", f"v3/config/portals/{again.json()['id']}")
    assert kinds == {"Anonymous", "IdentityProvider"}


async def test_the_file_names_the_portals(api: Api, services: Services) -> None:
    written = msgspec.json.decode((services.settings.data_dir / FILE_NAME).read_bytes())
    assert written["tenants"][0]["portals"] == [
        {"id": api.id_of("portal", NORDLYS.name), "name": "Nordlys Rådgivning", "address": "nordlys"}
    ]


async def test_a_firm_of_an_earlier_version_gets_its_portals_face_at_the_next_start(
    api: Api, services: Services
) -> None:
    expected = await read_portals(api)
    await forget_portals(services, _MAKE_FORMER)
    assert await read_portals(api) != expected
    after = await load_demo_data(services)
    assert after == read_credentials(services.settings.data_dir) == api.credentials
    (found,), (wanted,) = await read_portals(api), expected
    assert strip_fields(found) == strip_fields(wanted)


def strip_fields(portal: dict[str, Any]) -> dict[str, Any]:
    """Return a portal without what the fields of an earlier version keep: ids, and what they did not have."""
    dropped = {"id", "placeholder", "localizedPlaceholder", "order"}
    kept = [{name: value for name, value in field.items() if name not in dropped} for field in portal["fields"]]
    return portal | {"fields": kept}


async def test_a_portal_that_was_changed_stays_as_it_is_at_the_next_start(api: Api, services: Services) -> None:
    (portal,) = await read_portals(api)
    change = [{"op": "replace", "path": "/address", "value": "ours"}, {"op": "remove", "path": "/fields/0"}]
    changed = await api.request("PATCH", f"v3/config/portals/{portal['id']}", json=change)
    assert changed.status_code == 200
    after = await load_demo_data(services)
    assert await read_portals(api) == [changed.json()]
    assert after.tenants[0].portals[0].address == "ours"


async def test_an_address_that_another_has_meanwhile_stays_theirs(api: Api, services: Services) -> None:
    other = await api.other()
    await forget_portals(services, "delete from portal")
    theirs = await other.post("v3/config/portals", {"name": "Theirs", "address": "nordlys"})
    assert theirs.status_code == 201
    after: Credentials = await load_demo_data(services)
    assert [one.address for one in after.tenants[0].portals] == [None]
    assert {one.address for one in after.tenants[1].portals} == {"nordlys", "fjord-pension"}
    (portal,) = await read_portals(api)
    assert portal["brandColor"] == "#0B5563"


async def test_a_portal_comes_back_without_what_was_deleted(api: Api, services: Services) -> None:
    await forget_portals(services, "delete from portal; update meeting set customer_type_id = null, topic_id = null")
    async with services.database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("delete from customer_type")
    await load_demo_data(services)
    (portal,) = await read_portals(api)
    assert (portal["customerTypeId"], portal["address"]) == (None, "nordlys")
