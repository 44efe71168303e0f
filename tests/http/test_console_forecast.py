"""The forecast of free times at the console."""

from lxml import html

from support.console import ANNA, EVA, SIGNE, Browser
from support.factories import Api

WEEK = 7


async def test_the_forecast_has_the_free_times_of_the_api_by_week_and_its_file(api: Api) -> None:
    browser = await Browser.open(api, EVA)
    asked = (await api.get("v3/booking/reports/forecast?isCustomerInitiated=true")).json()
    places = [place["freeTimes"] for topic in asked["topics"] for place in topic["places"]]
    page = html.fromstring((await browser.get("/reports/forecast?seen=customers")).text)
    rows = [[int(cell.text) for cell in row.xpath("td")] for row in page.xpath("//main//tbody/tr")]
    assert rows == [[sum(free[day : day + WEEK]) for day in range(0, len(free), WEEK)] for free in places]
    assert any(sum(row) for row in rows)
    file = await browser.get("/reports/forecast.csv?seen=customers")
    assert file.text == (await api.get("v3/booking/reports/forecast?isCustomerInitiated=true&format=csv&limit=50")).text


async def test_why_days_have_no_free_time_is_told_with_a_link_to_where_that_is_set(api: Api) -> None:
    page = html.fromstring((await (await Browser.open(api, SIGNE)).get("/reports/forecast")).text)
    links = [(each.get("href"), each.text) for each in page.xpath("//main//details//a")]
    assert any(href.endswith("/console/hours") and text == "outside working hours" for href, text in links)


async def test_a_topic_that_customers_cannot_book_says_so(api: Api) -> None:
    topic = (await api.get("v3/booking/reports/forecast")).json()["topics"][0]["topicId"]
    path = f"v3/booking/config/meeting-topics/{topic}"
    change = [{"op": "replace", "path": "/customerBookable", "value": False}]
    changed = await api.request("PATCH", path, json=change, headers={"Content-Type": "application/json-patch+json"})
    assert changed.status_code == 200, changed.text
    answer = await (await Browser.open(api, EVA)).get("/reports/forecast?seen=customers")
    assert answer.status_code == 200
    assert "customers cannot book the topic" in answer.text


async def test_what_the_reader_may_not_set_is_told_without_a_link(api: Api) -> None:
    eva = html.fromstring((await (await Browser.open(api, EVA)).get("/reports/forecast?seen=customers")).text)
    assert eva.xpath("//main//details")
    assert not eva.xpath("//main//a[contains(@href, '/settings/')]")
    assert (await (await Browser.open(api, ANNA)).get("/reports/forecast")).status_code == 403
