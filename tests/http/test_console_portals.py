"""Portals at the console: their form with its fields, the preview of what is not saved, and what is refused."""

import re
from typing import Any

import httpx
from lxml import html

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.console import SIGNE, Browser
from support.factories import Api

PORTALS = "v3/booking/config/portals"
PORTAL: dict[str, Any] = {
    "name": "Fjord & Sønner",
    "address": "fjord-console",
    "authenticationType": "Anonymous",
    "brandColor": "#12355B",
    "embedHosts": ["www.fjord.example"],
    "fields": [
        {"name": "phone", "label": "Where do we reach you?", "type": "Phone", "validation": {"required": True}},
        {"name": "about", "label": "What is it about?", "type": "Dropdown", "options": ["A loan", "A house"]},
        {"name": "campaign", "hidden": True},
    ],
}


def read_form(page: httpx.Response) -> dict[str, list[str]]:
    """Return what the page's form sends when nothing is typed."""
    (form,) = html.fromstring(page.text).xpath("//form[@id='settings-form']")
    sent: dict[str, list[str]] = {}
    for name, value in form.form_values():
        sent.setdefault(name, []).append(value.removeprefix("\n"))  # as browsers read a text area
    return sent


async def make_portal(api: Api) -> str:
    """Return the id of a new portal."""
    return (await api.post(PORTALS, json=PORTAL)).raise_for_status().json()["id"]


async def read_portal(api: Api, key: str) -> dict[str, Any]:
    """Return a portal with its hidden fields."""
    return (await api.get(f"{PORTALS}/{key}", params={"includeHiddenFields": True})).raise_for_status().json()


async def test_saving_a_form_as_it_is_changes_nothing(api: Api) -> None:
    browser, key = await Browser.open(api, SIGNE), await make_portal(api)
    before = await read_portal(api, key)
    page = await browser.get(f"/settings/portals/{key}")
    saved = await browser.post(f"/settings/portals/{key}", read_form(page))
    assert "Fjord &amp; Sønner is saved." in saved.text
    assert await read_portal(api, key) == before


async def test_fields_are_added_moved_and_removed_without_scripts_and_keep_their_ids(api: Api) -> None:
    browser, key = await Browser.open(api, SIGNE), await make_portal(api)
    ids = {one["name"]: one["id"] for one in (await read_portal(api, key))["fields"]}
    form = read_form(await browser.get(f"/settings/portals/{key}"))
    for deed in ("fields:0:remove", "fields:0:down", "fields:add"):
        page = await browser.post(f"/settings/portals/{key}", form | {"row": deed})
        form = read_form(page)
    form |= {"fields:2:label": ["Anything else?"], "fields:2:name": ["else"]}
    (await browser.post(f"/settings/portals/{key}", form)).raise_for_status()
    fields = (await read_portal(api, key))["fields"]
    assert [one["name"] for one in sorted(fields, key=lambda one: one["order"])] == ["campaign", "about", "else"]
    assert {one["name"]: one["id"] for one in fields if one["name"] in ids} == {
        name: ids[name] for name in ("campaign", "about")
    }


async def test_what_is_wrong_with_a_field_or_a_line_of_the_styles_is_said_beside_it(api: Api) -> None:
    browser, key = await Browser.open(api, SIGNE), await make_portal(api)
    form = read_form(await browser.get(f"/settings/portals/{key}"))
    wrong = {"fields:1:validation.pattern": ["("], "styling": ["p { color: red }\n}"], "brandColor": ["#FFFF00"]}
    page = await browser.post(f"/settings/portals/{key}", form | wrong)
    assert page.status_code == 422
    tree = html.fromstring(page.text)
    said = {name: tree.xpath("string(//*[@id=$id])", id=f"{name}-error") for name in wrong}
    assert all(said.values())
    assert said["styling"].startswith("Line 2:")
    assert "contrast" in said["brandColor"]
    assert tree.xpath("//details[@open]//*[@id='fields:1:validation.pattern']")
    assert read_form(page)["styling"] == wrong["styling"]
    nameless = await browser.post(f"/settings/portals/{key}", form | {"fields:0:name": [""]})
    assert html.fromstring(nameless.text).xpath("//*[@id='fields:0:name-error']")


async def test_what_is_typed_is_drawn_before_it_is_saved(api: Api) -> None:
    browser, key = await Browser.open(api, SIGNE), await make_portal(api)
    form = read_form(await browser.get(f"/settings/portals/{key}"))
    typed = form | {"name": ["Fjord Næste"], "fields:0:label": ["Your number?"]}
    first = await browser.post("/settings/portals/preview", typed | {"preview-language": "da"})
    assert first.status_code == 200
    assert "Fjord Næste" in first.text
    assert '<html lang="da">' in first.text
    policy = first.headers["Content-Security-Policy"]
    assert policy.endswith("; sandbox; frame-ancestors 'self'")
    assert "script-src" not in policy
    details = await browser.post("/settings/portals/preview", typed | {"preview-step": "Details"})
    assert "Your number?" in details.text
    refused = await browser.post("/settings/portals/preview", typed | {"styling": ["p {"]})
    assert refused.status_code == 422
    assert "Line 1:" in refused.text
    assert "frame-ancestors 'self'" in refused.headers["Content-Security-Policy"]
    assert (await read_portal(api, key))["name"] == PORTAL["name"]
    assert (await browser.post("/settings/rooms/preview", {})).status_code == 404


async def test_two_administrators_of_a_portal_see_both_versions(api: Api) -> None:
    browser, key = await Browser.open(api, SIGNE), await make_portal(api)
    form = read_form(await browser.get(f"/settings/portals/{key}"))
    theirs = form | {"brandColor": ["#0A5C5C"]}
    (await browser.post(f"/settings/portals/{key}", theirs)).raise_for_status()
    mine = form | {"fields:1:options": ["A loan\nA car"]}
    page = await browser.post(f"/settings/portals/{key}", mine)
    assert page.status_code == 412
    conflict = html.fromstring(page.text).xpath("string(//section[contains(@class, 'conflict')])")
    assert "#0A5C5C" in conflict
    assert "A car" in conflict
    assert read_form(page)["fields:1:options"] == mine["fields:1:options"]


async def test_a_saved_portal_tells_its_address_and_the_code_that_shows_it_elsewhere(api: Api) -> None:
    browser, key = await Browser.open(api, SIGNE), await make_portal(api)
    page = html.fromstring((await browser.get(f"/settings/portals/{key}")).text)
    (code,) = page.xpath("//textarea[@id='embed']/text()")
    assert re.search(r'<iframe class="meetdeck" src="[^"]+/p/fjord-console" title="Fjord & Sønner"', code)
    assert page.xpath("//a[contains(@href, 'p/fjord-console')]")


async def test_a_portal_that_was_deleted_is_had_again(api: Api) -> None:
    browser, key = await Browser.open(api, SIGNE), await make_portal(api)
    tag = read_form(await browser.get(f"/settings/portals/{key}"))["tag"]
    await browser.post(f"/settings/portals/{key}/delete", {"sure": "yes", "tag": tag})
    (await browser.post("/settings/portals/undo", {})).raise_for_status()
    (again,) = [one for one in (await api.get(PORTALS)).json() if one["address"] == PORTAL["address"]]
    assert (await read_portal(api, again["id"]))["fields"][2]["name"] == "campaign"


async def test_a_portal_is_opened_and_its_link_copied_from_the_list(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    rows = html.fromstring((await browser.get("/settings/portals")).text)
    (link,) = rows.xpath("//tbody//a[normalize-space() = 'Open']")
    assert link.get("href").endswith("/p/nordlys")
    (button,) = rows.xpath("//tbody//button[normalize-space() = 'Copy link']")
    assert button.get("data-copy-text") == "http://meetdeck.test/p/nordlys"
    assert button.get("hidden") is not None  # a script shows it


async def test_a_portals_form_warns_while_the_firm_has_no_location(api: Api, database: Database) -> None:
    browser, key = await Browser.open(api, SIGNE), await make_portal(api)
    for path in ("/settings/portals/new", f"/settings/portals/{key}"):
        assert _list_warnings(await browser.get(path)) == []
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update employee set location = ''")
        await connection.execute("delete from location")
    for path in ("/settings/portals/new", f"/settings/portals/{key}"):
        (warning,) = _list_warnings(await browser.get(path))
        assert "no location yet" in warning
    assert _list_warnings(await browser.get("/settings/rooms/new")) == [], "it is about portals alone"
    (await api.post("v3/booking/config/locations", json={"location": "Aarhus"})).raise_for_status()
    assert _list_warnings(await browser.get("/settings/portals/new")) == []


def _list_warnings(page: httpx.Response) -> list[str]:
    return [one.text_content() for one in html.fromstring(page.text).xpath("//main//div[@data-color='warning']")]
