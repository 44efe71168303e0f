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
    rows = [[int(cell.text_content()) for cell in row.xpath("td")] for row in page.xpath("//main//tbody/tr")]
    assert rows == [[sum(free[day : day + WEEK]) for day in range(0, len(free), WEEK)] for free in places]
    assert any(sum(row) for row in rows)
    file = await browser.get("/reports/forecast.csv?seen=customers")
    assert file.text == (await api.get("v3/booking/reports/forecast?isCustomerInitiated=true&format=csv&limit=50")).text


async def test_each_number_leads_to_the_times_that_it_counts(api: Api) -> None:
    browser = await Browser.open(api, EVA)
    for seen in ("employees", "customers"):
        page = html.fromstring((await browser.get(f"/reports/forecast?seen={seen}")).text)
        links = page.xpath("//main//tbody//td/a")
        assert links
        assert links[0].get("aria-label") == f"{links[0].text} free: show them"
        for link in [*links[:2], *links[-3:], *links[8:20:4]]:
            shown = html.fromstring((await browser.get(link.get("href").removeprefix("/console"))).text)
            starts = [start for text in shown.xpath("//main//section/p/text()") for start in text.split(", ")]
            assert len(starts) == int(link.text), link.get("href")
            assert shown.xpath("//main/p[@class='lead']/text()")[0].startswith(link.text)
            assert f"seen={seen}" in shown.xpath("//main/a/@href")[-1]
    assert (await (await Browser.open(api, ANNA)).get("/reports/forecast/times")).status_code == 403


async def test_advisors_without_a_location_are_named_so(api: Api) -> None:
    schedule = (await api.get("v3/booking/config/employee-schedules")).json()[0]
    path = f"v3/booking/config/employee-schedules/{schedule['id']}"
    nowhere = [day | {"location": ""} for day in schedule["workdays"]]
    await api.request("PATCH", path, json=[{"op": "replace", "path": "/workdays", "value": nowhere}])
    employee = f"v3/booking/config/employees/{schedule['employeeId']}"
    await api.request("PUT", employee, json=(await api.get(employee)).json() | {"location": ""})
    browser = await Browser.open(api, EVA)
    page = html.fromstring((await browser.get("/reports/forecast")).text)
    (row, *_) = [each for each in page.xpath("//main//tbody/tr") if "In person, no location" in each.text_content()]
    link = row.xpath("td/a")[0]
    shown = (await browser.get(link.get("href").removeprefix("/console"))).text
    assert "In person, no location" in shown
    assert f"{link.text} half hours" in shown


async def test_many_topics_are_on_pages_and_all_in_the_file(api: Api) -> None:
    elevated = await api.of(api.firm, elevated=True)
    for number in range(60):
        made = await elevated.post("v3/booking/config/meeting-topics", {"name": f"Topic {number}", "order": 5})
        made.raise_for_status()
    browser = await Browser.open(api, EVA)
    total = len((await api.get("v3/booking/config/meeting-topics")).json())
    seen, path = list[str](), "/reports/forecast"
    while path:
        page = html.fromstring((await browser.get(path)).text)
        seen += page.xpath("//main//h2/text()")
        (path,) = [f"/reports/forecast{link}" for link in page.xpath("//a[@rel='next']/@href")] or [""]
    assert len(seen) == len(set(seen)) == total
    rows = (await browser.get("/reports/forecast.csv")).text.splitlines()[1:]
    served = [
        topic for topic in (await api.get("v3/booking/reports/forecast?limit=50")).json()["topics"] if topic["places"]
    ]
    assert len({row.split(",")[0] for row in rows}) >= len(served)
    assert len(rows) == len(set(rows))


async def test_days_of_the_week_on_which_nobody_works_are_named_once_and_are_no_gap(api: Api) -> None:
    page = html.fromstring((await (await Browser.open(api, EVA)).get("/reports/forecast")).text)
    assert "Saturday, Sunday." in "".join(page.xpath("//main//p[@class='hint']/text()"))
    assert not [text for text in page.xpath("//main//details//li/strong/text()") if "Saturday" in text]


async def close(api: Api, day: str) -> None:
    """Make a day a closing day."""
    path = "v3/booking/config/organization-settings"
    setting = (await api.get(path)).json()["id"]
    elevated = await api.of(api.firm, elevated=True)
    (await elevated.post(f"{path}/{setting}/closing-days?closingDays={day}T00:00:00Z")).raise_for_status()


async def test_why_days_have_no_free_time_is_told_with_a_link_to_where_that_is_set(api: Api) -> None:
    await close(api, "2026-03-11")
    page = html.fromstring((await (await Browser.open(api, SIGNE)).get("/reports/forecast")).text)
    assert page.xpath("//main//details//li/strong/text()")[0] == "Wednesday 11 March"
    links = [(each.get("href"), each.text) for each in page.xpath("//main//details//a")]
    assert any(href.endswith("/settings/closing-days?year=2026") and text == "a closing day" for href, text in links)


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
    await close(api, "2026-03-11")
    eva = html.fromstring((await (await Browser.open(api, EVA)).get("/reports/forecast?seen=customers")).text)
    assert eva.xpath("//main//details")
    assert not eva.xpath("//main//a[contains(@href, '/settings/')]")
    assert (await (await Browser.open(api, ANNA)).get("/reports/forecast")).status_code == 403
