"""Reports and the audit log at the console."""

from lxml import html

from support.console import ANNA, EVA, SIGNE, THOMAS, Browser
from support.factories import Api


async def test_a_report_has_the_numbers_of_the_api_and_its_file(api: Api) -> None:
    browser = await Browser.open(api, EVA)
    query = "from=2026-02-01&to=2026-04-30&by=employee"
    asked = (await api.get(f"v3/booking/reports/meetings?{query}")).json()
    assert asked["totals"]["booked"] > 0
    page = html.fromstring((await browser.get(f"/reports/meetings?{query}")).text)
    rows = [[cell.text_content().strip() for cell in row][:2] for row in page.xpath("//tbody/tr")]
    assert rows == [[row["name"], str(row["booked"])] for row in asked["rows"]]
    (total,) = page.xpath("//tfoot/tr")
    assert total[1].text_content() == str(asked["totals"]["booked"])
    file = await browser.get(f"/reports/meetings.csv?{query}")
    assert file.headers["content-disposition"].startswith("attachment")
    assert file.text == (await api.get(f"v3/booking/reports/meetings?{query}&format=csv")).text
    shares = html.fromstring((await browser.get(f"/reports/utilization?{query}")).text)
    told = [row[1].text_content().strip() for row in shares.xpath("//tbody/tr")]
    assert told == [f"{row.xpath('.//rect/@width')[0]} %" for row in shares.xpath("//tbody/tr")], (
        "a bar of all is 100 %"
    )


async def test_days_without_numbers_are_left_out_and_others_lead_to_the_calendar(api: Api) -> None:
    browser = await Browser.open(api, EVA)
    query = "from=2026-02-01&to=2026-04-30&by=day"
    asked = (await api.get(f"v3/booking/reports/meetings?{query}")).json()
    page = html.fromstring((await browser.get(f"/reports/meetings?{query}")).text)
    days = [row["key"] for row in asked["rows"] if row["booked"] or row["bookingsMade"]]
    assert 0 < len(days) < len(asked["rows"])
    links = [link.rpartition("console/")[2] for link in page.xpath("//tbody/tr/th/a/@href")]
    assert links == [f"calendar?day={day}&view=day" for day in days]
    empty = await browser.get("/reports/meetings?from=2020-01-01&to=2020-01-31")
    assert "No meetings in these days." in empty.text
    assert "<tbody>" not in empty.text


async def test_lengths_are_hours_and_never_days(api: Api) -> None:
    page = html.fromstring((await (await Browser.open(api, EVA)).get("/reports/utilization?by=employee")).text)
    lengths = [cell.text_content().strip() for row in page.xpath("//table//tr[td]") for cell in row.xpath("td")[1:]]
    assert lengths
    assert all(text.split()[1] in {"h", "min"} for text in lengths), lengths


async def test_too_long_a_report_is_refused_beside_its_dates(api: Api) -> None:
    page = await (await Browser.open(api, EVA)).get("/reports/meetings?from=2020-01-01&to=2026-01-01")
    assert page.status_code == 422
    assert 'href="#to"' in page.text


async def test_changes_are_in_the_audit_log_with_the_values_and_their_author(api: Api) -> None:
    signe, thomas = await Browser.open(api, SIGNE), await Browser.open(api, THOMAS)
    await signe.post("/settings/rooms/new", {"name": "Room <9>", "capacity": "6"})
    page = await thomas.get("/audit-log?kind=rooms")
    (entry,) = html.fromstring(page.text).xpath("//ol[contains(@class, 'day-list')]/li")
    assert "Room <9>" in entry.text_content()
    assert "Signe Ravn added Room <9>" in entry.text_content()
    assert any("/console/settings/rooms/" in link for link in entry.xpath(".//a/@href"))
    await thomas.post("/settings/rooms/new", {"name": "Room 10", "capacity": "6"})
    newest = html.fromstring((await thomas.get("/audit-log")).text).xpath("//ol[contains(@class, 'day-list')]/li")[0]
    assert "You added Room 10" in newest.text_content()
    found = html.fromstring((await thomas.get("/audit-log?person=signe&thing=room")).text)
    assert len(found.xpath("//ol[contains(@class, 'day-list')]/li")) == 1
    assert not html.fromstring((await thomas.get("/audit-log?day=2020-01-01")).text).xpath("//ol/li")
    file = await thomas.get("/audit-log?person=signe&format=csv")
    assert (file.headers["content-type"].partition(";")[0], file.text.count("\n")) == ("text/csv", 2)
    assert "Signe Ravn" in file.text


async def test_reports_are_for_managers_and_the_audit_log_for_admins(api: Api) -> None:
    anna, eva, signe = [await Browser.open(api, user) for user in (ANNA, EVA, SIGNE)]
    statuses = [(await anna.get("/reports")), (await eva.get("/reports")), (await signe.get("/audit-log"))]
    assert [answer.status_code for answer in statuses] == [403, 200, 403]


async def test_a_number_leads_to_the_meetings_that_it_counts(api: Api) -> None:
    browser = await Browser.open(api, EVA)
    page = html.fromstring((await browser.get("/reports/meetings?from=2026-02-01&to=2026-04-30&by=employee")).text)
    (link, *_) = page.xpath("//tbody/tr[1]/td[1]//a")
    listed = html.fromstring((await browser.get("/" + link.get("href").partition("console/")[2])).text)
    meetings = listed.xpath("//ol[contains(@class, 'found-meetings')]/li")
    assert str(len(meetings)) == link.text_content()
    assert all("/calendar/meetings/" in one.xpath(".//a/@href")[0] for one in meetings)
    assert (await browser.get("/reports/meetings/counted?count=totalLength")).status_code == 404
