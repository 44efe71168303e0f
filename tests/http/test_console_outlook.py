"""The console's first page for managers: the weeks before and after."""

from typing import Any

import pytest
from lxml import html

from meetdeck.pages.console.reports import outlook
from support.console import ANNA, EVA, Browser, list_links
from support.factories import Api
from support.fakes import HandClock

PART = {"HX-Request": "true"}


async def open_part(browser: Browser, name: str) -> Any:
    """Return the part that a page's script fetches."""
    answer = await browser.http.get(f"/console?outlook={name}", headers=PART)
    assert "<html" not in answer.text
    return html.fromstring(answer.text)


async def test_managers_see_what_was_booked_and_go_on_to_the_reports(api: Api, clock: HandClock) -> None:
    asked = (await api.get("v3/booking/reports/meetings?from=2026-02-28&to=2026-03-30&by=day")).json()
    clock.moment = clock.moment.replace(day=30)
    browser = await Browser.open(api, EVA)
    part = await open_part(browser, "figures")
    shown = {one.findtext("dt"): one.findtext("dd") for one in part.xpath("//dl/div")}
    totals = asked["totals"]
    assert totals["booked"] > 0
    assert shown == {
        "Meetings": str(totals["booked"]),
        "Bookings made": str(totals["bookingsMade"]),
        "Cancelled": str(totals["cancelled"]),
        "No-shows": str(totals["noShows"]),
    }
    bars = [int(bar.get("height")) for bar in part.xpath("//*[local-name()='rect']")]
    assert len(bars) == len(asked["rows"])
    assert [bool(bar) for bar in bars] == [row["booked"] > 0 for row in asked["rows"]]
    links = {link.rpartition("console/")[2] for link in list_links(await browser.get())}
    assert {"reports", "reports/forecast"} <= links


async def test_managers_see_where_times_to_come_are_scarcest(api: Api) -> None:
    asked = (await api.get("v3/booking/reports/forecast?isCustomerInitiated=true")).json()
    sums = sorted(sum(place["freeTimes"]) for topic in asked["topics"] for place in topic["places"])
    part = await open_part(await Browser.open(api, EVA), "forecast")
    rows = [[int(cell.text) for cell in row.xpath("td")] for row in part.xpath("//tbody/tr")]
    weeks = len(part.xpath("//thead//th")) - 2
    assert [sum(row[:weeks]) for row in rows] == sums[: len(rows)]
    assert 0 < len(rows) < len(sums)


async def test_the_times_of_very_many_are_counted_when_somebody_asks(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlook, "_MOST_EMPLOYEES", 3)
    part = await open_part(await Browser.open(api, EVA), "forecast")
    assert "takes a few seconds" in part.text_content()


@pytest.mark.parametrize("name", ["figures", "forecast"])
async def test_advisors_see_their_day_alone(api: Api, name: str) -> None:
    anna = await Browser.open(api, ANNA)
    assert "outlook" not in (await anna.get()).text
    assert "<h1" in (await anna.http.get(f"/console?outlook={name}", headers=PART)).text
