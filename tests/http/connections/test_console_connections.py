"""The page of connections at the console: what is read, what is not, and what to do about it."""

import re
from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest_asyncio
from httpx import Response
from lxml import html

from meetdeck.platform.database import Database
from meetdeck.services import Services
from support.caldav_server import ACCOUNT, PASSWORD, open_caldav_server
from support.console import SIGNE, THOMAS, Browser, read_heading
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.graph import CLIENT, GROUP, SECRET, TENANT, Graph, serve_graph
from support.meetings import ANNA
from support.working import work

HERE = "/connections"
FILE = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nEND:VCALENDAR\r\n"


class Microsoft:
    """The fake, with Anna and a stranger in the group, and the form that connects it."""

    def __init__(self, graph: Graph, address: str, anna: str) -> None:
        self.graph = graph
        self.anna = anna
        self.form = {
            "name": "Microsoft 365",
            "directoryId": TENANT,
            "clientId": CLIENT,
            "groupId": GROUP,
            "clientSecret": SECRET,
            "tentativeBlocks": "yes",
            "staleAfter": "10",
            "whenStale": "Block",
            "writes": "Events",
            "address": address,
            "loginAddress": address,
        }


@pytest_asyncio.fixture
async def microsoft(api: Api, clock: HandClock) -> AsyncGenerator[Microsoft]:
    email = (await api.get(f"v3/booking/employees/{ANNA}")).json()["email"]
    graph = Graph()
    graph.world.clock.stop_at(clock())
    graph.plant_firm(email, "stranger@firm.test")
    async with serve_graph(graph) as address:
        yield Microsoft(graph, address, email)


def read_text(page: Response) -> str:
    return " ".join(html.fromstring(page.text).xpath("//main")[0].text_content().split())


async def upload(browser: Browser, path: str, form: dict[str, str], content: bytes) -> Response:
    """Send a form with a calendar file, and return the page that follows."""
    file = ("a.ics", content, "text/calendar")
    return await browser.http.post(f"/console{path}", data=form, files={"file": file})


def find_path(page: Response, pattern: str) -> str:
    """Return the first path below the console in a page that matches."""
    (path, *_) = re.findall(rf'"[^"]*console(/connections/{pattern})"', page.text)
    return path


async def test_a_firm_is_connected_read_changed_and_deleted(
    api: Api, microsoft: Microsoft, services: Services, clock: HandClock
) -> None:
    assert (await (await Browser.open(api, SIGNE)).get(HERE)).status_code == 403
    browser = await Browser.open(api, THOMAS)
    assert "Connect Microsoft 365" in read_text(await browser.get(HERE))
    wrong = await browser.post(f"{HERE}/new", {**microsoft.form, "groupId": "", "certificate": "nonsense"})
    assert wrong.status_code == 422
    assert SECRET not in wrong.text
    assert "nonsense" not in wrong.text

    made = await browser.post(f"{HERE}/new", microsoft.form)
    assert (made.status_code, read_heading(made)) == (200, "Microsoft 365")
    assert "Being read" in read_text(made)
    await work(services, clock)
    path = str(made.url).partition("/console")[2].partition("?")[0]
    shown = await browser.get(path)
    assert "In order" in read_text(shown)
    assert "No employee or room has this address." in read_text(await browser.get(f"{path}?status=Unmatched"))
    assert "stranger" not in read_text(await browser.get(f"{path}?status=Matched&q=anna"))

    form = await browser.get(f"{path}/change")
    assert html.fromstring(form.text).xpath("//select/option[@selected]/@value") == ["minutes", "Block", "Events"]
    assert SECRET not in form.text
    tag = html.fromstring(form.text).xpath("//input[@name='tag']/@value")[0]
    clock.advance(minutes=2)
    await browser.post(f"{path}/read", {})
    kept = {**microsoft.form, "clientSecret": "", "tag": tag}
    assert read_heading(await browser.post(f"{path}/change", {**kept, "name": "Outlook"})) == "Outlook"
    assert (await browser.post(f"{path}/change", {**kept, "name": "Mine"})).status_code == 412
    assert "In order" in read_text(await browser.get(path))

    assert "Delete Outlook?" in (await browser.post(f"{path}/delete", {})).text
    deleted = await browser.post(f"{path}/delete", {"sure": "yes"})
    assert "The connection is deleted" in deleted.text
    assert "Connect Microsoft 365" in deleted.text


async def test_each_state_says_what_to_do(api: Api, microsoft: Microsoft, services: Services, clock: HandClock) -> None:
    browser = await Browser.open(api, THOMAS)
    microsoft.graph.plant(applications=[{"clientId": CLIENT, "secrets": [SECRET], "permissions": []}])
    made = await browser.post(f"{HERE}/new", {**microsoft.form})
    await work(services, clock)
    assert "Waiting for consent" in read_text(await browser.get(HERE))
    path = str(made.url).partition("/console")[2].partition("?")[0]
    assert "GroupMember.Read.All" in read_text(await browser.get(path))


async def test_the_calendar_of_one_person_is_uploaded_and_deleted(api: Api) -> None:
    browser = await Browser.open(api, THOMAS)
    new = f"{HERE}/calendars/new"
    nobody: dict[str, Any] = {"kind": "Ics", "address": "", "whose": ""}
    assert "Choose whose calendar it is." in (await browser.post(new, nobody)).text
    whose = {"kind": "Ics", "whose": f"employee.{ANNA}"}
    broken = await upload(browser, new, whose, b"\xff\xfe")
    assert "Choose a calendar file (.ics)." in broken.text
    made = await upload(browser, new, whose, FILE)
    assert "The calendar is added." in made.text
    assert "Uploaded file" in read_text(made)
    path = find_path(made, "calendars/[0-9a-f-]{36}")
    shown = await browser.get(path)
    assert read_heading(shown) == "Calendar of Anna Holm"
    tag = html.fromstring(shown.text).xpath("//input[@name='tag']/@value")[0]
    again = await upload(browser, path, {"tag": tag}, FILE)
    assert "The calendar is saved." in again.text
    assert "Delete the calendar of Anna Holm?" in (await browser.post(f"{path}/delete", {})).text
    assert "The calendar is deleted" in (await browser.post(f"{path}/delete", {"sure": "yes"})).text


async def test_ten_thousand_mailboxes_are_listed_in_small_pages(
    api: Api, microsoft: Microsoft, services: Services, clock: HandClock, database: Database
) -> None:
    browser = await Browser.open(api, THOMAS)
    made = await browser.post(f"{HERE}/new", microsoft.form)
    await work(services, clock)
    path = str(made.url).partition("/console")[2].partition("?")[0]
    async with database.transaction(api.firm.tenant_id) as connection:
        await connection.execute(
            "insert into calendar_mailbox (tenant_id, mailbox_id, connection_id, email, employee_id, problem)"
            " select current_tenant(), gen_random_uuid(), $1, 'mailbox-' || n || '@firm.test', $2, 'Denied'"
            " from generate_series(1, 9998) as n",
            UUID(path.rpartition("/")[2]),
            UUID(ANNA),
        )
    first, last = await browser.get(f"{path}?status=Failing"), await browser.get(f"{path}?page=999")
    assert "Page 1 of 200" in read_text(first)
    assert "is it in the group's scope" in read_text(first)
    assert "Page 200 of 200" in read_text(last)
    assert "10,000" in read_text(last)
    assert max(len(one.content) for one in (first, last, await browser.get(HERE))) < 100_000


async def test_an_employees_page_says_where_times_come_from_and_makes_an_address(
    api: Api, microsoft: Microsoft, services: Services, clock: HandClock
) -> None:
    browser = await Browser.open(api, THOMAS)
    hub = f"/settings/employees/{ANNA}"
    start, end = ({"dateTime": f"{TUESDAY_AT_TEN + timedelta(hours=hour):%Y-%m-%dT%H:%M:%S}"} for hour in (0, 1))
    microsoft.graph.plant(events=[{"mail": microsoft.anna, "event": {"subject": "Knee", "start": start, "end": end}}])
    assert "no calendar is connected" in read_text(await browser.get(hub))
    await browser.post(f"{HERE}/new", microsoft.form)
    await work(services, clock)
    assert "Microsoft 365, read just now" in read_text(await browser.get(hub))
    advisor = await Browser.open(api, SIGNE)
    week = f"/calendar?whose=employee.{ANNA}&day={TUESDAY_AT_TEN:%Y-%m-%d}"
    shown = read_text(await advisor.get(f"{week}&view=list"))
    assert "Other appointments: Microsoft 365" in shown
    assert "Another appointment" in shown
    assert "Knee" not in shown
    absences = await browser.get(f"/absences?employee={ANNA}")
    assert not re.findall(r"/absences/[0-9a-f-]{36}", absences.text), "the calendar alone changes what it said"

    path = f"{HERE}/feeds/{ANNA}"
    assert "Nobody can subscribe to it." in read_text(await browser.get(path))
    made = await browser.post(path, {})
    busy, whole = html.fromstring(made.text).xpath("//input[@readonly]/@value")
    assert whole == f"{busy}?details=true"
    assert (await api.http.get(busy.removeprefix("http://meetdeck.test"))).status_code == 200
    assert "Its address was made" in read_text(await browser.get(hub))
    assert "Create a new address for Anna Holm?" in (await browser.post(path, {})).text
    assert "End the address of Anna Holm?" in (await browser.post(f"{path}/end", {})).text
    assert "Nobody can subscribe to it." in read_text(await browser.post(f"{path}/end", {"sure": "yes"}))


async def test_a_caldav_server_is_connected_and_changed(api: Api, services: Services, clock: HandClock) -> None:
    browser = await Browser.open(api, THOMAS)
    anna = (await api.get(f"v3/booking/employees/{ANNA}")).json()["email"].lower()
    assert "Connect a CalDAV server" in read_text(await browser.get(HERE))
    form = await browser.get(f"{HERE}/new?kind=CalDav")
    assert read_heading(form) == "Connect a CalDAV server"
    async with open_caldav_server() as dav:
        dav.people = {anna: []}
        filled = {
            "name": "Nextcloud",
            "address": dav.address,
            "userName": ACCOUNT,
            "password": PASSWORD,
            "tentativeBlocks": "yes",
            "staleAfter": "10",
            "whenStale": "Offer",
        }
        wrong = await browser.post(f"{HERE}/new?kind=CalDav", {**filled, "userName": ""})
        assert (wrong.status_code, PASSWORD in wrong.text) == (422, False)
        made = await browser.post(f"{HERE}/new?kind=CalDav", filled)
        assert (made.status_code, read_heading(made)) == (200, "Nextcloud")
        await work(services, clock)
        path = str(made.url).partition("/console")[2].partition("?")[0]
        assert "In order" in read_text(await browser.get(path))
        change = await browser.get(f"{path}/change")
        assert PASSWORD not in change.text
        assert "Microsoft" not in read_text(change)
        tag = html.fromstring(change.text).xpath("//input[@name='tag']/@value")[0]
        kept = {**filled, "password": "", "tag": tag}
        assert read_heading(await browser.post(f"{path}/change", {**kept, "name": "Ours"})) == "Ours"
        assert (await browser.post(f"{path}/change", {**kept, "name": "Mine"})).status_code == 412
        dav.statuses = {"/": 401}
        clock.advance(minutes=2)
        await browser.post(f"{path}/read", {})
        shown = read_text(await browser.get(path))
        assert "The server refuses the user name or the password" in shown
        assert "Microsoft" not in shown
