"""Finding a customer at the console: meetings and wishes by name, e-mail, id and reference."""

from datetime import datetime, timedelta
from typing import Any

import pytest_asyncio
from lxml import html

from support.console import ANNA, Browser, list_links
from support.factories import TUESDAY_AT_TEN, Api

HOUR = timedelta(hours=1)


@pytest_asyncio.fixture
async def meeting(api: Api, no_meetings: None) -> dict[str, Any]:
    """Book an hour with Freja."""
    assert no_meetings is None
    return await book(api, TUESDAY_AT_TEN)


async def book(api: Api, begin: datetime, **members: Any) -> dict[str, Any]:
    body: dict[str, Any] = {
        "employeeId": api.id_of("employee", "Anna Holm"),
        "startDate": begin.isoformat(),
        "endDate": (begin + HOUR).isoformat(),
        "type": "Online",
        "title": "Pension",
        "customerId": "C-77",
        "externalAttendees": [{"name": "Freja Ørsted", "email": "freja@example.com"}],
    }
    return (await api.book(**(body | members))).raise_for_status().json()


async def test_a_meeting_is_found_from_any_page(api: Api, meeting: dict[str, Any]) -> None:
    browser = await Browser.open(api, ANNA)
    (link,) = html.fromstring((await browser.get("/calendar")).text).xpath("//a[@data-find]")
    assert link.get("href").endswith("console/find")
    for text in ("ørsted", "freja@example", "C-77", "pension"):
        found = await browser.http.get("/console/find", params={"q": text})
        assert any(link.endswith(f"/calendar/meetings/{meeting['id']}") for link in list_links(found)), text
        assert "Tuesday 3 March 2026, 10:00" in found.text
        assert "Freja Ørsted" in found.text


async def test_who_waits_is_found_too_and_other_months_are_a_link_away(api: Api, meeting: dict[str, Any]) -> None:
    assert meeting["title"] == "Pension"
    later = await book(api, TUESDAY_AT_TEN + timedelta(days=75), title="In May")
    wish = {"name": "Freja Ørsted", "email": "freja@example.com", "to": "2026-03-20T00:00:00Z"}
    (await api.post("v3/booking/wishes", wish)).raise_for_status()
    browser = await Browser.open(api, ANNA)
    found = await browser.http.get("/console/find", params={"q": "freja"})
    assert "On the waiting list" in found.text
    assert later["id"] not in found.text
    (after,) = html.fromstring(found.text).xpath("//a[@rel='next']/@href")
    assert later["id"] in (await browser.get(f"/find{after}")).text
    nobody = await browser.http.get("/console/find", params={"q": "<Nobody>", "from": "soon"})
    assert "No meeting in these months has that." in nobody.text
    assert "&lt;Nobody&gt;" in nobody.text


async def test_a_customer_is_found_with_all_meetings_also_by_an_id_of_long_ago(
    api: Api, meeting: dict[str, Any]
) -> None:
    assert meeting["customerId"] == "C-77"
    await book(
        api,
        TUESDAY_AT_TEN + timedelta(days=140),
        customerId="C-99",
        externalAttendees=[{"name": "Karl Skov", "email": "k@example.com"}],
    )
    browser = await Browser.open(api, ANNA)
    for text, number in (("freja", "C-77"), ("freja@example.com", "C-77"), ("C-77", "C-77"), ("C-99", "C-99")):
        for headers in ({}, {"HX-Request": "true"}):
            found = await browser.http.get("/console/find", params={"q": text}, headers=headers)
            links = [link for link in list_links(found) if link.endswith(f"/calendar/customer?id={number}")]
            assert len(links) == 1, (text, headers)
    nobody = await browser.http.get("/console/find", params={"q": "C-1"}, headers={"HX-Request": "true"})
    assert "/calendar/customer" not in nobody.text
