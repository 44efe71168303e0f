"""Texts in several languages at the console: a field for each, and a page of what is missing."""

import httpx
from lxml import html

from meetdeck.demo.firm import NORDLYS
from support.console import EVA, SIGNE, Browser
from support.factories import Api
from support.patches import replace
from support.portals import create, read

ORGANIZATION = "v3/booking/config/organization-settings"
TOPICS = "v3/booking/config/meeting-topics"


def read_form(page: httpx.Response) -> dict[str, list[str]]:
    """Return what the form sends when nothing is typed."""
    form = next(one for one in html.fromstring(page.text).forms if one.get("class", "").endswith("form-fields"))
    sent: dict[str, list[str]] = {}
    for name, value in form.form_values():
        sent.setdefault(name, []).append(value.removeprefix("\n"))
    return sent


def list_gaps(page: httpx.Response, language: str) -> list[str]:
    """Return what is missing in a language."""
    sections = html.fromstring(page.text).xpath("//main//section")
    (section,) = [one for one in sections if language in one.xpath("h2")[0].text_content()]
    return section.xpath(".//li/a/text()")


async def test_languages_are_chosen_and_texts_written_until_none_is_missing(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    form = read_form(await browser.get("/settings/organization"))
    before = (await api.get(ORGANIZATION)).json()["enabledLocales"]
    offered = await browser.post("/settings/organization", form | {"enabledLocales": [*before, "nb-NO"], "row": ["x"]})
    assert read_form(offered)["enabledLocales"] == [*before, "nb-NO", ""], "ticked, and nothing is saved"
    assert (await api.get(ORGANIZATION)).json()["enabledLocales"] == before
    saved = await browser.post("/settings/organization", form | {"enabledLocales": ["nb-NO"]})
    assert (await api.get(ORGANIZATION)).json()["enabledLocales"] == [*before, "nb-NO"]
    assert "localizedICalMeetingTitle.nb-NO" in read_form(saved)
    topics = (await api.get(TOPICS)).json()
    locations = (await api.get("v3/booking/config/locations")).json()
    page = await browser.get("/settings/languages")
    gaps = list_gaps(page, "nb-NO")
    names = {*(topic["name"] for topic in topics), *(one["location"] for one in locations if one["displayName"])}
    assert names | {NORDLYS.name} <= {*gaps}, "topics, locations and portals have texts"
    assert "Norwegian" in page.text
    topic = topics[0]
    path = f"/settings/topics/{topic['id']}"
    form = read_form(await browser.get(path))
    await browser.post(path, form | {"localizedName.nb-NO": ["Årsgjennomgang"], "localizedDescription.nb-NO": ["Nok"]})
    assert (await api.get(f"{TOPICS}/{topic['id']}")).json()["localizedName"]["nb-NO"] == "Årsgjennomgang"
    assert topic["name"] not in list_gaps(await browser.get("/settings/languages"), "nb-NO")
    await browser.post("/settings/topics/undo", {})
    assert "nb-NO" not in (await api.get(f"{TOPICS}/{topic['id']}")).json()["localizedName"]
    assert (await (await Browser.open(api, EVA)).get("/settings/languages")).status_code == 403


async def test_the_questions_of_a_portal_are_written_in_every_language(api: Api) -> None:
    elevated = await api.of(api.firm, elevated=True)
    setting = (await api.get(ORGANIZATION)).json()
    await elevated.request(
        "PATCH", f"{ORGANIZATION}/{setting['id']}", json=[replace("/enabledLocales", ["en-GB", "da-DK"])]
    )
    field = {"name": "matters", "label": "What matters?", "type": "Dropdown", "options": ["Savings", "A home"]}
    portal = await create(api, fields=[field])
    browser, path = await Browser.open(api, SIGNE), f"/settings/portals/{portal['id']}"
    form = read_form(await browser.get(path))
    assert form["fields:0:localizedLabel.da-DK"] == [""]
    await browser.post(path, form)
    assert await read(api, portal["id"]) == portal, "nothing was typed, and nothing changed"
    danish = {"localizedLabel.da-DK": ["Hvad er vigtigt?"], "localizedOptions.da-DK": ["Opsparing\nBolig"]}
    await browser.post(path, form | {f"fields:0:{name}": text for name, text in danish.items()})
    (written,) = (await read(api, portal["id"]))["fields"]
    assert written["localizedLabel"]["da-DK"] == "Hvad er vigtigt?"
    assert written["localizedOptions"]["da-DK"] == ["Opsparing", "Bolig"]
    form = read_form(await browser.get(path))
    refused = await browser.post(path, form | {"fields:0:localizedOptions.da-DK": ["Opsparing"]})
    assert refused.status_code == 422
    assert html.fromstring(refused.text).xpath("//*[@id='fields:0:localizedOptions.da-DK-error']")


async def test_a_language_that_was_removed_comes_back_with_its_texts(api: Api) -> None:
    browser, path = await Browser.open(api, SIGNE), "/settings/organization"
    added = await browser.post(path, read_form(await browser.get(path)) | {"enabledLocales": ["en-GB", "nb-NO"]})
    await browser.post(path, read_form(added) | {"localizedICalMeetingTitle.nb-NO": ["Møte"]})
    before = (await api.get(ORGANIZATION)).json()
    assert before["localizedICalMeetingTitle"]["nb-NO"] == "Møte"
    await browser.post(path, read_form(await browser.get(path)) | {"enabledLocales": ["en-GB"]})
    assert (await api.get(ORGANIZATION)).json() != before
    await browser.post(f"{path}/undo", {})
    assert (await api.get(ORGANIZATION)).json() == before


async def test_a_language_that_does_not_exist_is_refused_beside_the_field(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    form = read_form(await browser.get("/settings/organization"))
    refused = await browser.post("/settings/organization", form | {"enabledLocales": ["en-GB", "xx-YY"]})
    assert refused.status_code == 422
    assert html.fromstring(refused.text).xpath("//*[@id='enabledLocales-error']")


async def test_a_text_too_long_in_another_language_is_refused_beside_its_field(api: Api) -> None:
    elevated = await api.of(api.firm, elevated=True)
    setting = (await api.get(ORGANIZATION)).json()
    changes = [replace("/enabledLocales", ["en-GB", "da-DK"])]
    changed = await elevated.request("PATCH", f"{ORGANIZATION}/{setting['id']}", json=changes)
    assert changed.status_code == 200, changed.text
    browser, topic = await Browser.open(api, SIGNE), (await api.get(TOPICS)).json()[0]
    path = f"/settings/topics/{topic['id']}"
    form = read_form(await browser.get(path))
    refused = await browser.post(path, form | {"localizedName.da-DK": ["x" * 5000]})
    assert refused.status_code == 422
    assert html.fromstring(refused.text).xpath("//*[@id='localizedName.da-DK-error']")
