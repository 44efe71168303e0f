"""A disabled tenant: its callers and visitors are told so within a minute, and let in again; its data stay."""

from datetime import datetime

from meetdeck.administration.tenants.service.tenants import disable_tenant, enable_tenant
from meetdeck.demo.firm import NORDLYS
from meetdeck.demo.seed import TEMPLATE_NAME
from meetdeck.platform.changes import Actor
from meetdeck.platform.database import Database
from support.factories import Api
from support.fakes import HandClock

OPERATOR = Actor(operator="root", command="tenant disable")


async def get_status(api: Api, path: str) -> tuple[int, str]:
    answer = await api.get(path)
    return answer.status_code, answer.json()["code"] if answer.is_error else ""


async def disable(database: Database, now: datetime) -> None:
    await disable_tenant(database, NORDLYS.tenant_id, OPERATOR, now)


async def test_callers_get_403_within_a_minute_and_are_let_in_again(
    api: Api, database: Database, clock: HandClock
) -> None:
    paths = ("v2/present/templates", "v3/present/templates", "v2/booking/employees", "v3/audit-log")
    assert [await get_status(api, path) for path in paths[:3]] == [(200, "")] * 3
    await disable(database, clock())
    clock.advance(seconds=60)
    assert [await get_status(api, path) for path in paths] == [(403, "tenant_disabled")] * 4
    assert (await get_status(await api.other(), paths[0]))[0] == 200
    await enable_tenant(database, NORDLYS.tenant_id, OPERATOR, clock())
    clock.advance(seconds=60)
    assert [await get_status(api, path) for path in paths[:3]] == [(200, "")] * 3


async def test_pages_of_portals_say_kindly_that_they_are_closed(api: Api, database: Database, clock: HandClock) -> None:
    portal = api.credentials.tenants[0].portals[0]
    pages = [f"/p/{portal.id}", f"/p/{portal.address}"]
    assert [(await api.http.get(page)).status_code for page in pages] == [200, 200]
    await disable(database, clock())
    for page in pages:
        answer = await api.http.get(page)
        assert answer.status_code == 403
        assert "Booking is closed here" in answer.text
        assert "Her kan ikke bookes tid" in (await api.http.get(f"{page}?lang=da")).text


async def test_signed_links_are_closed_too(api: Api, database: Database, clock: HandClock) -> None:
    deck = {"template": TEMPLATE_NAME, "data": {"title": "Plan"}}
    link = (await api.post("v3/present/slides/generate", deck)).json()["downloadUrl"]
    assert (await api.http.get(link)).status_code == 200
    await disable(database, clock())
    answer = await api.http.get(link)
    assert (answer.status_code, answer.json()["code"]) == (403, "tenant_disabled")
