"""The page of a meeting as a desk: the customer, the answers below their questions, who did what, and its form."""

from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio
from lxml import html

from support.console import ANNA, EVA, THOMAS, Browser
from support.factories import Api
from support.fakes import HandClock

pytestmark = pytest.mark.usefixtures("no_meetings")
HOUR = timedelta(hours=1)


@pytest.fixture
def begin(clock: HandClock) -> datetime:
    """Return an hour of tomorrow."""
    return clock().replace(minute=0, second=0, microsecond=0) + timedelta(days=1, hours=3)


async def book(api: Api, begin: datetime, **members: Any) -> dict[str, Any]:
    body = {
        "employeeId": str(api.firm.id_of("employee", "Anna Holm")),
        "startDate": begin.isoformat(),
        "endDate": (begin + HOUR).isoformat(),
        "type": "Online",
        "title": "Pension",
        "customerId": "C-1044",
        "externalAttendees": [{"name": "Agnes Skov", "email": "agnes@example.com", "isCustomer": True}],
    }
    return (await api.post("v3/booking/meetings", body | members)).raise_for_status().json()


@pytest_asyncio.fixture
async def meeting(api: Api, begin: datetime) -> dict[str, Any]:
    """Book an hour with Anna, with two answers and a link."""
    answers = [
        {"key": "phone", "value": "+45 22 33 44 55"},
        {"key": "subject", "value": "A bigger home"},
        {"key": "unknown", "value": "true"},
    ]
    return await book(api, begin, customFields=answers, videoLink="https://meet.example.com/1")


async def show(browser: Browser, meeting: dict[str, Any]) -> Any:
    return html.fromstring((await browser.get(f"/calendar/meetings/{meeting['id']}")).text)


def read(element: Any) -> str:
    return " ".join(element.text_content().split())


async def test_the_desk_shows_the_customer_and_what_was_answered(api: Api, meeting: dict[str, Any]) -> None:
    page = await show(await Browser.open(api, ANNA), meeting)
    assert read(page.xpath("//h1")[0]) == "Agnes Skov"
    about = [read(one) for one in page.xpath("//ul[@class='desk-about']/li")]
    assert about == ["Pension", "C-1044", "The customer's first meeting"]
    answers = [[read(each) for each in one] for one in page.xpath("//dl[@class='answers']/div")]
    assert answers == [["What matters most to you?", "A bigger home"], ["unknown", "Yes"]]
    assert page.xpath("//a[starts-with(@href, 'tel:')]/@href") == ["tel:+4522334455"]
    assert page.xpath("//a[@href='mailto:agnes@example.com']")
    assert page.xpath("//a[text()='Join']/@href") == ["https://meet.example.com/1"]


async def test_all_meetings_of_a_customer_are_one_click_away(
    api: Api, meeting: dict[str, Any], begin: datetime
) -> None:
    later = await book(api, begin + timedelta(days=1), title="Second talk")
    other = await book(api, begin + timedelta(days=2), customerId="C-9", title="Somebody else's")
    (await api.request("DELETE", f"v3/booking/meetings/{later['id']}")).raise_for_status()
    third = await book(api, begin + timedelta(days=3), title="Third talk")
    browser = await Browser.open(api, ANNA)
    page = await show(browser, third)
    (link,) = page.xpath("//ul[@class='desk-about']/li/a")
    assert read(link) == "1 meeting before"
    all_of_it = await browser.get(link.get("href").rpartition("console")[2])
    assert all_of_it.status_code == 200
    coming = [read(one) for one in html.fromstring(all_of_it.text).xpath("//section[@aria-labelledby='coming']//li")]
    assert [(meeting["title"] in coming[0]), ("Cancelled" in coming[1]), ("Third talk" in coming[2])] == [True] * 3
    assert (len(coming), other["title"] in all_of_it.text) == (3, False)
    assert (await browser.get("/calendar/customer?id=C-404")).status_code == 404


def read_history(page: Any) -> list[str]:
    return [read(one.find("div")) for one in page.xpath("//ol[@class='deeds']/li")]


async def test_the_history_names_who_did_what(api: Api, meeting: dict[str, Any], clock: HandClock) -> None:
    eva, anna = await Browser.open(api, EVA), await Browser.open(api, ANNA)
    page = await eva.get(f"/calendar/meetings/{meeting['id']}")
    form = dict(next(one for one in html.fromstring(page.text).forms if one.action.endswith("/move")).form_values())
    bo = str(api.firm.id_of("employee", "Bo Lind"))
    await eva.post(f"/calendar/meetings/{meeting['id']}/move", form | {"employee": bo})
    clock.advance(minutes=2)
    entries = (await api.get(f"v3/booking/meetings/{meeting['id']}/history")).json()
    assert [one["userName"] for one in entries][1] == "Eva Sand"
    first, second = read_history(await show(anna, meeting))
    assert first == "A system with an API key booked it"
    assert second == "Eva Sand reassigned it from Anna Holm to Bo Lind"
    anna.http.headers["Accept-Language"] = "da"
    assert read_history(await show(anna, meeting))[1] == "Eva Sand gav mødet videre fra Anna Holm til Bo Lind"


async def open_form(browser: Browser, meeting: dict[str, Any]) -> dict[str, Any]:
    return read_form(await browser.get(f"/calendar/meetings/{meeting['id']}/edit"))


def read_form(page: httpx.Response) -> dict[str, Any]:
    form = next(one for one in html.fromstring(page.text).forms if one.get("id") == "settings-form")
    values: dict[str, Any] = {}
    for name, value in form.form_values():
        values[name] = [*values.get(name, []), value]
    return values


async def test_everything_about_a_meeting_is_edited(api: Api, meeting: dict[str, Any]) -> None:
    browser, path = await Browser.open(api, ANNA), f"/calendar/meetings/{meeting['id']}/edit"
    form = await open_form(browser, meeting)
    assert form["externalAttendees:0:isCustomer"] == ["yes"]
    more = await browser.post(path, form | {"row": "externalAttendees:add"})
    assert more.status_code == 200
    bo = str(api.firm.id_of("employee", "Bo Lind"))
    typed = read_form(more) | {
        "title": "Pension and home",
        "videoLink": "https://meet.example.com/2",
        "description": "Bring the\r\ncontract.",
        "additionalEmployees": [bo],
        "externalAttendees:1:name": "Karl Skov",
        "externalAttendees:1:email": "karl@example.com",
        "answers.1": "A much bigger home",
        "answers.2": "",
    }
    saved = await browser.post(path, typed)
    assert "The meeting is changed. Everyone who takes part is notified at" in saved.text
    after = (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()
    assert (after["title"], after["description"]) == ("Pension and home", "Bring the\ncontract.")
    assert (after["videoLink"], after["additionalEmployees"]) == ("https://meet.example.com/2", [bo])
    assert [(one["name"], one.get("isCustomer")) for one in after["externalAttendees"]] == [
        ("Agnes Skov", True),
        ("Karl Skov", None),
    ]
    assert {one["key"]: one["value"] for one in after["customFields"]} == {
        "phone": "+45 22 33 44 55",
        "subject": "A much bigger home",
    }
    assert after["startDate"] == meeting["startDate"]
    undone = await browser.post(f"/calendar/meetings/{meeting['id']}/undo", {})
    assert "The change was undone" in undone.text
    assert (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()["title"] == "Pension"


async def test_a_change_that_nobody_is_told_says_so(api: Api, meeting: dict[str, Any]) -> None:
    browser, path = await Browser.open(api, ANNA), f"/calendar/meetings/{meeting['id']}/edit"
    saved = await browser.post(path, await open_form(browser, meeting) | {"description": "For us."})
    assert "The meeting is changed. Nobody is notified." in saved.text
    again = await browser.post(path, await open_form(browser, meeting))
    assert "The meeting is changed" not in again.text


async def test_two_who_edit_a_meeting_see_both_versions(api: Api, meeting: dict[str, Any]) -> None:
    anna, thomas = await Browser.open(api, ANNA), await Browser.open(api, THOMAS)
    path = f"/calendar/meetings/{meeting['id']}/edit"
    mine, theirs = await open_form(anna, meeting), await open_form(thomas, meeting)
    await thomas.post(path, theirs | {"title": "Theirs"})
    stale = await anna.post(path, mine | {"title": "Mine"})
    assert stale.status_code == 412
    (conflict,) = html.fromstring(stale.text).xpath("//section[contains(@class, 'conflict')]//tbody/tr")
    assert [read(one) for one in conflict] == ["Title", "Mine", "Theirs"]
    await anna.post(path, read_form(stale))
    assert (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()["title"] == "Mine"


async def test_what_is_wrong_stands_beside_its_field(api: Api, meeting: dict[str, Any]) -> None:
    browser, path = await Browser.open(api, ANNA), f"/calendar/meetings/{meeting['id']}/edit"
    typed = await open_form(browser, meeting) | {"externalAttendees:0:email": "nobody", "title": "Kept"}
    refused = await browser.post(path, typed)
    page = html.fromstring(refused.text)
    assert refused.status_code == 422
    assert page.get_element_by_id("externalAttendees:0:email-error") is not None
    assert read_form(refused)["title"] == ["Kept"]


def read_days(page: httpx.Response) -> list[tuple[str, list[str]]]:
    days = html.fromstring(page.text).xpath("//section[contains(@class, 'own-day')]")
    return [(read(day.find(".//h2")), [read(one) for one in day.xpath(".//li")]) for day in days]


async def test_an_advisor_sees_today_and_the_next_day_with_meetings(
    api: Api, meeting: dict[str, Any], begin: datetime, clock: HandClock
) -> None:
    today = await book(api, begin - timedelta(days=1), title="Second talk", type="Telephone")
    assert (today["title"], meeting["title"]) == ("Second talk", "Pension")
    (first, here), (second, there) = read_days(await (await Browser.open(api, ANNA)).get())
    assert (first, second) == ("Today 1 meeting, 1 h", "Tomorrow 1 meeting, 1 h")
    assert here[0].startswith("10:00 to 11:00 Agnes SkovSecond talk, 1 h · By telephone")
    assert there[0].startswith("10:00 to 11:00 Agnes SkovPension, 1 h · Online")
    assert "Prepare a deck" in there[0]
    clock.advance(hours=8)
    api = await api.of(api.firm)
    after = read_days(await (await Browser.open(api, ANNA)).get())
    assert [heading.split()[0] for heading, _ in after] == ["Tomorrow", "Today"]
    assert "Prepare" not in after[1][1][0]
    clock.advance(days=1)
    api = await api.of(api.firm)
    empty = await (await Browser.open(api, EVA)).get("?whose=own")
    assert "Nothing is booked today." in empty.text
    assert "Nothing is booked in the next seven days." in empty.text


def read_bar(page: httpx.Response) -> tuple[str, dict[str, tuple[str, dict[str, str]]]]:
    """Return what the bar says, and its buttons: where each sends a form, and what."""
    (bar,) = html.fromstring(page.text).xpath("//div[@data-said]")
    buttons = {
        read(form.xpath(".//button")[0]): (form.action.rpartition("/console")[2], dict(form.form_values()))
        for form in bar.xpath(".//form")
    }
    return read(bar.find("p")), buttons


async def change(browser: Browser, meeting: dict[str, Any]) -> httpx.Response:
    path = f"/calendar/meetings/{meeting['id']}/edit"
    return await browser.post(path, await open_form(browser, meeting) | {"title": "Home"})


async def test_the_bar_tells_now_and_adds_a_line(api: Api, meeting: dict[str, Any]) -> None:
    browser = await Browser.open(api, ANNA)
    said, buttons = read_bar(await change(browser, meeting))
    assert said.startswith("The meeting is changed. Everyone who takes part is notified at")
    assert list(buttons) == ["Undo", "Tell now", "Add a line"]
    path, fields = buttons["Add a line"]
    form = html.fromstring((await browser.http.get(f"/console{path}", params=fields)).text)
    typed = dict(form.xpath("//main//form")[0].form_values())
    empty = await browser.post(path, typed)
    assert (empty.status_code, "Write a line." in empty.text) == (422, True)
    said, buttons = read_bar(await browser.post(path, typed | {"line": "Anna is in Odense."}))
    assert said.startswith("Your line is included. Everyone who takes part is notified at")
    told = await browser.post(*buttons["Tell now"])
    assert read_bar(told)[0] == "Everyone who takes part is notified."
    late = await browser.post(*buttons["Undo"])
    assert "This can no longer be undone" in late.text
    assert (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()["title"] == "Home"


async def test_meetings_that_were_given_away_are_taken_back_together(api: Api, meeting: dict[str, Any]) -> None:
    other = await book(api, datetime.fromisoformat(meeting["startDate"]) + 2 * HOUR, title="Second talk")
    eva, anna = await Browser.open(api, EVA), str(api.firm.id_of("employee", "Anna Holm"))
    day = {"employeeId": anna, "status": "Busy", "startDate": "2026-03-03T00:00", "endDate": "2026-03-04T00:00"}
    absence = (await api.post("v3/booking/time-slots", day)).raise_for_status().json()
    given = await eva.post(f"/absences/{absence['id']}/meetings", {})
    said, buttons = read_bar(given)
    assert said.startswith("2 meetings are reassigned. Everyone who takes part is notified at")
    assert list(buttons) == ["Undo", "Tell now", "Add a line"]
    holders = [(await api.get(f"v3/booking/meetings/{one['id']}")).json()["employeeId"] for one in (meeting, other)]
    assert anna not in holders
    undone = await eva.post(*buttons["Undo"])
    assert "The change was undone, and nobody is notified." in undone.text
    assert undone.url.path.endswith(f"/absences/{absence['id']}/meetings")
    holders = [(await api.get(f"v3/booking/meetings/{one['id']}")).json()["employeeId"] for one in (meeting, other)]
    assert holders == [anna, anna]


async def test_a_question_with_options_is_a_list_to_choose_from(api: Api, begin: datetime) -> None:
    elevated = await api.of(api.firm, elevated=True)
    heard = {"name": "heard", "label": "How did you hear of us?", "type": "Dropdown", "options": ["A friend", "News"]}
    portal = {"name": "Asking", "authenticationType": "Anonymous", "fields": [heard]}
    made = (await elevated.post("v3/booking/config/portals", portal)).raise_for_status().json()
    meeting = await book(api, begin, portalId=made["id"], customFields=[{"key": "heard", "value": "News"}])
    browser, path = await Browser.open(api, ANNA), f"/calendar/meetings/{meeting['id']}/edit"
    page = await browser.get(path)
    (place,) = html.fromstring(page.text).xpath("//label[contains(., 'How did you hear')]/@for")
    select = html.fromstring(page.text).xpath(f"//select[@name='{place}']")[0]
    assert select.value_options == ["", "A friend", "News"]
    assert select.value == "News"
    await browser.post(path, read_form(page) | {place: "A friend"})
    after = (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()
    assert after["customFields"] == [{"key": "heard", "value": "A friend"}]
