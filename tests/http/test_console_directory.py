"""The firm's directory at the console: its tokens, what it owns, and whose meetings must be given away."""

import re

import pytest
import pytest_asyncio
from lxml import html

from meetdeck.platform.database import Database
from support.console import SIGNE, THOMAS, Browser, read_heading
from support.directories import Directory
from support.factories import Api
from support.meetings import ANNA, BO, book

PAGE = "/settings/directory"


@pytest_asyncio.fixture
async def directory(api: Api, database: Database) -> Directory:
    return await Directory.open(api, database)


async def test_a_token_is_made_shown_once_and_revoked_after_a_question(api: Api) -> None:
    assert (await (await Browser.open(api, SIGNE)).get(PAGE)).status_code == 403
    browser = await Browser.open(api, THOMAS)
    made = await browser.post(PAGE, {"name": "Entra"})
    address, token = html.fromstring(made.text).xpath("//input[@readonly]/@value")
    assert (made.status_code, read_heading(made)) == (201, "Entra has a new token")
    assert address == "http://meetdeck.test/scim/v2"
    assert (await Directory(api.http, token).get("/Users")).status_code == 200
    listed = await browser.get(PAGE)
    assert token not in listed.text
    assert f"…{token[-4:]}" in listed.text
    (path,) = re.findall(r'action="[^"]*console(/settings/directory/[^"]+/revoke)"', listed.text)
    asked = await browser.post(path, {})
    assert "edited here again" in asked.text
    assert "The token is revoked" in (await browser.post(path, {"sure": "yes"})).text
    assert (await browser.post(PAGE, {"name": " "})).status_code == 422


async def test_what_the_directory_owns_is_shown_without_fields(api: Api, directory: Directory) -> None:
    await directory.patch(f"/Users/{ANNA}", {"op": "replace", "path": "title", "value": "Head of Loans"})
    group = await directory.create_group("Pensions", ANNA, BO)
    browser = await Browser.open(api, THOMAS)
    page = html.fromstring((await browser.get(f"/settings/employees/{ANNA}")).text)
    names = set(page.xpath("//form[@id='settings-form']//*[@name]/@name"))
    assert names & {"name", "email", "phone", "title", "externalId", "active"} == set()
    assert {"location", "initials"} <= names
    owned = " ".join(page.xpath("//section[@aria-labelledby='from-directory']")[0].text_content().split())
    assert "Head of Loans" in owned
    assert not page.xpath("//button[contains(@formaction, '/delete')]")
    tag = page.xpath("//input[@name='tag']/@value")[0]
    saved = await browser.post(f"/settings/employees/{ANNA}", {"tag": tag, "initials": "AH", "title": "Mine"})
    assert saved.status_code == 200, saved.text
    employee = (await api.get(f"v3/booking/employees/{ANNA}")).json()
    assert (employee["initials"], employee["title"], employee["active"]) == ("AH", "Head of Loans", True)
    page = html.fromstring((await browser.get(f"/settings/competence-groups/{group['id']}")).text)
    owned = page.xpath("//section[@aria-labelledby='from-directory']")[0].text_content()
    assert all(name in owned for name in ("Pensions", "Anna Holm", "Bo Lind"))


@pytest.mark.usefixtures("no_meetings")
async def test_the_meetings_of_a_leaver_are_given_away(api: Api, directory: Directory) -> None:
    meeting = await book(api)
    browser = await Browser.open(api, THOMAS)
    assert "can no longer be booked" not in (await browser.get("")).text
    await directory.send("DELETE", f"/Users/{ANNA}")
    overview = await browser.get("")
    assert "Anna Holm can no longer be booked" in overview.text
    assert "1 meeting is still to come." in overview.text
    path = f"/absences/leavers/{ANNA}"
    assert f"console{path}" in overview.text
    assert "Meetings that Anna Holm leaves behind" in (await browser.get(path)).text
    given = await browser.post(path, {})
    assert "1 meeting is reassigned." in given.text
    assert (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()["employeeId"] != ANNA
    assert "can no longer be booked" not in (await browser.get("")).text
