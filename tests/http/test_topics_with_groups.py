"""Topics whose meetings people of service groups come along to (`alsoServiceGroups` of a meeting topic)."""

from typing import Any
from uuid import uuid4

import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.patches import pointers
from support.searches import send_search

GROUPS, TOPICS = "v3/booking/config/service-groups", "v3/booking/config/meeting-topics"
ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
AT_TEN = "2026-03-03T09:00:00Z"


async def create(api: Api, address: str, **body: Any) -> str:
    answer = await api.post(address, body)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


@pytest.fixture(name="mortgage")
async def _mortgage(api: Api) -> str:
    return await create(api, GROUPS, name="Mortgage", employeeIds=[DAVID, EVA])


async def find(api: Api, **query: Any) -> list[dict[str, Any]]:
    answer = await send_search(api, explicitEmployeeIds=ANNA, meetingTypes="Online", **query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def hold(api: Api, **members: Any) -> Any:
    times = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": "2026-03-03T10:00:00Z", "status": "Reserved"}
    body = {"token": str(uuid4()), "timeSlot": {"employeeId": ANNA} | times | members}
    return await api.post("v3/booking/time-slots/reserve", body)


async def test_a_topic_keeps_its_groups_by_id_in_v3_alone(api: Api, mortgage: str) -> None:
    topic = await create(api, TOPICS, name="First home", alsoServiceGroups=["Mortgage", mortgage.upper()])
    path = f"{TOPICS}/{topic}"
    assert (await api.get(path)).json()["alsoServiceGroups"] == [mortgage, mortgage]
    older = (await api.get(path.replace("v3", "v2"))).json()
    assert "alsoServiceGroups" not in older
    assert (await api.request("PUT", path.replace("v3", "v2"), json=older)).status_code == 200
    assert (await api.get(path)).json()["alsoServiceGroups"] == [mortgage, mortgage]
    patch = [{"op": "remove", "path": "/alsoServiceGroups/0"}]
    assert (await api.request("PATCH", path, json=patch)).json()["alsoServiceGroups"] == [mortgage]
    refused = await api.post(TOPICS, {"name": "X", "alsoServiceGroups": ["Mortgage", "Pensions"]})
    assert (refused.status_code, pointers(refused)) == (404, ["/alsoServiceGroups/1"])
    assert (await api.post(TOPICS, {"name": "X", "alsoServiceGroups": ["Mortgage"] * 9})).status_code == 400


async def test_searches_of_the_topic_ask_for_its_groups_and_those_of_the_request(api: Api, mortgage: str) -> None:
    topic = await create(api, TOPICS, name="First home", alsoServiceGroups=[mortgage])
    asked = await find(api, alsoServiceGroups="Mortgage")
    assert await find(api, topic=topic) == asked
    assert await find(api, topic=topic, alsoServiceGroups="Mortgage") == asked
    both = await find(api, topic=topic, alsoServiceGroups="Mortgage,Mortgage")
    assert {len(each["additionalEmployees"]) for each in both} == {2}
    assert (await hold(api, employeeId=DAVID)).status_code == 201
    assert (await hold(api, employeeId=EVA)).status_code == 201
    assert AT_TEN not in {each["startDate"] for each in await find(api, topic=topic)}
    explained = await api.get(
        "v3/booking/time-slots/explain",
        params={"employeeId": ANNA, "date": "2026-03-03", "requireEmployeeParticipation": False, "topic": topic},
    )
    reasons = [each for each in explained.json()["starts"] if each["startDate"] == AT_TEN]
    assert reasons
    assert {(each["rule"], "Mortgage" in each["detail"]) for each in reasons} >= {("Also", True)}


async def test_a_hold_of_the_topic_takes_them_and_more_than_eight_are_refused(api: Api, mortgage: str) -> None:
    topic = await create(api, TOPICS, name="First home", alsoServiceGroups=[mortgage])
    held = await hold(api, topicId=topic)
    assert held.status_code == 201, held.text
    assert {*held.json()["additionalEmployees"]} <= {DAVID, EVA}
    assert len(held.json()["additionalEmployees"]) == 1
    booked = await api.book(
        employeeId=ANNA, type="Online", timeSlotId=held.json()["id"], topicId=topic, bookedBy="Customer"
    )
    assert (booked.status_code, booked.json()["additionalEmployees"]) == (201, held.json()["additionalEmployees"])
    assert (await hold(api, topicId=str(uuid4()))).json()["errors"][0]["pointer"] == "/timeSlot/topicId"
    aarhus = await create(api, GROUPS, name="Aarhus", employeeIds=[BO])
    many = await hold(api, topicId=topic, alsoServiceGroups=[aarhus] * 8)
    assert (many.status_code, pointers(many)) == (400, ["/timeSlot/alsoServiceGroups"])
    searched = await send_search(api, topic=topic, alsoServiceGroups=",".join([aarhus] * 8))
    assert (searched.status_code, pointers(searched)) == (400, ["/query/alsoServiceGroups"])


async def test_a_group_that_is_deleted_leaves_its_topics(api: Api, mortgage: str) -> None:
    aarhus = await create(api, GROUPS, name="Aarhus", employeeIds=[BO])
    topic = await create(api, TOPICS, name="First home", alsoServiceGroups=[mortgage, aarhus, mortgage])
    assert (await api.request("DELETE", f"{GROUPS}/{mortgage}")).status_code == 204
    assert (await api.get(f"{TOPICS}/{topic}")).json()["alsoServiceGroups"] == [aarhus]
    assert {len(each["additionalEmployees"]) for each in await find(api, topic=topic)} == {1}
