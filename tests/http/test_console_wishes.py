"""The waiting list at the console: leaving a wish, removing it, and booking for it."""

from typing import Any

import pytest
from lxml import html

from meetdeck.services import Services
from support.console import ANNA, Browser, read_heading
from support.factories import Api
from support.fakes import HandClock
from support.working import work

FREJA = {"name": "Freja Holm", "email": "freja@example.com", "from": "2026-03-02", "to": "2026-03-06"}


@pytest.fixture
def wish(api: Api, no_meetings: None) -> dict[str, Any]:
    """Return what a form of a wish sends."""
    assert no_meetings is None
    return FREJA | {"topicId": api.id_of("topic", "Annual review"), "meetingTypes": ["Physical"], "location": "Aarhus"}


async def list_wishes(api: Api) -> list[dict[str, Any]]:
    return (await api.get("v3/booking/wishes")).json()


def read_form(text: str, action: str) -> dict[str, str]:
    form = next(one for one in html.fromstring(text).forms if (one.action or "").endswith(action))
    return {name: str(value) for name, value in form.form_values()}


async def test_a_wish_is_left_and_is_on_the_list(api: Api, wish: dict[str, Any]) -> None:
    browser = await Browser.open(api, ANNA)
    left = await browser.post("/wishes/new", wish)
    assert "The customer is on the waiting list." in left.text
    (made,) = await list_wishes(api)
    assert (made["from"], made["to"]) == ("2026-03-01T23:00:00Z", "2026-03-06T23:00:00Z"), "the last day counts"
    assert (made["meetingTypes"], made["location"], made["customerId"]) == (["Physical"], "Aarhus", None)
    (row,) = html.fromstring(left.text).xpath("//ol[contains(@class, 'wishes')]/li")
    shown = " ".join(row.text_content().split())
    assert "Freja Holm freja@example.com Annual review In person, Aarhus Monday 2 March to Friday 6 March" in shown
    assert "Nobody with that name is waiting." in (await browser.get("/wishes?q=karl")).text


async def test_a_search_that_found_nothing_fills_in_the_form(api: Api) -> None:
    page = await (await Browser.open(api, ANNA)).get(
        f"/wishes/new?topic={api.id_of('topic', 'Investing')}&type=Online&day=2026-03-09&name=Karl"
    )
    form = read_form(page.text, "/wishes/new")
    assert (form["topicId"], form["meetingTypes"]) == (api.id_of("topic", "Investing"), "Online")
    assert (form["from"], form["to"], form["name"]) == ("2026-03-09", "2026-04-08", "Karl")


async def test_what_is_wrong_with_a_wish_is_said_beside_its_field(api: Api, wish: dict[str, Any]) -> None:
    browser = await Browser.open(api, ANNA)
    wrong = await browser.post("/wishes/new", wish | {"to": "soon", "name": ""})
    assert wrong.status_code == 422
    assert html.fromstring(wrong.text).xpath("//*[@id='to-error']")[0].text == "Last day is a day, such as 2026-11-24."
    assert html.fromstring(wrong.text).xpath("//*[@id='name-error']")
    refused = await browser.post("/wishes/new", wish | {"to": "2026-01-01"})
    assert refused.status_code == 422
    assert html.fromstring(refused.text).xpath("//*[@id='to-error']")
    assert read_form(refused.text, "/wishes/new")["email"] == "freja@example.com"
    assert await list_wishes(api) == []


async def test_a_time_is_found_for_who_waits_and_the_wish_is_fulfilled(api: Api, wish: dict[str, Any]) -> None:
    browser = await Browser.open(api, ANNA)
    listed = await browser.post("/wishes/new", wish)
    times = await browser.post("/book/wish", read_form(listed.text, "/book/wish"))
    form = read_form(times.text, "/book/hold")
    assert (form["name"], form["topic"], form["place"]) == ("Freja Holm", wish["topicId"], "Aarhus")
    time = html.fromstring(times.text).xpath("//button[@name='time']/@value")[0]
    held = await browser.post("/book/hold", form | {"time": time})
    booked = await browser.post("/book", read_form(held.text, "/book"))
    assert "The meeting is booked" in booked.text
    assert await list_wishes(api) == []


async def test_the_advisors_of_a_wish_are_those_of_its_search(api: Api, wish: dict[str, Any]) -> None:
    browser = await Browser.open(api, ANNA)
    two = [api.id_of("employee", name) for name in ("Anna Holm", "Bo Lind")]
    listed = await browser.post("/wishes/new", wish | {"employeeIds": two})
    times = html.fromstring((await browser.post("/book/wish", read_form(listed.text, "/book/wish"))).text)
    assert times.xpath("//select[@name='employee']/option[@selected]/text()") == ["Anna Holm, Bo Lind"]
    shown = times.xpath("//details[contains(@class, 'free-day')]//button/text()")
    assert {name.strip() for name in shown} == {"Anna Holm", "Bo Lind"}


async def test_the_offered_time_is_booked_for_who_waits(
    api: Api, wish: dict[str, Any], services: Services, clock: HandClock
) -> None:
    browser = await Browser.open(api, ANNA)
    anna = api.id_of("employee", "Anna Holm")
    await browser.post("/wishes/new", wish | {"employeeIds": [anna]})
    busy = {"startDate": "2026-03-03T09:00:00", "endDate": "2026-03-03T11:00:00", "status": "Busy", "employeeId": anna}
    entry = (await api.post("v3/booking/time-slots", busy)).json()
    (await api.request("DELETE", f"v3/booking/time-slots/{entry['id']}")).raise_for_status()
    await work(services, clock)
    listed = await browser.get("/wishes")
    assert "Tuesday 3 March, 09:00 with Anna Holm" in " ".join(html.fromstring(listed.text).text_content().split())
    details = await browser.post("/book/wish", read_form(listed.text, "/book/wish"))
    assert read_heading(details) == "The customer"
    assert "Keep this time" not in details.text, "the waiting list holds it"
    booked = await browser.post("/book", read_form(details.text, "/book"))
    assert "The meeting is booked" in booked.text
    (made,) = await list_wishes(api)
    assert made["status"] == "Booked"


async def test_a_wish_is_removed(api: Api, wish: dict[str, Any]) -> None:
    browser = await Browser.open(api, ANNA)
    await browser.post("/wishes/new", wish)
    (made,) = await list_wishes(api)
    removed = await browser.post(f"/wishes/{made['id']}/remove", {})
    assert "Removed from the waiting list." in removed.text
    assert await list_wishes(api) == []
    assert (await browser.post("/book/wish", {"wish": made["id"]})).status_code == 404
    assert (await browser.post("/book/wish", {"wish": "none"})).status_code == 404
