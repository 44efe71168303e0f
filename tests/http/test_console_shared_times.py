"""Times that customers share at the console: one block, its customers with the attendance of each, cancelled as one."""

from datetime import timedelta
from typing import Any

import pytest
from lxml import html

from meetdeck.demo.firm import NORDLYS
from meetdeck.services import Services
from support.console import ANNA, Browser
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.searches import change
from support.working import work

pytestmark = pytest.mark.usefixtures("no_meetings")

ADVISOR, REVIEW = str(NORDLYS.id_of("employee", "Anna Holm")), str(NORDLYS.id_of("topic", "Annual review"))
DAY = TUESDAY_AT_TEN.date()
WEEK = {"start": f"{DAY}T00:00:00", "end": f"{DAY + timedelta(days=1)}T00:00:00"}


@pytest.fixture(name="seminar")
async def _seminar(api: Api) -> list[dict[str, Any]]:
    """Book three of the twelve seats of an hour of Anna's."""
    await change(api, f"meeting-topics/{REVIEW}", seats=12)
    times = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + timedelta(hours=1)).isoformat()}
    content = {"employeeId": ADVISOR, "type": "Online", "topicId": REVIEW, **times}
    return [
        (await api.book(**content, customerId=name, externalAttendees=[guest])).raise_for_status().json()
        for name in ("Noah", "Freja", "Emma")
        for guest in [{"name": name, "email": f"{name.lower()}@example.com", "isCustomer": True}]
    ]


def list_customers(page: str) -> list[list[str]]:
    """Return the customers of a meeting's page, each with the pressed buttons."""
    rows = html.fromstring(page).xpath("//ul[@class='seats']/li")
    return [[row.xpath("(a|strong)/text()")[0], *row.xpath(".//button[@aria-pressed='true']/text()")] for row in rows]


async def test_customers_who_share_a_time_are_one_block_that_tells_the_seats_taken(
    api: Api, seminar: list[dict[str, Any]]
) -> None:
    browser = await Browser.open(api, ANNA)
    listed = await browser.http.get("/console/calendar/events.json", params={"whose": f"employee.{ADVISOR}", **WEEK})
    (event,) = [one for one in listed.json() if one.get("extendedProps", {}).get("meeting")]
    assert (event["title"], event["extendedProps"]["about"], event["editable"]) == ("3 of 12", "Annual review", False)
    team = api.firm.id_of("competence group", "Annual review")
    board = html.fromstring((await browser.get(f"/calendar?whose=team.{team}&view=week&day={DAY}")).text)
    (chip,) = board.xpath("//a[contains(@class, 'chip')]")
    assert (chip.xpath("span/text()"), chip.get("draggable")) == (["3 of 12 · Annual review"], "false")
    glance = await browser.get(f"/calendar/meetings/{seminar[0]['id']}/glance")
    assert "3 of 12: Emma, Freja, Noah" in glance.text
    await change(api, f"meeting-topics/{REVIEW}", minimumSeats=5)
    glance = await browser.get(f"/calendar/meetings/{seminar[0]['id']}/glance")
    assert "3 of at least 5: Emma, Freja, Noah" in glance.text


async def test_the_page_of_a_shared_time_has_its_customers_and_the_attendance_of_each(
    api: Api, seminar: list[dict[str, Any]], clock: HandClock
) -> None:
    path = f"/calendar/meetings/{seminar[0]['id']}"
    page = await (await Browser.open(api, ANNA)).get(path)
    assert list_customers(page.text) == [["Emma"], ["Freja"], ["Noah"]]
    clock.advance(days=2)
    browser = await Browser.open(api, ANNA)
    await browser.post(f"/calendar/meetings/{seminar[1]['id']}/attendance", {"attendance": "NoShow"})
    noted = await browser.post(
        f"/calendar/meetings/{seminar[2]['id']}/attendance", {"attendance": "Attended", "shown": seminar[0]["id"]}
    )
    assert str(noted.url.path).endswith(path)
    assert list_customers(noted.text) == [["Emma", "Came"], ["Freja", "Did not come"], ["Noah"]]


async def test_a_shared_time_is_cancelled_for_all(api: Api, seminar: list[dict[str, Any]]) -> None:
    browser, path = await Browser.open(api, ANNA), f"/calendar/meetings/{seminar[0]['id']}"
    page = await browser.get(path)
    (tag,) = set(html.fromstring(page.text).xpath("//form[contains(@action, 'cancel')]//input/@value"))
    assert "Cancel for all 3 customers" in page.text
    cancelled = await browser.post(f"{path}/cancel", {"tag": tag, "sharedSlot": "yes"})
    assert "Undo" in cancelled.text
    assert (await api.get("v3/booking/meetings")).json() == []


async def test_a_meeting_that_was_cancelled_by_itself_says_why(
    api: Api, seminar: list[dict[str, Any]], services: Services, clock: HandClock
) -> None:
    await change(api, f"meeting-topics/{REVIEW}", minimumSeats=5)
    await work(services, clock)
    clock.advance(hours=24)
    await work(services, clock)
    page = await (await Browser.open(api, ANNA)).get(f"/calendar/customer?id={seminar[0]['customerId']}")
    assert "Cancelled: too few customers" in page.text
