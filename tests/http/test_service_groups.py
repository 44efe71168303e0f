"""Making, reading and listing service groups over HTTP (contract section 4, Service groups).

The rules: docs/api/lists.md#label-filters, docs/api/groups.md.
"""

from meetdeck.platform.database import Database
from support.factories import Api
from support.groups import (
    AARHUS,
    ALWAYS,
    ANNA,
    BO,
    EVA,
    LEVEL,
    PENSION_GROUP,
    PLAIN,
    REVIEW,
    REVIEW_GROUP,
    SERVICE_GROUPS,
    TRIGGER,
    UNKNOWN,
    Group,
)
from support.patches import pointers
from support.statements import logged_statements


async def test_a_group_reads_back_as_it_was_written(api: Api) -> None:
    body: Group = {
        "name": "Seniors 👵",
        "membershipEmail": "seniors@nordlys.example",
        "employeeIds": [EVA, ANNA],
        "competenceGroupIds": [REVIEW_GROUP, PENSION_GROUP],
        "labels": ["VIP", "Aarhus"],
        "maxMeetingTimePerDay": "04:30:00",
        "serviceTrigger": TRIGGER,
        "serviceLevel": LEVEL,
    }
    answer = await api.post(SERVICE_GROUPS.path, body)
    assert answer.status_code == 201, answer.text
    group = answer.json()
    assert group == {"id": group["id"]} | body
    assert answer.headers["Location"] == f"http://meetdeck.test/api/{SERVICE_GROUPS.path}/{group['id']}"
    assert await SERVICE_GROUPS.read(api, group["id"]) == group
    copy = await api.post(SERVICE_GROUPS.path, group)
    assert copy.json() == group | {"id": copy.json()["id"]}


async def test_only_the_name_is_needed(api: Api) -> None:
    group = await SERVICE_GROUPS.create(api, " Seniors ")
    assert group == {
        "id": group["id"],
        "name": "Seniors",
        "membershipEmail": "",
        "employeeIds": [],
        "competenceGroupIds": [],
        "labels": [],
        "maxMeetingTimePerDay": None,
        "serviceTrigger": ALWAYS,
        "serviceLevel": PLAIN,
    }


async def test_enumerations_and_durations_are_read_in_any_form(api: Api) -> None:
    group = await SERVICE_GROUPS.create(
        api,
        maxMeetingTimePerDay="1.00:00:00",
        serviceTrigger={"meetingTypes": ["ONLINE", "offsite", "Online"], "locations": [" Odense ", "Odense"]},
        serviceLevel={"responseTime": "26:00", "bufferBefore": "0.00:05:00"},
    )
    assert group["maxMeetingTimePerDay"] == "1.00:00:00"
    assert group["serviceTrigger"] == ALWAYS | {"meetingTypes": ["Online", "Offsite"], "locations": ["Odense"]}
    assert group["serviceLevel"] == PLAIN | {"responseTime": "1.02:00:00", "bufferBefore": "00:05:00"}


async def test_what_makes_no_group_is_refused_with_every_fault(api: Api) -> None:
    refused: list[tuple[Group, list[str]]] = [
        ({}, ["/name"]),
        ({"name": " ", "membershipEmail": "nobody"}, ["/name", "/membershipEmail"]),
        ({"name": "A", "membershipEmail": f"{'x' * 320}@nordlys.example"}, ["/membershipEmail"]),
        ({"name": "A", "employeeIds": [ANNA, 7]}, ["/employeeIds/1"]),
        ({"name": "A", "competenceGroupIds": [PENSION_GROUP] * 10_001}, ["/competenceGroupIds"]),
        ({"name": "A", "maxMeetingTimePerDay": "a day"}, ["/maxMeetingTimePerDay"]),
        ({"name": "A", "serviceTrigger": []}, ["/serviceTrigger"]),
        (
            {"name": "A", "serviceTrigger": {"meetingTypes": ["Pigeon"], "locations": ["Odense", " "]}},
            ["/serviceTrigger/meetingTypes/0", "/serviceTrigger/locations/1"],
        ),
        ({"name": "A", "serviceTrigger": {"locations": ["Odense", " "]}}, ["/serviceTrigger/locations/1"]),
        ({"name": "A", "serviceLevel": {"priority": -1}}, ["/serviceLevel/priority"]),
        ({"name": "A", "serviceLevel": {"priority": 10**30}}, ["/serviceLevel/priority"]),
        (
            {
                "name": "A",
                "maxMeetingTimePerDay": "24:00:01",
                "serviceLevel": {
                    "responseTime": "366.00:00:01",
                    "bufferBefore": "24:00:01",
                    "bufferAfter": "99999.00:00:00",
                },
            },
            [
                "/maxMeetingTimePerDay",
                "/serviceLevel/responseTime",
                "/serviceLevel/bufferBefore",
                "/serviceLevel/bufferAfter",
            ],
        ),
    ]
    for body, expected in refused:
        answer = await api.post(SERVICE_GROUPS.path, body)
        assert answer.status_code == 400, answer.text
        assert pointers(answer) == expected, answer.text
    for body in ({"name": "\0"}, {"name": "A", "serviceTrigger": {"locations": ["\0"]}}):
        assert (await api.post(SERVICE_GROUPS.path, body)).json()["code"] == "unstorable_text"


async def test_what_a_group_names_must_exist_in_the_tenant(api: Api) -> None:
    other = await api.other()
    answer = await api.post(
        SERVICE_GROUPS.path,
        {
            "name": "Strangers",
            "employeeIds": [ANNA, other.id_of("employee", "Ida Bech")],
            "competenceGroupIds": [AARHUS],
            "serviceTrigger": {
                "customerTypeIds": [other.id_of("customer type", "Member")],
                "topicIds": [REVIEW, UNKNOWN],
            },
        },
    )
    assert (answer.status_code, answer.json()["code"]) == (404, "reference_not_found")
    assert set(pointers(answer)) == {
        "/employeeIds/1",
        "/competenceGroupIds/0",
        "/serviceTrigger/customerTypeIds/0",
        "/serviceTrigger/topicIds/1",
    }


async def test_v2_has_no_groups(api: Api) -> None:
    for path in ("", f"/{AARHUS}", f"/{AARHUS}/advisors", f"/employee/{ANNA}"):
        assert (await api.get(f"v2/booking/config/service-groups{path}")).status_code == 404


async def test_another_tenant_sees_and_changes_nothing(api: Api) -> None:
    other = await api.other()
    assert AARHUS not in {one["id"] for one in (await other.get(SERVICE_GROUPS.path)).json()}
    for method, path in (
        ("GET", AARHUS),
        ("DELETE", AARHUS),
        ("PATCH", AARHUS),
        ("PATCH", f"{AARHUS}/service-trigger"),
        ("PATCH", f"{AARHUS}/service-level"),
        ("GET", f"{AARHUS}/advisors"),
        ("GET", f"employee/{ANNA}"),
        ("PATCH", f"employee/{ANNA}/add"),
        ("PATCH", f"employee/{ANNA}/remove"),
    ):
        answer = await other.request(method, f"{SERVICE_GROUPS.path}/{path}", json=[] if method == "PATCH" else None)
        assert answer.status_code == 404, path


async def test_a_list_may_ask_for_all_of_some_labels_or_any(api: Api) -> None:
    await SERVICE_GROUPS.create(api, "Both", labels=["VIP", "Odense"])
    await SERVICE_GROUPS.create(api, "One", labels=["vip"])

    async def names(query: str) -> list[str]:
        return [group["name"] for group in (await api.get(f"{SERVICE_GROUPS.path}?{query}")).json()]

    assert await names("") == ["Aarhus branch", "Both", "København branch", "One"]
    assert await names("labels=VIP") == ["Both", "One"]
    assert await names("labels=VIP,odense") == ["Both"]
    assert await names("labels=VIP,odense&labelMatch=any") == ["Both", "One"]


async def test_a_longer_list_takes_no_more_statements(api: Api, database: Database) -> None:
    with logged_statements(database) as few:
        await api.get(f"{SERVICE_GROUPS.path}?labels=VIP")
    for number in range(30):
        await SERVICE_GROUPS.create(
            api,
            f"Group {number}",
            employeeIds=[ANNA, BO],
            competenceGroupIds=[PENSION_GROUP],
            labels=["VIP", "Aarhus"],
            serviceTrigger=TRIGGER,
        )
    with logged_statements(database) as many:
        assert len((await api.get(f"{SERVICE_GROUPS.path}?labels=VIP")).json()) == 30
    assert len(many) == len(few)
