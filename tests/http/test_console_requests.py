"""The API's requests of the last hour at the console (docs/console/settings.md)."""

import httpx
from lxml import html

from meetdeck.administration.recent_requests.service import RecentRequestWriting
from meetdeck.services import Services
from support.console import SIGNE, THOMAS, Browser
from support.factories import Api

PAGE = "/settings/requests"


def list_rows(page: httpx.Response) -> list[str]:
    assert page.status_code == 200, page.text
    rows = html.fromstring(page.text).xpath("//ol[contains(@class, 'requests')]/li")
    return [" ".join(" ".join(row.itertext()).split()) for row in rows]


def list_options(page: httpx.Response, name: str) -> dict[str, str]:
    options = html.fromstring(page.text).xpath(f"//select[@name='{name}']/option")
    return {option.text_content(): option.get("value") for option in options}


async def test_an_integrator_finds_a_refused_request_with_its_fault(api: Api, services: Services) -> None:
    browser = await Browser.open(api, THOMAS)
    assert "No system has called the API in the last hour" in (await browser.get(PAGE)).text
    assert (await api.get("v3/booking/rooms?search=secret")).status_code == 200
    refused = await api.post("v3/booking/meetings", {"customerId": 7})
    assert refused.status_code == 400
    await RecentRequestWriting(services.database, services.recent).write()

    meetings, rooms = list_rows(await browser.get(PAGE))

    assert rooms.startswith("07:00:00")
    assert "GET /api/v3/booking/rooms" in rooms
    assert "secret" not in rooms
    for shown in ("POST /api/v3/booking/meetings", "400", "/customerId", refused.headers["X-Request-Id"]):
        assert shown in meetings
    assert list_rows(await browser.get(f"{PAGE}?status=400")) == [meetings]
    assert "No request of the last hour matches" in (await browser.get(f"{PAGE}?status=409")).text
    assert len(list_rows(await browser.get(f"{PAGE}?key=nothing&status=nothing"))) == 2
    assert (await browser.get(f"{PAGE}?after=nothing")).status_code == 400


async def test_a_key_leads_to_its_own_requests_and_other_roles_to_none(api: Api, services: Services) -> None:
    browser = await Browser.open(api, THOMAS)
    await browser.post("/settings/keys", {"name": "A first CRM"})
    await api.get("v3/booking/rooms")
    await RecentRequestWriting(services.database, services.recent).write()
    links = html.fromstring((await browser.get("/settings/keys")).text).xpath("//tr//a/@href")
    counts = [len(list_rows(await browser.get(link.partition("/console")[2]))) for link in links if "requests" in link]
    assert sorted(counts) == [*[0] * (len(counts) - 1), 1]
    assert len(list_options(await browser.get(PAGE), "key")) == len(counts) + 1
    signe = await Browser.open(api, SIGNE)
    assert (await signe.get(PAGE)).status_code == 403
    assert "Recent requests" not in (await signe.get("/settings")).text
    assert "Recent requests" in (await browser.get("/settings")).text
