"""Booking for a customer at the console: searching, holding, the details, and what becomes of a lost race."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest
from lxml import html

from support.console import ANNA, EVA, Browser, list_links, read_heading
from support.factories import Api
from support.fakes import HandClock
from support.patches import add, replace
from support.rooms import keep_a_room_for_two

ZONE = ZoneInfo("Europe/Copenhagen")
HOUR = timedelta(hours=1)
FREJA = {"name": "Freja Holm", "email": "freja@example.com"}


@pytest.fixture
def wanted(api: Api, no_meetings: None) -> dict[str, str]:
    """Return a search for an annual review in Aarhus."""
    assert no_meetings is None
    return {"topic": api.id_of("topic", "Annual review"), "type": "Physical", "place": "Aarhus"}


def read_form(page: httpx.Response, action: str) -> dict[str, str]:
    """Return what the form of an action sends when no button is pressed."""
    form = next(one for one in html.fromstring(page.text).forms if (one.action or "").endswith(action))
    return {name: str(value) for name, value in form.form_values()}


def list_times(page: httpx.Response) -> list[str]:
    """Return the values of the buttons of times, the soonest first."""
    return html.fromstring(page.text).xpath("//button[@name='time']/@value")


def read_texts(page: httpx.Response, xpath: str) -> list[str]:
    return [" ".join(one.text_content().split()) for one in html.fromstring(page.text).xpath(xpath)]


async def find(browser: Browser, wanted: dict[str, str]) -> httpx.Response:
    return await browser.get("/book?" + str(httpx.QueryParams(wanted)))


async def hold(browser: Browser, wanted: dict[str, str]) -> httpx.Response:
    """Hold the first time that a search finds, and return the form of the customer's details."""
    page = await find(browser, wanted)
    held = await browser.post("/book/hold", read_form(page, "/book/hold") | {"time": list_times(page)[0]})
    assert held.status_code == 200, held.text
    return held


async def get_meetings(api: Api) -> list[dict[str, Any]]:
    return (await api.get("v3/booking/meetings")).json()


async def test_a_customer_who_speaks_danish_gets_a_danish_meeting(api: Api, wanted: dict[str, str]) -> None:
    setting = (await api.get("v3/booking/config/organization-settings")).json()
    browser, at = await Browser.open(api, ANNA), f"v3/booking/config/organization-settings/{setting['id']}"
    assert not html.fromstring((await hold(browser, wanted)).text).xpath("//select[@name='language']"), "there is one"
    await api.request("PATCH", at, json=[replace("/enabledLocales", ["en-GB", "da-DK"])])
    topic = f"v3/booking/config/meeting-topics/{wanted['topic']}"
    await api.request("PATCH", topic, json=[add("/localizedName/da-DK", "Årsgennemgang")])
    form = read_form(await hold(browser, wanted), "/book")
    assert form["language"] == "en-GB"
    await browser.post("/book", form | {"name": "Freja Holm", "email": "freja@example.com", "language": "da-DK"})
    (meeting,) = await get_meetings(api)
    assert (meeting["language"], meeting["title"]) == ("da-DK", "Årsgennemgang")


async def test_a_call_ends_with_a_booked_meeting(api: Api, wanted: dict[str, str]) -> None:
    browser = await Browser.open(api, ANNA)
    held = await hold(browser, wanted)
    assert read_heading(held) == "The customer"
    form = read_form(held, "/book") | FREJA | {"answer:phone": "+45 70 10 20 30", "note": "Bring the papers."}
    booked = await browser.post("/book", form)
    assert "The meeting is booked" in booked.text
    (meeting,) = await get_meetings(api)
    assert booked.url.path == f"/console/calendar/meetings/{meeting['id']}"
    assert (meeting["title"], meeting["type"], meeting["bookedBy"]) == ("Annual review", "Physical", "Employee")
    assert meeting["topicId"] == wanted["topic"]
    assert meeting["externalAttendees"] == [FREJA | {"isCustomer": True}]
    assert meeting["customFields"] == [{"key": "phone", "value": "+45 70 10 20 30"}]
    assert meeting["description"] == "Bring the papers."
    assert "Contactfreja@example.com · +45 70 10 20 30" in read_texts(booked, "//dl[@class='facts']/div")
    assert meeting["roomId"], "a room of Aarhus is given"
    again = await browser.post("/book", form)
    assert again.url == booked.url
    assert len(await get_meetings(api)) == 1, "a button that is pressed twice books once"


async def test_the_soonest_times_come_first_then_each_day_with_everybody_who_is_free(
    api: Api, wanted: dict[str, str], clock: HandClock
) -> None:
    page = await find(await Browser.open(api, ANNA), wanted)
    best = read_texts(page, "//ul[@class='best']/li//strong")
    assert best == ["Monday 2 March", "Monday 2 March", "Tuesday 3 March"], "the first of each half day"
    days = html.fromstring(page.text).xpath("//details[contains(@class, 'free-day')]")
    assert len(days) == 5
    first = days[1].xpath(".//li[span[text()='10:00 to 11:00']]")[0]
    assert first.xpath(".//button/text()") == ["Anna Holm", "Bo Lind", "Camilla Friis"]
    free = (await api.get("v3/booking/time-slots/available", params=_search(api, clock))).json()
    assert len(days[0].xpath(".//button")) == len(free)


def _search(api: Api, clock: HandClock) -> dict[str, Any]:
    """Return the search of today in Aarhus, as the API takes it."""
    tomorrow = clock().astimezone(ZONE).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    seconds = round((tomorrow - clock()).total_seconds())
    return {
        "requireEmployeeParticipation": "false",
        "topic": api.id_of("topic", "Annual review"),
        "meetingTypes": "Physical",
        "customerLocation": "Aarhus",
        "startDate": clock().isoformat(),
        "lookForwardTime": f"{seconds // 3600:02}:{seconds % 3600 // 60:02}:{seconds % 60:02}",
    }


async def test_later_times_begin_behind_those_shown(api: Api, wanted: dict[str, str]) -> None:
    browser = await Browser.open(api, ANNA)
    page = html.fromstring((await find(browser, wanted | {"days": "30"})).text)
    (later,) = page.xpath("//button[@form='search' and normalize-space()='Later times']/@value")
    shown = page.xpath("//details[contains(@class, 'free-day')]//h2/text()")
    next_page = await find(browser, wanted | {"days": "30", "go": later})
    following = read_texts(next_page, "//details[contains(@class, 'free-day')]//h2")
    assert not {*shown} & {*following}
    assert following[0] == "Monday 9 March"
    assert "Earlier times" in next_page.text


async def test_of_two_who_take_the_same_time_the_second_keeps_the_form(api: Api, wanted: dict[str, str]) -> None:
    first, second = await Browser.open(api, ANNA), await Browser.open(api, EVA)
    page = await find(second, wanted)
    time = list_times(page)[0]
    typed = await second.post("/book/times", read_form(page, "/book/hold") | FREJA)
    await first.post("/book/hold", read_form(await find(first, wanted), "/book/hold") | {"time": time})
    refused = await second.post("/book/hold", read_form(typed, "/book/hold") | {"time": time})
    assert refused.status_code == 409
    assert "Someone else has just taken this time" in refused.text
    form = read_form(refused, "/book/hold")
    assert (form["name"], form["email"], form["topic"]) == (*FREJA.values(), wanted["topic"])
    others = list_times(refused)
    assert time not in others
    held = await second.post("/book/hold", form | {"time": others[0]})
    assert read_form(held, "/book")["name"] == "Freja Holm"


async def test_what_is_missing_is_said_beside_its_field_and_the_time_stays_held(
    api: Api, wanted: dict[str, str]
) -> None:
    browser = await Browser.open(api, ANNA)
    form = read_form(await hold(browser, wanted), "/book")
    nameless = await browser.post("/book", form | {"name": "", "email": "freja@example.com"})
    assert nameless.status_code == 422
    assert read_texts(nameless, "//*[@id='name-error']") == ["Enter the customer's name."]
    assert read_form(nameless, "/book")["email"] == "freja@example.com"
    wrong = await browser.post("/book", read_form(nameless, "/book") | {"name": "Freja", "email": "freja"})
    assert len(read_texts(wrong, "//*[@id='email-error']")) == 1
    assert await get_meetings(api) == []
    right = await browser.post("/book", read_form(wrong, "/book") | FREJA)
    assert "The meeting is booked" in right.text


async def test_a_hold_is_kept_and_when_it_has_ended_the_time_is_booked_if_it_is_free(
    api: Api, wanted: dict[str, str], clock: HandClock
) -> None:
    browser = await Browser.open(api, ANNA)
    held = await hold(browser, wanted)
    assert read_texts(held, "//*[@data-seconds='300']") == [""]
    clock.advance(minutes=4)
    kept = await browser.post("/book/hold", read_form(held, "/book") | FREJA)
    form = read_form(kept, "/book")
    assert form["slot"] == read_form(held, "/book")["slot"]
    assert form["name"] == "Freja Holm"
    assert 'data-seconds="300"' in kept.text
    clock.advance(minutes=6)
    assert "The meeting is booked" in (await browser.post("/book", form)).text


async def test_who_comes_too_late_after_a_hold_keeps_what_was_typed(
    api: Api, wanted: dict[str, str], clock: HandClock
) -> None:
    first, second = await Browser.open(api, ANNA), await Browser.open(api, EVA)
    mine = read_form(await hold(first, wanted), "/book") | FREJA
    clock.advance(minutes=6)
    await second.post("/book/hold", read_form(await find(second, wanted), "/book/hold") | {"time": mine["time"]})
    refused = await first.post("/book", mine)
    assert (refused.status_code, read_form(refused, "/book/hold")["email"]) == (409, "freja@example.com")


async def test_a_time_that_was_clicked_in_the_calendar_says_why_no_search_offers_it_and_is_held_anyway(
    api: Api, clock: HandClock, no_meetings: None
) -> None:
    assert no_meetings is None
    night = (clock().astimezone(ZONE) + timedelta(days=1)).replace(hour=22, minute=0, second=0, microsecond=0)
    browser = await Browser.open(api, ANNA)
    asked = {"employee": api.id_of("employee", "Anna Holm"), "at": night.isoformat()}
    page = await find(browser, asked)
    (clicked,) = read_texts(page, "//section[h2[@id='clicked']]")
    assert "Tuesday 3 March, 22:00 to 23:00" in clicked
    assert "Not offered" in clicked
    assert any("/calendar/why?" in link for link in list_links(page))
    held = await browser.post("/book/hold", read_form(page, "/book/hold") | {"time": list_times(page)[0]})
    booked = await browser.post("/book", read_form(held, "/book") | {"name": "Freja"})
    assert read_heading(booked) == "Freja", "nobody is invited without an address, so the title says who comes"
    (meeting,) = await get_meetings(api)
    assert datetime.fromisoformat(meeting["startDate"]) == night


async def test_busy_time_is_held_all_the_same_and_what_is_booked_never_is(
    api: Api, clock: HandClock, no_meetings: None
) -> None:
    assert no_meetings is None
    anna, ten = api.id_of("employee", "Anna Holm"), (clock() + timedelta(days=1)).replace(hour=9, minute=0, second=0)
    span = {"startDate": ten.isoformat(), "endDate": (ten + HOUR).isoformat()}
    (await api.post("v3/booking/time-slots", span | {"employeeId": anna, "status": "Busy"})).raise_for_status()
    browser = await Browser.open(api, ANNA)
    page = await find(browser, {"employee": anna, "at": ten.isoformat()})
    form = read_form(page, "/book/hold") | {"time": list_times(page)[0]}
    assert (await browser.post("/book/hold", form)).status_code == 409
    held = await browser.post("/book/hold?all-the-same", form)
    assert "The meeting is booked" in (await browser.post("/book", read_form(held, "/book") | FREJA)).text
    again = await browser.post("/book/hold?all-the-same", form | {"token": ""})
    assert again.status_code == 409


async def test_staff_are_not_bound_by_what_customers_may_book(
    api: Api, wanted: dict[str, str], clock: HandClock
) -> None:
    settings = await api.get("v3/booking/config/organization-settings")
    changes = {"customersBookOnlyOffered": True, "minimumBookingNotice": "5.00:00:00"}
    patch = [{"op": "replace", "path": f"/{name}", "value": value} for name, value in changes.items()]
    path = f"v3/booking/config/organization-settings/{settings.json()['id']}"
    (await api.request("PATCH", path, json=patch, headers={"If-Match": settings.headers["ETag"]})).raise_for_status()
    browser = await Browser.open(api, ANNA)
    held = await hold(browser, wanted)
    assert "The meeting is booked" in (await browser.post("/book", read_form(held, "/book") | FREJA)).text
    (meeting,) = await get_meetings(api)
    assert datetime.fromisoformat(meeting["startDate"]) < clock() + timedelta(days=1)


async def test_nonsense_in_the_address_finds_what_can_be_found(api: Api) -> None:
    browser = await Browser.open(api, ANNA)
    for query in (
        "topic=x&employee=&day=tomorrow&days=-1&type=Walk&at=noon",
        "at=2026-13-01&employee=%00",
        "day=9999-12-31",
    ):
        page = await browser.get(f"/book?{query}")
        assert page.status_code in {200, 422}
        assert read_heading(page) == "Book for a customer"


async def test_nonsense_in_a_form_leads_back_to_the_times(api: Api, wanted: dict[str, str]) -> None:
    browser = await Browser.open(api, ANNA)
    for path in ("/book", "/book/hold", "/book/times"):
        answer = await browser.post(path, wanted | {"time": "noon", "slot": "x", "until": "y"} | FREJA)
        assert (answer.status_code, read_heading(answer)) == (200, "Book for a customer")
        assert read_form(answer, "/book/hold")["name"] == "Freja Holm"


async def test_where_nothing_is_free_the_page_says_why_and_leads_to_the_next_free_day(
    api: Api, wanted: dict[str, str], clock: HandClock
) -> None:
    today = clock().astimezone(ZONE).replace(hour=0, minute=0, second=0, microsecond=0)
    for name in ("Anna Holm", "Bo Lind", "Camilla Friis"):
        busy = {"startDate": today.isoformat(), "endDate": (today + timedelta(days=2)).isoformat(), "status": "Busy"}
        busy["employeeId"] = api.id_of("employee", name)
        (await api.post("v3/booking/time-slots", busy)).raise_for_status()
    browser = await Browser.open(api, ANNA)
    page = await find(browser, wanted | {"days": "1"})
    (said,) = read_texts(page, "//section[@aria-labelledby='nothing']")
    assert "Booked or busy: 3 advisors" in said
    assert "Next free: Wednesday 4 March" in said
    assert any("/wishes/new?" in link for link in list_links(page))
    anna = await find(browser, wanted | {"days": "1", "employee": api.id_of("employee", "Anna Holm")})
    (said,) = read_texts(anna, "//section[@aria-labelledby='nothing']")
    assert "Monday 2 March: Anna Holm is taken: Busy Monday 2 March, 00:00" in said


async def test_the_questions_of_the_portal_are_asked_and_none_must_be_answered(
    api: Api, wanted: dict[str, str]
) -> None:
    fields = [
        {"name": "goal", "label": "What for?", "type": "Dropdown", "options": ["House", "Boat"]},
        {"name": "mobile", "label": "Mobile", "type": "Phone", "validation": {"required": True}},
        {"name": "first", "label": "First meeting", "type": "Checkbox"},
    ]
    elevated = await api.of(api.firm, elevated=True)
    portal = {"name": "Reviews", "topicId": wanted["topic"], "fields": fields}
    portal["customerTypeId"] = wanted["customer"] = api.id_of("customer type", "Business")
    (await elevated.post("v3/booking/config/portals", portal)).raise_for_status()
    browser = await Browser.open(api, ANNA)
    held = await hold(browser, wanted)
    assert read_texts(held, "//label[starts-with(@for, 'answer:')]") == ["What for?", "Mobile", "First meeting"]
    assert not html.fromstring(held.text).xpath("//input[@name='phone']"), "the portal asks for it"
    typed = {"answer:goal": "Boat", "answer:first": "true"}
    nameless = await browser.post("/book", read_form(held, "/book") | typed)
    form = read_form(nameless, "/book")
    assert (form["answer:goal"], form["answer:first"]) == ("Boat", "true")
    booked = await browser.post("/book", form | FREJA)
    assert "The meeting is booked" in booked.text
    (meeting,) = await get_meetings(api)
    assert {one["key"]: one["value"] for one in meeting["customFields"]} == {"goal": "Boat", "first": "true"}
    assert meeting.get("portalId") is None


async def test_a_free_room_is_chosen_and_one_that_is_too_small_is_explained(api: Api, wanted: dict[str, str]) -> None:
    elevated = await api.of(api.firm, elevated=True)
    room_ids = [
        (await elevated.post("v3/booking/config/rooms", {"name": name, "capacity": seats, "location": "Aarhus"})).json()
        for name, seats in (("Skabet", 1), ("Stuen", 2))
    ]
    browser = await Browser.open(api, ANNA)
    held = await hold(browser, wanted)
    rooms = read_texts(held, "//select[@name='room']/option")
    assert rooms[1:] == ["Fjorden, Aarhus (8 seats)", "Havblik, Aarhus (4 seats)", "Stuen, Aarhus (2 seats)"]
    refused = await browser.post("/book", read_form(held, "/book") | FREJA | {"room": room_ids[0]["id"]})
    assert read_texts(refused, "//*[@id='room-error']") == ["Seats 1, not 2."]
    fjorden = api.id_of("room", "Fjorden")
    await browser.post("/book", read_form(refused, "/book") | {"room": fjorden})
    (meeting,) = await get_meetings(api)
    assert meeting["roomId"] == fjorden


async def test_a_room_for_two_is_offered_and_booked_for_an_advisor_and_an_invited_customer(
    api: Api, wanted: dict[str, str]
) -> None:
    await keep_a_room_for_two(api)
    browser = await Browser.open(api, ANNA)
    held = await hold(browser, wanted)
    assert read_texts(held, "//select[@name='room']/option")[1:] == ["Havblik, Aarhus (2 seats)"]
    booked = await browser.post("/book", read_form(held, "/book") | FREJA)
    assert "The meeting is booked" in booked.text, booked.text
    (meeting,) = await get_meetings(api)
    assert meeting["roomId"] == api.id_of("room", "Havblik")


async def test_a_language_narrows_the_search_to_who_speaks_it(api: Api, wanted: dict[str, str]) -> None:
    browser = await Browser.open(api, ANNA)
    assert "Language or skill" not in (await find(browser, wanted)).text, "no group carries a label"
    elevated = await api.of(api.firm, elevated=True)
    group = {"name": "Polish", "labels": ["Polish"], "employeeIds": [api.id_of("employee", "Bo Lind")]}
    (await elevated.post("v3/booking/config/competence-groups", group)).raise_for_status()
    page = await find(browser, wanted | {"label": "Polish"})
    assert {*read_texts(page, "//details[contains(@class, 'free-day')]//button")} == {"Bo Lind"}


async def test_a_booking_that_repeats_is_checked_before_it_is_booked(api: Api, wanted: dict[str, str]) -> None:
    browser = await Browser.open(api, ANNA)
    wanted |= {"type": "Online", "place": ""}
    form = read_form(await hold(browser, wanted), "/book") | FREJA
    wrong = await browser.post("/book", form | {"repeats": "quarter", "times": "1"})
    assert wrong.status_code == 422
    assert "Enter how many meetings there are, from 2 to 100." in wrong.text
    checked = await browser.post("/book", form | {"repeats": "quarter", "times": "3"})
    assert read_heading(checked) == "Check the series"
    assert len(read_texts(checked, "//ol[@aria-label='Times of the series']/li")) == 3
    assert await get_meetings(api) == [], "nothing is booked yet"
    again = await browser.post("/book", read_form(checked, "/book") | {"step": "change"})
    assert read_form(again, "/book")["repeats"] == "quarter"
    booked = await browser.post("/book", read_form(checked, "/book") | {"step": "book"})
    assert "The meeting is booked" in booked.text
    meetings = await get_meetings(api)
    assert len(meetings) == 3
    days = [datetime.fromisoformat(one["startDate"]).astimezone(ZONE) for one in meetings]
    assert len({(day.weekday(), (day.day - 1) // 7, day.time()) for day in days}) == 1, "the same day of the month"
    assert [(day.year * 12 + day.month) - (days[0].year * 12 + days[0].month) for day in days] == [0, 3, 6]


async def test_times_of_a_series_that_are_not_free_are_named_and_can_be_left_out(
    api: Api, wanted: dict[str, str]
) -> None:
    browser = await Browser.open(api, ANNA)
    wanted |= {"type": "Online", "place": ""}
    held = await hold(browser, wanted)
    form = read_form(held, "/book") | FREJA | {"repeats": "week", "times": "3"}
    (slot,) = (await api.get("v3/booking/time-slots")).json()
    begin = datetime.fromisoformat(slot["startTime"]) + timedelta(days=7)
    times = {"startDate": begin.isoformat(), "endDate": (begin + timedelta(minutes=30)).isoformat()}
    taken = await api.book(employeeId=slot["employeeId"], type="Online", **times)
    assert taken.status_code == 201, taken.text
    checked = await browser.post("/book", form)
    listed = read_texts(checked, "//ol[@aria-label='Times of the series']/li")
    assert ["Not free" in one for one in listed] == [False, True, False]
    assert "Free near it: " in listed[1]
    assert "1 time is not free." in checked.text
    await browser.post("/book", read_form(checked, "/book") | {"step": "book"})
    assert len([one for one in await get_meetings(api) if one.get("seriesId")]) == 2
