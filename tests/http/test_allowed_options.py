"""The choices for a meeting; no search finds the others (docs/api/organization.md#allowed-options)."""

import random
from typing import Any
from uuid import uuid4

from meetdeck.demo.firm import NORDLYS
from support.factories import Api
from support.patches import pointers, replace
from support.searches import ANNA, redraw_entries, save, send_search

SETTING = f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
TOPICS = [str(NORDLYS.id_of("topic", name)) for name, _, _ in NORDLYS.topics]
PRIVATE, BUSINESS = (str(NORDLYS.id_of("customer type", name)) for name in ("Private", "Business"))
BO = str(NORDLYS.id_of("employee", "Bo Lind"))
ANNA_HOURS = f"employee-schedules/{NORDLYS.id_of('schedule', 'Anna Holm')}"

Json = dict[str, Any]


async def options(api: Api, **query: object) -> Json:
    given = {name: value for name, value in query.items() if value is not None}
    answer = await api.get("v3/booking/config/allowed-options", params=given)
    assert answer.status_code == 200, answer.text
    return answer.json()


def names(items: list[Json]) -> list[str]:
    return [item["name"] for item in items]


async def test_types_and_advisors_are_labelled_in_the_labels_order_and_the_others_follow(api: Api) -> None:
    labels = [{"name": "Telephone", "label": "Call", "order": 2}, {"name": "online", "label": "Video", "order": 1}]
    advisors = [{"name": "PrimaryEmployee", "label": "Your own advisor", "order": 5}]
    changes = [replace("/meetingTypeLabels", labels), replace("/employeeLabels", advisors)]
    assert (await api.request("PATCH", f"v3/booking/config/{SETTING}", json=changes)).status_code == 200
    found = await options(api)
    assert [(one["name"], one["label"], one["order"]) for one in found["meetingTypes"]] == [
        ("Online", "Video", 1),
        ("Telephone", "Call", 2),
        ("Physical", "Physical", 3),
        ("Offsite", "Offsite", 4),
    ]
    assert [(one["name"], one["label"]) for one in found["advisorSelection"]] == [
        ("PrimaryEmployee", "Your own advisor"),
        ("OtherEmployees", "OtherEmployees"),
    ]
    spoken = await options(api, lang="da-DK")
    assert spoken["meetingTypes"][0]["localizedLabel"] == {"da-DK": "Video"}


async def test_topic_customer_type_and_location_leave_some(api: Api) -> None:
    topic = {"name": "Zero", "meetingTypes": ["Online", "Physical"], "customerTypeIds": [PRIVATE]}
    added = await api.post("v3/booking/config/meeting-topics", topic | {"customerBookable": False})
    topic_id = added.json()["id"]
    assert names((await options(api, topicId=topic_id))["meetingTypes"]) == ["Physical", "Online"]
    assert names((await options(api, topicId=topic_id, location="aarhus"))["meetingTypes"]) == ["Physical", "Online"]
    assert names((await options(api, topicId=topic_id, location="Atlantis"))["meetingTypes"]) == ["Online"]
    assert (await options(api, topicId=topic_id, customerTypeId=BUSINESS))["meetingTypes"] == []
    assert (await options(api, topicId=topic_id, isCustomerInitiated="true"))["meetingTypes"] == []


async def test_what_is_not_there_is_404_and_v2_has_no_such_address(api: Api) -> None:
    for name in ("topicId", "customerTypeId"):
        refused = await api.get(f"v3/booking/config/allowed-options?{name}={uuid4()}")
        assert (refused.status_code, pointers(refused)) == (404, [f"/query/{name}"])
    assert (await api.get("v2/booking/config/allowed-options")).status_code == 404


async def test_what_is_left_out_no_search_finds(api: Api) -> None:
    draw = random.Random(62)  # noqa: S311 - the same firms each time
    found = left_out = in_the_evening = 0
    for _ in range(8):
        for topic in draw.sample(TOPICS, 2):
            await save(
                api,
                f"meeting-topics/{topic}",
                meetingTypes=draw.choice([[], ["Online"], ["Physical", "Telephone"]]),
                customerTypeIds=draw.choice([[], [], [BUSINESS]]),
                customerBookable=draw.choice([True, True, False]),
            )
        place = draw.choice(["Aarhus", "Odense", ""])
        change = [replace("/workdays/1/location", place)]
        assert (await api.request("PATCH", f"v3/booking/config/{ANNA_HOURS}", json=change)).status_code == 200
        await redraw_entries(api, draw, [ANNA, BO])
        for _ in range(4):
            topic, customer_type = draw.choice(TOPICS), draw.choice([None, PRIVATE, BUSINESS])
            location = draw.choice([None, "aarhus", "Odense", "Atlantis"])
            by_customer = draw.choice(["true", "false"])
            allowed = names(
                (
                    await options(
                        api,
                        topicId=topic,
                        customerTypeId=customer_type,
                        location=location,
                        isCustomerInitiated=by_customer,
                    )
                )["meetingTypes"]
            )
            answer = await send_search(
                api,
                topic=topic,
                customerTypeId=customer_type,
                meetingLocation=location,
                isCustomerInitiated=by_customer,
                requireEmployeeParticipation="false",
            )
            types = {slot["meetingType"] for slot in answer.json()}
            in_the_evening += any(slot["startDate"] > "2026-03-03T18" for slot in answer.json())
            assert types <= set(allowed), (topic, customer_type, location, by_customer)
            found, left_out = found + len(types), left_out + 4 - len(allowed)
    assert found > 20
    assert left_out > 20
    assert in_the_evening > 3, "in extra hours"
