"""Topics whose meetings a specialist comes along to, on a portal: the times, the hold, and who the customer meets."""

from typing import Any

import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import Api
from support.fakes import HandClock
from support.portal_forms import FormVisitor, list_meetings, reach_check
from support.searches import change

pytestmark = pytest.mark.usefixtures("no_meetings", "topic")

ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
NAMES = {str(NORDLYS.id_of("employee", one.name)): one.name for one in NORDLYS.advisors}
SETTINGS = f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
TOPICS = "v3/booking/config/meeting-topics"


@pytest.fixture(name="topic")
async def _topic(api: Api) -> str:
    """Make a topic to whose meetings David, the only one of Mortgage, comes along."""
    body: dict[str, Any] = {"name": "Mortgage", "employeeIds": [DAVID]}
    group = (await api.post("v3/booking/config/service-groups", body)).json()["id"]
    answer = await api.post(TOPICS, {"name": "First home", "alsoServiceGroups": [group]})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def reach_times(visitor: FormVisitor) -> None:
    await visitor.open()
    await visitor.follow("First home")
    await visitor.follow("Online")


async def test_a_customer_reads_who_they_meet_and_all_are_booked(
    api: Api, visitor: FormVisitor, topic: str, clock: HandClock
) -> None:
    await reach_times(visitor)
    assert NAMES[DAVID] not in {each.get("aria-label").rpartition("with ")[2] for each in visitor.times}
    await reach_check(visitor, clock, Telephone="+45 70 10 20 30")
    page = visitor.text
    assert "You meet" in page
    assert f"{NAMES[DAVID]} (Mortgage)" in page
    assert f"{NAMES[DAVID]} · Mortgage" in page
    await visitor.press("Book")
    assert visitor.heading == "Your meeting is booked"
    (meeting,) = await list_meetings(api)
    assert (meeting["topicId"], meeting["additionalEmployees"]) == (topic, [DAVID])
    assert f"{NAMES[meeting['employeeId']]} (advisor), {NAMES[DAVID]} (Mortgage)" in visitor.text


async def test_a_moved_meeting_keeps_its_people_and_says_who_comes_instead_before_anything_is_changed(
    api: Api, visitor: FormVisitor, clock: HandClock
) -> None:
    await reach_times(visitor)
    await reach_check(visitor, clock, Telephone="+45 70 10 20 30")
    await visitor.press("Book")
    (meeting,) = await list_meetings(api)
    groups = "v3/booking/config/service-groups"
    (group,) = [each for each in (await api.get(groups)).json() if each["name"] == "Mortgage"]
    added = [{"op": "add", "path": "/employeeIds/-", "value": EVA}]
    assert (await api.request("PATCH", f"{groups}/{group['id']}", json=added)).status_code == 200
    await visitor.press("Move")
    names = {each.get("aria-label").rpartition("with ")[2] for each in visitor.times}
    assert names == {NAMES[meeting["employeeId"]]}
    assert "Anybody who is free" in visitor.text
    await visitor.send(visitor.times[1], {})
    assert visitor.heading == "Move the meeting?"
    assert f"{NAMES[DAVID]} (Mortgage)" in visitor.text
    assert "takes part instead" not in visitor.text
    await visitor.press("Choose another time")
    busy = {"employeeId": DAVID, "startDate": "2026-03-04T00:00:00Z", "endDate": "2026-03-20T00:00:00Z"}
    assert (await api.post("v3/booking/time-slots", busy | {"status": "Busy"})).status_code == 201
    await visitor.send(visitor.times[-1], {})
    assert f"{NAMES[DAVID]} (Mortgage) is not free at that time. {NAMES[EVA]} takes part instead." in visitor.text
    (unchanged,) = await list_meetings(api)
    assert unchanged["additionalEmployees"] == [DAVID]
    await visitor.press("Move")
    assert visitor.heading == "Your meeting"
    (moved,) = await list_meetings(api)
    assert (moved["employeeId"], moved["additionalEmployees"]) == (meeting["employeeId"], [EVA])


async def test_times_to_move_to_are_those_of_the_same_people_and_beside_them_of_anybody(
    api: Api, visitor: FormVisitor, clock: HandClock
) -> None:
    await reach_times(visitor)
    await reach_check(visitor, clock, Telephone="+45 70 10 20 30")
    await visitor.press("Book")
    (meeting,) = await list_meetings(api)
    made = await api.post("v3/booking/config/service-groups", {"name": "Pension", "employeeIds": [EVA]})
    advisor = meeting["employeeId"]
    asked = [{"op": "add", "path": "/alsoServiceGroups/-", "value": "Pension"}]
    changed = await api.request("PATCH", f"v3/booking/meetings/{meeting['id']}", json=asked)
    assert changed.json()["alsoEmployees"] == [DAVID, EVA], changed.text
    others = [{"op": "replace", "path": "/employeeIds", "value": [DAVID, EVA, CAMILLA]}]
    await api.request("PATCH", f"v3/booking/config/service-groups/{made.json()['id']}", json=others)
    busy = {"employeeId": EVA, "startDate": "2026-03-02T00:00:00Z", "endDate": "2026-03-05T00:00:00Z"}
    assert (await api.post("v3/booking/time-slots", busy | {"status": "Busy"})).status_code == 201
    await visitor.press("Move")
    assert f"{NAMES[advisor]}, {NAMES[DAVID]}, {NAMES[EVA]}" in visitor.text
    same = [each.get("value") for each in visitor.times]
    assert min(same) > "2026-03-05"
    assert {each.partition("~")[2] for each in same} == {advisor}
    await visitor.follow("Anybody who is free")
    anybody = [each for each in visitor.times if each.get("value") < "2026-03-05"]
    assert anybody, "others of the groups are free before"
    await visitor.send(anybody[0], {})
    assert f"{NAMES[EVA]} (Pension) is not free at that time. {NAMES[CAMILLA]} takes part instead." in visitor.text
    (unchanged,) = await list_meetings(api)
    assert unchanged["alsoEmployees"] == [DAVID, EVA]
    await visitor.press("Move")
    (moved,) = await list_meetings(api)
    assert moved["alsoEmployees"] == [DAVID, CAMILLA]


async def test_times_to_move_to_are_free_for_employees_whom_staff_added(
    api: Api, visitor: FormVisitor, clock: HandClock
) -> None:
    await reach_times(visitor)
    await reach_check(visitor, clock, Telephone="+45 70 10 20 30")
    await visitor.press("Book")
    (meeting,) = await list_meetings(api)
    added = next(one for one in (CAMILLA, BO) if one not in {meeting["employeeId"], DAVID})
    people = [{"op": "add", "path": "/additionalEmployees/-", "value": added}]
    assert (await api.request("PATCH", f"v3/booking/meetings/{meeting['id']}", json=people)).status_code == 200
    taken = {"startDate": "2026-03-02T00:00:00Z", "endDate": "2026-03-05T00:00:00Z", "employeeId": added}
    assert (await api.post("v3/booking/time-slots", taken | {"status": "Busy"})).status_code == 201
    await visitor.press("Move")
    assert min(each.get("value") for each in visitor.times) > "2026-03-05"
    await visitor.follow("Anybody who is free")
    assert min(each.get("value") for each in visitor.times) > "2026-03-05"
    await visitor.send(visitor.times[0], {})
    await visitor.press("Move")
    (moved,) = await list_meetings(api)
    assert moved["startDate"] > "2026-03-05"
    assert added in moved["additionalEmployees"]


async def test_firms_whose_customers_book_only_offered_times_get_specialists_who_do_not_serve_the_topic_themselves(
    api: Api, visitor: FormVisitor, topic: str, clock: HandClock
) -> None:
    await change(api, SETTINGS, customersBookOnlyOffered=True)
    serving = {"name": "Homes", "topicIds": [topic], "employeeIds": [ANNA, BO]}
    assert (await api.post("v3/booking/config/competence-groups", serving)).status_code == 201
    await reach_times(visitor)
    await reach_check(visitor, clock, Telephone="+45 70 10 20 30")
    await visitor.press("Book")
    assert visitor.heading == "Your meeting is booked"
    (meeting,) = await list_meetings(api)
    assert meeting["additionalEmployees"] == [DAVID]


async def test_times_at_which_nobody_can_come_along_are_not_shown(api: Api, visitor: FormVisitor) -> None:
    await reach_times(visitor)
    before = len(visitor.times)
    begin, end = "2026-03-02T00:00:00Z", "2026-03-20T00:00:00Z"
    busy = {"employeeId": DAVID, "startDate": begin, "endDate": end, "status": "Busy"}
    assert (await api.post("v3/booking/time-slots", busy)).status_code == 201
    await reach_times(visitor)
    assert before
    assert visitor.times == []
