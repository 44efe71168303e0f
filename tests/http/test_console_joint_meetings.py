"""Meetings with people of service groups in the console: booked, shown, changed and moved."""

from datetime import timedelta
from typing import Any

import pytest
from lxml import html

from support.console import ANNA, Browser
from support.factories import TUESDAY_AT_TEN, Api

HOUR = timedelta(hours=1)
GROUPS = "v3/booking/config/service-groups"
pytestmark = pytest.mark.usefixtures("no_meetings")


@pytest.fixture(name="meeting")
async def _meeting(api: Api) -> dict[str, Any]:
    """Book Anna on Tuesday at ten with David, the only one of Mortgage; then Eva is of Mortgage, too."""
    ids = {name: str(api.firm.id_of("employee", name)) for name in ("Anna Holm", "David Krogh", "Eva Sand")}
    made = await api.post(GROUPS, {"name": "Mortgage", "employeeIds": [ids["David Krogh"]]})
    body = {
        "employeeId": ids["Anna Holm"],
        "startDate": TUESDAY_AT_TEN.isoformat(),
        "endDate": (TUESDAY_AT_TEN + HOUR).isoformat(),
        "type": "Online",
        "title": "First home",
        "customerId": "C-1",
        "alsoServiceGroups": ["Mortgage"],
    }
    booked = (await api.post("v3/booking/meetings", body)).raise_for_status().json()
    added = [{"op": "add", "path": "/employeeIds/-", "value": ids["Eva Sand"]}]
    (await api.request("PATCH", f"{GROUPS}/{made.json()['id']}", json=added)).raise_for_status()
    return booked


def read_times(page: str) -> list[str]:
    return html.fromstring(page).xpath("//button[@name='at' or @name='others']/text()")


async def test_the_meeting_says_for_which_group_each_comes_and_a_move_who_comes_instead(
    api: Api, meeting: dict[str, Any]
) -> None:
    browser = await Browser.open(api, ANNA)
    page = (await browser.get(f"/calendar/meetings/{meeting['id']}")).text
    (people,) = html.fromstring(page).xpath("//dt[text()='With whom']/following-sibling::dd")
    assert " ".join(people.text_content().split()).endswith("David Krogh (Mortgage)")
    assert not [one for one in read_times(page)[:3] if "instead" in one]
    begin, end = TUESDAY_AT_TEN + HOUR, TUESDAY_AT_TEN + timedelta(days=30)
    (david,) = meeting["additionalEmployees"]
    busy = {"employeeId": david, "startDate": begin.isoformat(), "endDate": end.isoformat(), "status": "Busy"}
    (await api.post("v3/booking/time-slots", busy)).raise_for_status()
    times = read_times((await browser.get(f"/calendar/meetings/{meeting['id']}")).text)
    assert times
    assert all(one.endswith(", with Eva Sand instead") for one in times)


async def test_times_of_the_same_people_come_first_and_beside_them_those_with_others_of_both_groups(
    api: Api, meeting: dict[str, Any]
) -> None:
    camilla, frederik = (str(api.firm.id_of("employee", name)) for name in ("Camilla Friis", "Frederik Dahl"))
    made = await api.post(GROUPS, {"name": "Pension", "employeeIds": [camilla]})
    asked = [{"op": "add", "path": "/alsoServiceGroups/-", "value": "Pension"}]
    changed = await api.request("PATCH", f"v3/booking/meetings/{meeting['id']}", json=asked)
    david, _ = changed.json()["alsoEmployees"]
    added = [{"op": "add", "path": "/employeeIds/-", "value": frederik}]
    (await api.request("PATCH", f"{GROUPS}/{made.json()['id']}", json=added)).raise_for_status()
    begin, end = TUESDAY_AT_TEN + HOUR, TUESDAY_AT_TEN + timedelta(days=1)
    for employee in (david, camilla):
        busy = {"employeeId": employee, "startDate": begin.isoformat(), "endDate": end.isoformat(), "status": "Busy"}
        (await api.post("v3/booking/time-slots", busy)).raise_for_status()
        end += timedelta(hours=2)
    browser = await Browser.open(api, ANNA)
    times = read_times((await browser.get(f"/calendar/meetings/{meeting['id']}")).text)
    assert ["instead" in one for one in times] == [False] * 3 + [True] * 3
    assert {one.partition(", with ")[2] for one in times[3:]} == {"Eva Sand, Frederik Dahl instead"}


async def test_a_groups_person_is_taken_out_and_in_by_the_form(api: Api, meeting: dict[str, Any]) -> None:
    browser = await Browser.open(api, ANNA)
    path = f"/calendar/meetings/{meeting['id']}/edit"
    form = next(one for one in html.fromstring((await browser.get(path)).text).forms if one.xpath(".//*[@name='tag']"))
    typed = {name: value for name, value in form.form_values() if name != "alsoServiceGroups"}
    assert "Also from these service groups" in form.text_content()
    assert (await browser.post(path, typed)).status_code < 400
    read = f"v3/booking/meetings/{meeting['id']}"
    assert (await api.get(read)).json()["additionalEmployees"] == []
    (group,) = meeting["alsoServiceGroups"]
    again = next(one for one in html.fromstring((await browser.get(path)).text).forms if one.xpath(".//*[@name='tag']"))
    assert (await browser.post(path, dict(again.form_values()) | {"alsoServiceGroups": group})).status_code < 400
    assert len((await api.get(read)).json()["additionalEmployees"]) == 1


async def test_a_time_held_for_the_topic_on_the_telephone_holds_the_specialist(
    api: Api, meeting: dict[str, Any]
) -> None:
    topic = {"name": "First home", "alsoServiceGroups": ["Mortgage"]}
    made = (await api.post("v3/booking/config/meeting-topics", topic)).raise_for_status().json()
    browser = await Browser.open(api, ANNA)
    begin = TUESDAY_AT_TEN + 2 * HOUR
    time = f"{begin:%Y-%m-%dT%H:%MZ}~60~{meeting['employeeId']}"
    held = await browser.post("/book/hold", {"time": time, "topic": made["id"], "type": "Online"})
    assert held.status_code == 200, held.text
    listed = (await api.get("v3/booking/time-slots", params={"employeeId": meeting["employeeId"]})).json()
    (reserved,) = [one for one in listed if one["status"] == "Reserved"]
    assert len(reserved["additionalEmployees"]) == 1


async def test_a_move_to_a_typed_time_says_who_comes_instead_before_it_is_made(
    api: Api, meeting: dict[str, Any]
) -> None:
    (david,) = meeting["additionalEmployees"]
    begin = TUESDAY_AT_TEN + 2 * HOUR
    busy = {"employeeId": david, "startDate": begin.isoformat(), "endDate": (begin + HOUR).isoformat()}
    (await api.post("v3/booking/time-slots", busy | {"status": "Busy"})).raise_for_status()
    browser = await Browser.open(api, ANNA)
    path = f"/calendar/meetings/{meeting['id']}"
    typed = {"begin": "12:00"}
    day = begin.date().isoformat()
    dragged = await browser.post(f"{path}/drag", {"start": f"{day}T12:00:00", "end": f"{day}T13:00:00"})
    told = "David Krogh is not free at that time. Eva Sand takes part instead."
    assert (dragged.status_code, dragged.json()) == (409, {"detail": told, "canAgree": True})
    asked = await browser.post(f"{path}/move", read_move((await browser.get(path)).text) | typed)
    assert asked.status_code == 409
    assert told in asked.text
    read = f"v3/booking/meetings/{meeting['id']}"
    assert (await api.get(read)).json() == meeting
    moved = await browser.post(f"{path}/move", read_move(asked.text))
    assert "The meeting is moved" in moved.text
    after = (await api.get(read)).json()
    assert (after["startDate"], after["additionalEmployees"] != [david]) == ("2026-03-03T11:00:00Z", True)
    there_and_back = [
        await browser.post(f"{path}/drag", {"start": f"{day}T{hour}:00:00", "end": f"{day}T{hour + 1}:00:00"} | sure)
        for hour, sure in ((10, {}), (12, {"sure": told}))
    ]
    assert [one.status_code for one in there_and_back] == [200, 200]


async def test_a_time_that_is_not_offered_cannot_be_held_all_the_same_where_others_come_along(
    api: Api, meeting: dict[str, Any]
) -> None:
    topic = {"name": "First home", "alsoServiceGroups": ["Mortgage"]}
    joint = (await api.post("v3/booking/config/meeting-topics", topic)).raise_for_status().json()
    alone = api.firm.id_of("meeting_topic", "Pension check")
    taken = "2026-03-03T10:00"
    browser = await Browser.open(api, ANNA)
    said = {"joint": "only times at which everyone is free", "alone": "Hold it anyway"}
    for topic_id, text, other in ((joint["id"], "joint", "alone"), (alone, "alone", "joint")):
        query = f"employee={meeting['employeeId']}&at={taken}&topic={topic_id}&type=Online&day={taken[:10]}"
        page = (await browser.get(f"/book?{query}")).text
        assert (said[text] in page, said[other] in page) == (True, False)
        card = (await browser.get(f"/calendar/time?{query}")).text
        assert ("Book it anyway" in card) is (text == "alone")


def read_move(page: str) -> dict[str, str]:
    form = next(one for one in html.fromstring(page).forms if one.action and one.action.endswith("/move"))
    return dict(form.form_values())
