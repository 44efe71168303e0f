"""The calendar of the console: weeks, and meetings that are moved and cancelled."""

import re
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio
from lxml import html

from support.console import ANNA, EVA, THOMAS, Browser, list_links
from support.factories import Api
from support.fakes import HandClock

HOUR = timedelta(hours=1)


@pytest.fixture
def begin(clock: HandClock, no_meetings: None) -> datetime:
    """Return an hour of tomorrow."""
    assert no_meetings is None
    return clock().replace(minute=0, second=0, microsecond=0) + timedelta(days=1, hours=3)


@pytest_asyncio.fixture
async def meeting(api: Api, begin: datetime) -> dict[str, Any]:
    """Book an hour with Anna."""
    return await book(api, "Anna Holm", begin, "Pension of Freja")


async def book(api: Api, name: str, begin: datetime, title: str) -> dict[str, Any]:
    body = {
        "employeeId": str(api.firm.id_of("employee", name)),
        "startDate": begin.isoformat(),
        "endDate": (begin + HOUR).isoformat(),
        "type": "Online",
        "title": title,
        "customerId": "C-1",
        "externalAttendees": [{"name": "Freja Holm", "email": "freja@example.com"}],
    }
    return (await api.post("v3/booking/meetings", body)).raise_for_status().json()


def read_move(page: httpx.Response) -> dict[str, str]:
    """Return what the form of a move sends when nothing is typed."""
    form = next(one for one in html.fromstring(page.text).forms if one.action.endswith("/move"))
    return dict(form.form_values())


async def test_a_week_shows_meetings_holds_and_busy_times_of_an_advisor(
    api: Api, meeting: dict[str, Any], begin: datetime
) -> None:
    assert meeting["title"] == "Pension of Freja"
    anna = str(api.firm.id_of("employee", "Anna Holm"))
    for status, hours in (("Busy", 2), ("ExtraOpen", 10)):
        span = {"startDate": (begin + hours * HOUR).isoformat(), "endDate": (begin + (hours + 1) * HOUR).isoformat()}
        (await api.post("v3/booking/time-slots", {"employeeId": anna, "status": status, **span})).raise_for_status()
    browser = await Browser.open(api, ANNA)
    page = html.fromstring((await browser.get(f"/calendar?day={begin.date()}")).text)
    heading = page.xpath("string(//h1)"), page.xpath("string(//h1/../p)")
    assert heading == ("2\N{EN DASH}8 March", "Week 10 · Anna Holm · 1 meeting")
    (day,) = page.xpath(f"//section[@aria-labelledby='d{begin.date()}']")
    entries = [" ".join(entry.text_content().split()) for entry in day.xpath(".//li")]
    assert [entry.split(" ", 3)[3] for entry in entries] == [
        "Freja Holm Pension of Freja Online",
        "Busy",
        "Extra hours",
    ]
    bo = await browser.get(f"/calendar?day={begin.date()}&whose=employee.{api.firm.id_of('employee', 'Bo Lind')}")
    assert "Pension of Freja" not in bo.text


def find_view(page: httpx.Response) -> str:
    """Return the view that is marked as the one shown."""
    return html.fromstring(page.text).xpath("string(//nav[@aria-label='View']/a[@aria-current])")


async def test_a_phone_shows_a_day_or_a_list_unless_another_view_is_asked_for(api: Api, begin: datetime) -> None:
    browser = await Browser.open(api, ANNA)
    assert find_view(await browser.get(f"/calendar?day={begin.date()}")) == "Week"
    browser.http.headers["User-Agent"] = "Mozilla/5.0 (Android 16; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
    assert find_view(await browser.get(f"/calendar?day={begin.date()}")) == "Day"
    assert find_view(await browser.get("/calendar?whose=location.Aarhus")) == "List"
    assert find_view(await browser.get("/calendar?whose=location.Aarhus&view=week")) == "Week"
    assert find_view(await browser.get("/calendar?view=timeline")) == "Day"


async def test_a_day_is_chosen_in_a_small_month_and_keys_lead_on(api: Api, begin: datetime) -> None:
    assert begin.date().isoformat() == "2026-03-03"
    browser = await Browser.open(api, ANNA)
    shown = html.fromstring((await browser.get("/calendar?day=2026-03-03")).text)
    (month,) = shown.xpath("//details[contains(@class, 'day-picker')]")
    assert "open" not in month.attrib
    rows = [" ".join(row.xpath("*//text()")) for row in month.xpath(".//tbody/tr")]
    assert rows[0] == "9 23 24 25 26 27 28 1"
    assert rows[-1] == "14 30 31 1 2 3 4 5"
    (twelfth,) = month.xpath(".//td/a[text()='12']/@href")
    assert "day=2026-03-12" in twelfth
    keys = {link.get("data-shortcut"): link.get("href") for link in shown.xpath("//a[@data-shortcut]")}
    assert [part for key in "ptn" for part in keys[key].split("&") if part.startswith("day=")] == [
        "day=2026-02-23",
        "day=2026-03-02",
        "day=2026-03-09",
    ]
    (after,) = month.xpath(".//a[@rel='next']/@href")
    april = html.fromstring((await browser.get(f"/calendar{after}")).text)
    assert april.xpath("string(//details[@open]//b)") == "April 2026"
    assert april.xpath("string(//h1)") == "2\N{EN DASH}8 March"


async def test_a_meeting_is_moved_by_its_form(api: Api, meeting: dict[str, Any]) -> None:
    browser = await Browser.open(api, ANNA)
    path = f"/calendar/meetings/{meeting['id']}"
    form = read_move(await browser.get(path))
    later = f"{int(form['begin'][:2]) + 1:02}:00"
    moved = await browser.post(f"{path}/move", form | {"begin": later, "end": f"{int(later[:2]) + 1:02}:30"})
    assert "The meeting is moved" in moved.text
    after = (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()
    begin, end = (datetime.fromisoformat(after[name]) for name in ("startDate", "endDate"))
    assert begin == datetime.fromisoformat(meeting["startDate"]) + HOUR
    assert end - begin == 1.5 * HOUR
    assert "Anna Holm moved it from Tuesday 3 March, 10:00 to 11:00" in read_history(moved)[-1]


def list_next_times(page: httpx.Response) -> list[str]:
    """Return the values of the buttons with the advisor's next free times."""
    return html.fromstring(page.text).xpath("//button[@name='at']/@value")


async def test_a_meeting_keeps_its_length_when_its_begin_alone_is_changed(api: Api, meeting: dict[str, Any]) -> None:
    browser = await Browser.open(api, ANNA)
    path = f"/calendar/meetings/{meeting['id']}"

    async def move(**typed: str) -> str:
        form = read_move(await browser.get(path))
        await browser.post(f"{path}/move", form | {"follows": ""} | typed)
        after = (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()
        return f"{after['startDate'][11:16]} {after['endDate'][11:16]}"

    assert (form := read_move(await browser.get(path)))["begin"] == "10:00"
    assert form["end"] == "11:00"
    assert await move(begin="13:30") == "12:30 13:30"
    assert await move(begin="13:00", end="14:00") == "12:00 13:00"
    assert await move(begin="12:00", follows="script") == "11:00 13:00"
    assert await move(end="12:30") == "11:00 11:30"


async def test_the_next_free_times_of_the_advisor_are_buttons(
    api: Api, meeting: dict[str, Any], begin: datetime
) -> None:
    await book(api, "Anna Holm", begin + 2 * HOUR, "In the way")
    browser = await Browser.open(api, ANNA)
    path = f"/calendar/meetings/{meeting['id']}"
    page = await browser.get(path)
    assert list_next_times(page) == ["2026-03-03T10:30", "2026-03-03T11:00", "2026-03-03T13:00"]
    buttons = html.fromstring(page.text).xpath("//button[@name='at']/text()")
    assert buttons[2] == "Tuesday 3 March, 13:00"
    moved = await browser.post(f"{path}/move", read_move(page) | {"at": "2026-03-03T13:00"})
    assert "The meeting is moved" in moved.text
    after = (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()
    assert (after["startDate"][11:16], after["endDate"][11:16]) == ("12:00", "13:00")
    nonsense = await browser.post(f"{path}/move", read_move(moved) | {"at": "soon"})
    assert nonsense.status_code == 422


async def test_a_conflict_is_explained_and_what_was_typed_stays(
    api: Api, meeting: dict[str, Any], begin: datetime
) -> None:
    await book(api, "Bo Lind", begin, "A house for Karl")
    bo = str(api.firm.id_of("employee", "Bo Lind"))
    browser = await Browser.open(api, EVA)
    path = f"/calendar/meetings/{meeting['id']}"
    refused = await browser.post(f"{path}/move", read_move(await browser.get(path)) | {"employee": bo})
    assert refused.status_code == 409
    assert (
        "This time is no longer available"
        in html.fromstring(refused.text).xpath("//*[@class='ds-error-summary']")[0].text_content()
    )
    assert read_move(refused)["employee"] == bo
    nonsense = await browser.post(f"{path}/move", read_move(refused) | {"begin": "noon"})
    assert nonsense.status_code == 422


async def test_what_somebody_else_changes_meanwhile_is_kept(api: Api, meeting: dict[str, Any]) -> None:
    """Two open the same form: one changes the day, the other the advisor."""
    first, second = await Browser.open(api, ANNA), await Browser.open(api, EVA)
    bo, path = str(api.firm.id_of("employee", "Bo Lind")), f"/calendar/meetings/{meeting['id']}"
    mine, theirs = read_move(await first.get(path)), read_move(await second.get(path))
    await second.post(f"{path}/move", theirs | {"employee": bo})
    stale = await first.post(f"{path}/move", mine | {"day": "2026-04-15"})
    again = read_move(stale)
    assert (stale.status_code, again["day"], again["employee"]) == (412, "2026-04-15", bo)
    (conflict,) = html.fromstring(stale.text).xpath("//section[contains(@class, 'conflict')]//tbody/tr")
    assert conflict.xpath("*/text()")[:2] == ["Day", "2026-04-15"]
    await first.post(f"{path}/move", again)
    after = (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()
    assert (after["startDate"][:10], after["employeeId"]) == ("2026-04-15", bo)


async def test_a_meeting_is_cancelled_and_says_so(api: Api, meeting: dict[str, Any]) -> None:
    browser = await Browser.open(api, ANNA)
    path = f"/calendar/meetings/{meeting['id']}"
    tag = read_move(await browser.get(path))["tag"]
    week = await browser.post(f"{path}/cancel", {"tag": tag})
    assert (week.status_code, week.url.path) == (200, "/console/calendar")
    assert re.search(r"The meeting is cancelled\. Everyone who takes part is notified at \d\d:01\.", week.text)
    assert "Pension of Freja" not in week.text
    page = html.fromstring((await browser.get(path)).text)  # somebody has it among their bookmarks
    (said,) = page.xpath("//div[contains(@class, 'ds-alert')]")
    assert re.match(
        r"This meeting was cancelled\. Anna Holm cancelled it, .*\d\d:\d\d\.$", " ".join(said.text_content().split())
    )
    assert page.xpath("//main//form") == []
    (undo,) = html.fromstring(week.text).xpath("//form[contains(@action, '/undo')]/@action")
    back = await browser.post(undo.rpartition("/console")[2], {})
    assert "The change was undone, and nobody is notified." in back.text
    late = await browser.post(undo.rpartition("/console")[2], {})
    assert "This can no longer be undone" in late.text
    assert (await browser.get("/calendar/meetings/00000000-0000-0000-0000-000000000000")).status_code == 404


async def test_a_missing_time_is_explained_with_a_link_to_where_it_is_set(api: Api, meeting: dict[str, Any]) -> None:
    anna, day = meeting["employeeId"], meeting["startDate"][:10]
    path = f"/calendar/why?employee={anna}&day={day}&type=Online"
    page = await (await Browser.open(api, THOMAS)).get(path)
    stretches = html.fromstring(page.text).xpath("//ol[contains(@class, 'day-list')]/li")
    said = [" ".join(one.text_content().split()) for one in stretches]
    taken = "Anna Holm is taken: the meeting Pension of Freja Tuesday 3 March, 10:00 to 11:00."
    works = "Anna Holm works on Tuesdays from 08:30 to 16:30, and the whole slot must lie within."
    assert all(any(sentence in each for each in said) for sentence in (taken, works))
    links = {link.rsplit("console/", 1)[1] for link in list_links(page) if "console/hours/" in link}
    assert links == {f"hours/{anna}"}
    assert not any("console/hours/" in link for link in list_links(await (await Browser.open(api, ANNA)).get(path)))


async def test_a_danish_page_says_the_rules_in_danish(api: Api, meeting: dict[str, Any]) -> None:
    anna, day = meeting["employeeId"], meeting["startDate"][:10]
    browser = await Browser.open(api, THOMAS)
    browser.http.headers["Accept-Language"] = "da"
    shown = html.fromstring((await browser.get(f"/calendar/why?employee={anna}&day={day}&type=Online")).text)
    page = " ".join(shown.text_content().split())
    assert "Anna Holm er optaget: mødet Pension of Freja tirsdag 3. marts kl. 10.00\N{EN DASH}11.00." in page
    assert "Anna Holm arbejder om tirsdagen 08.30\N{EN DASH}16.30, og hele mødet skal ligge inden for det." in page
    path = f"/calendar/meetings/{meeting['id']}"
    refused = await browser.post(f"{path}/move", read_move(await browser.get(path)) | {"day": "2026-02-02"})
    assert "Tiden er gået." in refused.text
    assert "In the past" not in refused.text


def read_history(page: httpx.Response) -> list[str]:
    """Return the lines of a meeting's history, without their times."""
    lines = html.fromstring(page.text).xpath("//ol[@class='deeds']/li/div")
    return [" ".join(" ".join(line.itertext()).split()) for line in lines]


async def test_the_history_tells_what_was_another_before(api: Api, meeting: dict[str, Any]) -> None:
    bo = str(api.firm.id_of("employee", "Bo Lind"))
    changed = [
        {"op": "replace", "path": "/employeeId", "value": bo},
        {"op": "replace", "path": "/title", "value": "Pension"},
    ]
    (await api.request("PATCH", f"v3/booking/meetings/{meeting['id']}", json=changed)).raise_for_status()
    browser = await Browser.open(api, ANNA)
    page = await browser.get(f"/calendar/meetings/{meeting['id']}")
    first, second = read_history(page)
    assert first == "A system with an API key booked it"
    assert second == "A system with an API key reassigned it from Anna Holm to Bo Lind Title Pension of Freja Pension"


async def test_whether_the_customer_came_is_noted_once_the_meeting_has_begun(
    api: Api, clock: HandClock, meeting: dict[str, Any]
) -> None:
    path = f"/calendar/meetings/{meeting['id']}"
    assert "Did the customer come?" not in (await (await Browser.open(api, ANNA)).get(path)).text
    clock.advance(days=2)
    api = await api.of(api.firm)
    browser = await Browser.open(api, ANNA)
    noted = await browser.post(f"{path}/attendance", {"attendance": "NoShow"})
    assert "Saved. Nobody is notified" in noted.text
    assert html.fromstring(noted.text).xpath("//input[@name='attendance'][@checked]/@value") == ["NoShow"]
    assert read_history(noted)[-1] == "Anna Holm noted: The customer did not come"
    assert (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()["attendance"] == "NoShow"
    taken_back = await browser.post(f"{path}/attendance", {"attendance": ""})
    assert html.fromstring(taken_back.text).xpath("//input[@name='attendance'][@checked]/@value") == [""]


async def test_a_series_is_listed_and_moved_and_cancelled_from_a_meeting_on(api: Api, begin: datetime) -> None:
    body = {
        "employeeId": str(api.firm.id_of("employee", "Anna Holm")),
        "startDate": begin.isoformat(),
        "endDate": (begin + HOUR).isoformat(),
        "type": "Online",
        "customerId": "C-1",
        "recurrence": "FREQ=WEEKLY;COUNT=4",
    }
    series = (await api.post("v3/booking/meetings", body)).raise_for_status().json()["meetings"]
    browser = await Browser.open(api, ANNA)
    path = f"/calendar/meetings/{series[1]['id']}"
    page = await browser.get(path)
    listed = html.fromstring(page.text).xpath("//ol[@class='series']//a/@href")
    assert [one.rpartition("/")[2] for one in listed] == [series[place]["id"] for place in (0, 2, 3)]
    typed = read_move(page)
    hour = datetime.fromisoformat(f"2026-01-01T{typed['begin']}") + HOUR
    moved = await browser.post(f"{path}/move", typed | {"begin": f"{hour:%H:%M}", "series": "yes"})
    assert "3 meetings are moved." in moved.text
    after = (await api.get("v3/booking/meetings", params={"seriesId": series[0]["id"]})).json()
    shifts = [
        datetime.fromisoformat(one["startDate"]) - datetime.fromisoformat(was["startDate"])
        for one, was in zip(after, series, strict=True)
    ]
    assert shifts == [timedelta(0), HOUR, HOUR, HOUR]
    week = await browser.post(f"{path}/cancel", {"tag": read_move(moved)["tag"], "series": "yes"})
    assert "3 meetings are cancelled." in week.text
    left = (await api.get("v3/booking/meetings", params={"seriesId": series[0]["id"]})).json()
    assert [one["id"] for one in left] == [series[0]["id"]]
    (undo,) = html.fromstring(week.text).xpath("//form[contains(@action, '/undo')]")
    await browser.post("/calendar/changes/undo", dict(undo.form_values()))
    assert len((await api.get("v3/booking/meetings", params={"seriesId": series[0]["id"]})).json()) == 4
