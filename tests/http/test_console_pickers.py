"""Choosing one of many people by typing, and calendars of many, in a firm of more than fifty.

The journey by keyboard is in tests/browser/test_console_pickers.py.
"""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
import pytest_asyncio
from lxml import html

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.console import ANNA, EVA, THOMAS, Browser
from support.factories import Api
from support.fakes import HandClock
from support.groups import COMPETENCE_GROUPS

ADD_PEOPLE = """
with one as (select id, row_number() over () - 1 as number from unnest($1::uuid[]) as id),
place as (insert into location (tenant_id, location_id, location)
    select current_tenant(), gen_random_uuid(), 'Odense'),
resource as (insert into resource (tenant_id, resource_id) select current_tenant(), id from one),
person as (insert into employee (tenant_id, employee_id, name, email, location)
    select current_tenant(), id, 'Kim Berg ' || to_char(number, 'fm00'), number || '@nordlys.example', 'Odense'
    from one),
schedule as (insert into employee_schedule (tenant_id, employee_schedule_id, employee_id)
    select current_tenant(), id, id from one)
insert into employee_workday
    (tenant_id, employee_schedule_id, position, day_of_week, from_time, to_time, meeting_types)
select current_tenant(), id, day, day, '08:00', '16:00', '{Online}' from one, generate_series(0, 4) as day
"""


@pytest_asyncio.fixture
async def people(database: Database) -> list[str]:
    """Add sixty employees at a location of their own; return their ids by name."""
    ids = [uuid4() for _ in range(60)]
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute(ADD_PEOPLE, ids)
    return [str(one) for one in ids]


def list_options(page: httpx.Response) -> list[str]:
    """Return the names that a page suggests, or has to choose from."""
    found = html.fromstring(page.text).xpath("//li[@role='option']/@data-label | //*[@data-meant]//label/text()")
    return [text.strip() for text in found if text.strip()]


def find_value(page: httpx.Response, name: str) -> str:
    return html.fromstring(page.text).xpath(f"//input[@name='{name}']/@value")[0]


async def test_a_small_firm_chooses_from_a_list(api: Api) -> None:
    browser = await Browser.open(api, ANNA)
    page = html.fromstring((await browser.get("/calendar")).text)
    groups = page.xpath("//select[@id='whose']/optgroup/@label")
    assert groups == ["Employees", "Teams", "Rooms", "Locations"]
    assert page.xpath("//select[@id='whose']/option | //input[@id='whose']") == []


@pytest.mark.usefixtures("people")
async def test_suggestions_are_twenty_at_most_and_of_each_kind(api: Api) -> None:
    browser = await Browser.open(api, ANNA)
    assert list_options(await browser.get("/suggestions/employees?for=employee&text=q&q=BERG 0")) == [
        *(f"Kim Berg {number:02}" for number in range(10)),
        *(f"Kim Berg {tens}0" for tens in range(1, 6)),
    ]
    found = list_options(await browser.get("/suggestions/calendars?for=whose&text=q&q="))
    assert len(found) == 20
    assert {"Anna Holm", "Havblik", "Odense"} <= set(found)
    nothing = await browser.get("/suggestions/calendars?for=whose&text=q&q=nobody")
    assert list_options(nothing) == []
    assert "Nothing has this name." in nothing.text
    assert (await browser.get("/suggestions/secrets")).status_code == 404


def list_rows(page: httpx.Response) -> list[str]:
    """Return the names of the people and rooms in a week of several."""
    return html.fromstring(page.text).xpath("//div[@class='board']//tbody/tr/th/a/text()")


async def test_without_scripts_a_name_leads_to_the_calendar_of_who_has_it(api: Api, people: list[str]) -> None:
    browser = await Browser.open(api, ANNA)
    page = await browser.get("/calendar")
    assert find_value(page, "whose.text") == "Anna Holm"
    found = await browser.get("/calendar?whose=&whose.text=berg 07&whose.was=Anna Holm&view=list")
    assert "Kim Berg 07" in html.fromstring(found.text).xpath("string(//h1/../p)")
    assert str(found.url).endswith(f"/calendar?whose=employee.{people[7]}&view=list")


async def test_without_scripts_namesakes_are_told_apart(api: Api, people: list[str]) -> None:
    browser = await Browser.open(api, ANNA)
    typed = "whose=employee.0&whose.text=berg 5&whose.was=Anna Holm"
    page = await browser.get(f"/calendar?{typed}")
    assert "Several have this name" in page.text
    assert len(list_options(page)) == 15
    chosen = f"whose=employee.{people[5]}&whose.text=berg 5&whose.was={find_value(page, 'whose.was')}"
    found = await browser.get(f"/calendar?{chosen}")
    assert "Kim Berg 05" in html.fromstring(found.text).xpath("string(//h1/../p)")
    nobody = await browser.get("/calendar?whose=&whose.text=nobody&whose.was=")
    assert "Nothing has this name." in nobody.text


async def test_why_a_time_is_missing_is_asked_of_somebody_by_name(api: Api, people: list[str]) -> None:
    browser = await Browser.open(api, ANNA)
    page = await browser.get("/calendar/why?employee=&employee.text=berg 33&employee.was=")
    assert str(page.url).split("?")[1] == f"employee={people[33]}"
    assert find_value(page, "employee.text") == "Kim Berg 33"
    unclear = await browser.get("/calendar/why?employee=&employee.text=berg&employee.was=")
    assert "Several have this name" in unclear.text
    assert len(list_options(unclear)) == 20


@pytest.mark.usefixtures("people")
async def test_a_calendar_of_many_has_pages(api: Api) -> None:
    browser = await Browser.open(api, ANNA)
    pages = [await browser.get(f"/calendar?whose=location.Odense&page={number}") for number in (1, 2, 9)]
    shown = [list_rows(page) for page in pages]
    assert shown[0] == [f"Kim Berg {number:02}" for number in range(40)]
    assert shown[1] == shown[2] == [f"Kim Berg {number:02}" for number in range(40, 60)]
    assert "1\u201340 of 60" in pages[0].text
    assert "41\u201360 of 60" in pages[2].text
    (following,) = html.fromstring(pages[0].text).xpath("//a[@rel='next' and contains(@href, 'page=2')]/@href")
    second = await browser.get(f"/calendar{following}")
    assert "41\u201360 of 60" in second.text


async def test_a_team_has_the_people_of_the_teams_below_it_and_a_location_its_rooms(
    api: Api, people: list[str], clock: HandClock
) -> None:
    browser = await Browser.open(api, ANNA)
    above = await COMPETENCE_GROUPS.create(api, "Above", employeeIds=people[:15])
    await COMPETENCE_GROUPS.create(api, "Below", employeeIds=people[15:30], parentGroupIds=[above["id"]])
    page = await browser.get(f"/calendar?whose=team.{above['id']}")
    assert list_rows(page) == [f"Kim Berg {number:02}" for number in range(30)]
    for number in range(3):
        room = {"name": f"Den {number}", "capacity": 4, "location": "Odense"}
        (await api.post("v3/booking/config/rooms", room)).raise_for_status()
    last = await browser.get("/calendar?whose=location.Odense&page=2")
    assert list_rows(last)[-4:] == ["Kim Berg 59", "Den 0", "Den 1", "Den 2"]
    day = clock().date()
    span = f"start={day}T00:00:00&end={day + timedelta(days=1)}T00:00:00"
    events = await browser.get(f"/calendar/events.json?whose=location.Odense&page=2&{span}")
    columns = {each for event in events.json() for each in event["resourceIds"]}
    assert columns <= {f"employee.{one}" for one in people[40:]}
    assert columns != set()


@pytest.mark.usefixtures("no_meetings")
async def test_a_meeting_is_moved_to_somebody_by_name(api: Api, people: list[str], clock: HandClock) -> None:
    begin = clock().replace(minute=0, second=0, microsecond=0) + timedelta(days=1, hours=3)
    body: dict[str, Any] = {
        "employeeId": people[0],
        "startDate": begin.isoformat(),
        "endDate": (begin + timedelta(hours=1)).isoformat(),
        "type": "Online",
        "customerId": "C-1",
    }
    meeting = (await api.post("v3/booking/meetings", body)).raise_for_status().json()
    browser, path = await Browser.open(api, EVA), f"/calendar/meetings/{meeting['id']}"
    page = await browser.get(path)
    form = next(one for one in html.fromstring(page.text).forms if str(one.action).endswith("/move"))
    sent = {name: str(value) for name, value in form.form_values()}
    assert (sent["employee"], sent["employee.text"]) == (people[0], "Kim Berg 00")
    unclear = await browser.post(f"{path}/move", sent | {"employee.text": "berg 4"})
    assert unclear.status_code == 422
    assert "Several have this name" in unclear.text
    chosen = sent | {"employee": people[44], "employee.text": "berg 4", "employee.was": "berg 4"}
    moved = await browser.post(f"{path}/move", chosen)
    assert "The meeting is moved" in moved.text
    assert find_value(moved, "employee.text") == "Kim Berg 44"
    assert (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()["employeeId"] == people[44]


async def test_lists_of_many_have_pages_and_are_searched_by_the_api(api: Api, people: list[str]) -> None:
    browser = await Browser.open(api, THOMAS)
    for path in ("/hours", "/settings/employees"):
        second = await browser.get(f"{path}?page=2")
        assert "Page 2 of 2" in second.text
        assert "Kim Berg 59" in second.text
        assert "Kim Berg 00" not in second.text
        found = await browser.get(f"{path}?q=BERG 59 odense")
        assert people[59] in found.text
        assert "Kim Berg 58" not in found.text
    hours = html.fromstring((await browser.get("/hours?q=berg 41")).text)
    assert hours.xpath("//tbody/tr/td[1]//span/text()") == ["08:00\u201316:00"]
    week = await browser.get(f"/hours/{people[41]}")
    assert "Kim Berg 41" in week.text


async def test_a_form_shows_the_chosen_of_many_and_those_that_are_looked_for(api: Api, people: list[str]) -> None:
    browser = await Browser.open(api, THOMAS)
    group = await COMPETENCE_GROUPS.create(api, "Berg", employeeIds=[people[50]])
    page = html.fromstring((await browser.get(f"/settings/competence-groups/{group['id']}")).text)
    boxes = "//div[@class='choices']//input[@name='employeeIds']"
    assert page.xpath(f"{boxes}/@value") == [people[50]]
    form = next(one for one in page.forms if one.xpath(f".{boxes}"))
    sent = dict(form.form_values()) | {"employeeIds": people[50], "find:employeeIds": "kim 52", "look": "employeeIds"}
    found = html.fromstring((await browser.post(f"/settings/competence-groups/{group['id']}", sent)).text)
    assert found.xpath(f"{boxes}/@value") == [people[50], people[52]]
    assert found.xpath(f"{boxes}[@checked]/@value") == [people[50]]


async def test_a_search_is_for_those_whose_names_have_what_was_typed(api: Api, people: list[str]) -> None:
    browser = await Browser.open(api, ANNA)
    typed = "/book?type=Online&days=7&employee=&employee.was=&employee.text="
    one = await browser.get(f"{typed}berg 07")
    assert (find_value(one, "employee"), find_value(one, "employee.text")) == (people[7], "Kim Berg 07")
    (chosen,) = {*html.fromstring(one.text).xpath("//button[@class='best-time']/span[@class='hint']/text()")}
    assert chosen.strip() == "Kim Berg 07"
    several = await browser.get(f"{typed}berg 07, berg 08")
    shown = html.fromstring(several.text).xpath("//span[@class='free']/button/text()")
    assert {*shown} == {"Kim Berg 07", "Kim Berg 08"}
    nobody = await browser.get(f"{typed}xyz")
    assert "No employee has that name" in nobody.text
    assert find_value(nobody, "employee.text") == "xyz"


async def test_absences_are_those_of_somebody_by_name(api: Api, people: list[str], clock: HandClock) -> None:
    begin = clock() + timedelta(days=2)
    span = {"startDate": begin.isoformat(), "endDate": (begin + timedelta(hours=2)).isoformat(), "status": "Busy"}
    for who in people[:2]:
        (await api.post("v3/booking/time-slots", {"employeeId": who, **span})).raise_for_status()
    browser = await Browser.open(api, EVA)
    typed = "/absences?kind=Busy&employee=&employee.was=&employee.text="
    found = await browser.get(f"{typed}berg 01")
    assert str(found.url).endswith(f"/absences?kind=Busy&employee={people[1]}")
    rows = html.fromstring(found.text).xpath("//ol[contains(@class, 'absences')]/li/strong/text()")
    assert rows == ["Kim Berg 01"]
    unclear = await browser.get(f"{typed}berg")
    assert "Several have this name" in unclear.text
    assert len(list_options(unclear)) == 20
    everybody = await browser.get("/absences?kind=Busy&employee=&employee.was=Kim&employee.text=")
    assert {"Kim Berg 00", "Kim Berg 01"} <= {*html.fromstring(everybody.text).xpath("//ol/li/strong/text()")}


async def test_of_many_members_fifty_are_shown_and_all_are_kept(api: Api, people: list[str]) -> None:
    browser = await Browser.open(api, THOMAS)
    group = await COMPETENCE_GROUPS.create(api, "Berg", employeeIds=people)
    path = f"/settings/competence-groups/{group['id']}"
    page = html.fromstring((await browser.get(path)).text)
    boxes = "//div[@class='choices']//input[@name='employeeIds']/@value"
    shown = page.xpath(boxes)
    assert 50 <= len(shown) < 60
    assert f"{60 - len(shown)} more are chosen" in page.text_content()
    form = next(one for one in page.forms if one.xpath(f".{boxes}"))
    sent: dict[str, Any] = {name: value for name, value in form.form_values() if name != "employeeIds"}
    hidden = next(one for one in people if one not in shown)
    number = people.index(hidden)
    look = sent | {"employeeIds": shown[1:], "find:employeeIds": f"berg {number:02}", "look": "employeeIds"}
    found = html.fromstring((await browser.post(path, look)).text)
    assert hidden in found.xpath("//input[@checked and @name='employeeIds']/@value")
    await browser.post(path, sent | {"employeeIds": shown[1:]})
    members = (await api.get(f"v3/booking/config/competence-groups/{group['id']}")).json()["employeeIds"]
    assert members == [one for one in people if one != shown[0]]


async def test_groups_and_topics_of_many_are_suggested_in_forms(api: Api) -> None:
    for number in range(31):
        await COMPETENCE_GROUPS.create(api, f"Crew {number:02}")
    browser = await Browser.open(api, THOMAS)
    page = html.fromstring((await browser.get("/settings/competence-groups/new")).text)
    (address,) = page.xpath("//input[@id='find:parentGroupIds']/@hx-get")
    found = await browser.get(f"/suggestions/{address.partition('/suggestions/')[2]}&find:parentGroupIds=crew 30")
    assert list_options(found) == ["Crew 30"]
    assert "Annual review" in list_options(await browser.get("/suggestions/topics?for=x&text=q&q=review"))
