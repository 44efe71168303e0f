"""Employee schedules over HTTP (contract section 4, Employee schedules; docs/api/employees-and-topics.md#schedules)."""

import asyncio
from collections import Counter
from datetime import datetime
from typing import Any
from uuid import uuid4

import httpx

from meetdeck.demo.firm import NORDLYS, ZONE
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.patches import pointers, replace
from support.statements import logged_statements

SCHEDULES = "v3/booking/config/employee-schedules"
ANNA, BO = (str(NORDLYS.id_of("employee", name)) for name in ("Anna Holm", "Bo Lind"))
ANNAS, BOS = (str(NORDLYS.id_of("schedule", name)) for name in ("Anna Holm", "Bo Lind"))
TUESDAY = {"startDate": "2026-03-03T00:00", "lookForwardTime": "1.00:00:00"}
UNKNOWN = str(uuid4())

Json = dict[str, Any]


async def elevate(api: Api) -> Api:
    return await api.of(api.firm, elevated=True)


async def read(api: Api, schedule_id: str = ANNAS) -> Json:
    answer = await api.get(f"{SCHEDULES}/{schedule_id}")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def patch(api: Api, *operations: Json, schedule_id: str = ANNAS, **arguments: Any) -> httpx.Response:
    return await api.request("PATCH", f"{SCHEDULES}/{schedule_id}", json=operations, **arguments)


async def create(api: Api, **members: Any) -> httpx.Response:
    """Make Anna's schedule anew, as somebody who may."""
    elevated = await elevate(api)
    await elevated.request("DELETE", f"{SCHEDULES}/{ANNAS}")
    return await elevated.post(SCHEDULES, {"employeeId": ANNA} | members)


def workday(day: str, begin: str, end: str, **members: Any) -> Json:
    return {"dayOfWeek": day, "from": begin, "to": end} | members


async def search(api: Api, **query: Any) -> list[Json]:
    """Return Anna's free slots on Tuesday; a parameter that is None is left out."""
    named = {"requireEmployeeParticipation": "false", "explicitEmployeeIds": ANNA, "employeeTypes": "Explicit"}
    params = {name: value for name, value in (named | TUESDAY | query).items() if value is not None}
    answer = await api.get("v3/booking/time-slots/available", params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


def starts_of(slots: list[Json]) -> list[str]:
    starts = {datetime.fromisoformat(slot["startDate"]).astimezone(ZONE) for slot in slots}
    return [f"{start:%H:%M}" for start in sorted(starts)]


# --------------------------------------------------------------------------------------------------------------- read


async def test_a_schedule_has_the_contracts_fields(api: Api) -> None:
    schedule = await read(api)
    types = [{"type": "Physical"}, {"type": "Online"}, {"type": "Telephone"}]
    assert schedule == {
        "id": ANNAS,
        "employeeId": ANNA,
        "isOnlyExplicitlyAvailable": False,
        "canBeBooked": True,
        "workdays": [
            {
                "isAvailable": True,
                "dayOfWeek": day,
                "from": "08:30:00",
                "to": "16:30:00",
                "availableMeetingTypes": types,
                "location": "",
            }
            for day in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
        ],
        "maxMeetingTimePerDay": None,
    }
    assert (await api.get(f"v3/config/employee-schedules/{ANNAS}")).json() == schedule


async def test_schedules_are_listed_by_their_employees_names(api: Api) -> None:
    schedules = (await api.get(SCHEDULES)).json()
    names = sorted(one.name for one in NORDLYS.advisors)
    assert [one["employeeId"] for one in schedules] == [str(NORDLYS.id_of("employee", name)) for name in names]
    assert await read(api) in schedules


async def test_the_list_takes_as_many_statements_however_many_schedules_there_are(api: Api, database: Database) -> None:
    with logged_statements(database) as few:
        assert len((await api.get(SCHEDULES)).json()) == 8
    for number in range(22):
        assert (await api.post("v3/booking/config/employees", {"name": f"New {number}"})).status_code == 201
    with logged_statements(database) as many:
        assert len((await api.get(SCHEDULES)).json()) == 30
    assert len(few) == len(many)


async def test_the_actual_schedule_has_each_workdays_location(api: Api) -> None:
    changed = await patch(api, replace("/workdays/1/location", " København "))
    assert changed.json()["workdays"][1]["location"] == "København"
    actual = (await api.get(f"{SCHEDULES}/{ANNAS}/actual")).json()
    assert [one["location"] for one in actual["workdays"]] == ["Aarhus", "København", "Aarhus", "Aarhus", "Aarhus"]
    assert [one["location"] for one in (await read(api))["workdays"]] == ["", "København", "", "", ""]


async def test_what_is_not_there_or_anothers_is_404(api: Api) -> None:
    elevated = await elevate(await api.other())
    for schedule_id in (UNKNOWN, ANNAS):
        for caller in [elevated] if schedule_id == ANNAS else [elevated, api]:
            answers = [
                await caller.get(f"{SCHEDULES}/{schedule_id}"),
                await caller.get(f"{SCHEDULES}/{schedule_id}/actual"),
                await patch(caller, schedule_id=schedule_id),
            ]
            assert [answer.status_code for answer in answers] == [404] * 3
        assert (await elevated.request("DELETE", f"{SCHEDULES}/{schedule_id}")).status_code == 404
    assert ANNAS not in {one["id"] for one in (await elevated.get(SCHEDULES)).json()}


async def test_v2_has_no_schedules(api: Api) -> None:
    assert (await api.get(SCHEDULES.replace("v3", "v2"))).status_code == 404


# -------------------------------------------------------------------------------------------------- create and delete


async def test_who_may_makes_a_schedule_and_deletes_it(api: Api) -> None:
    answer = await create(
        api,
        isOnlyExplicitlyAvailable=True,
        canBeBooked=False,
        maxMeetingTimePerDay="05:30:00",
        workdays=[
            {
                "isAvailable": False,
                "dayOfWeek": "SUNDAY",
                "from": "00:00",
                "to": "24:00:00",
                "availableMeetingTypes": [{"type": "offsite"}, {"type": "Online"}, {"type": "online"}],
                "location": " Skagen 🏖 ",
            },
            workday("monday", "09:00:00", "12:00:30"),
        ],
    )
    assert answer.status_code == 201, answer.text
    schedule = answer.json()
    assert schedule == {
        "id": schedule["id"],
        "employeeId": ANNA,
        "isOnlyExplicitlyAvailable": True,
        "canBeBooked": False,
        "maxMeetingTimePerDay": "05:30:00",
        "workdays": [
            {
                "isAvailable": False,
                "dayOfWeek": "Sunday",
                "from": "00:00:00",
                "to": "00:00:00",
                "availableMeetingTypes": [{"type": "Offsite"}, {"type": "Online"}],
                "location": "Skagen 🏖",
            },
            {
                "isAvailable": True,
                "dayOfWeek": "Monday",
                "from": "09:00:00",
                "to": "12:00:30",
                "availableMeetingTypes": [{"type": "Physical"}, {"type": "Online"}, {"type": "Telephone"}],
                "location": "",
            },
        ],
    }
    assert answer.headers["Location"] == f"http://meetdeck.test/api/{SCHEDULES}/{schedule['id']}"
    assert await read(api, schedule["id"]) == schedule
    deleted = await (await elevate(api)).request("DELETE", f"{SCHEDULES}/{schedule['id']}")
    assert (deleted.status_code, deleted.content) == (204, b"")
    assert (await api.get(f"{SCHEDULES}/{schedule['id']}")).status_code == 404


async def test_only_the_employee_is_needed(api: Api) -> None:
    schedule = (await create(api)).json()
    assert schedule == {
        "id": schedule["id"],
        "employeeId": ANNA,
        "isOnlyExplicitlyAvailable": False,
        "canBeBooked": True,
        "workdays": [],
        "maxMeetingTimePerDay": None,
    }


async def test_without_the_elevated_role_schedules_are_neither_made_nor_deleted(api: Api) -> None:
    answers = [
        await api.post(SCHEDULES, {"employeeId": ANNA}),
        await api.request("DELETE", f"{SCHEDULES}/{ANNAS}"),
        await api.request("DELETE", f"{SCHEDULES}/{UNKNOWN}"),
    ]
    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [(403, "forbidden")] * 3
    assert "Meetdeck.Elevated" in answers[0].json()["detail"]
    assert (await read(api))["id"] == ANNAS


async def test_an_employee_has_one_schedule_however_many_are_made_at_once(api: Api) -> None:
    elevated = await elevate(api)
    taken = await elevated.post(SCHEDULES, {"employeeId": BO})
    assert (taken.status_code, taken.json()["code"], pointers(taken)) == (409, "already_exists", ["/employeeId"])
    await elevated.request("DELETE", f"{SCHEDULES}/{BOS}")
    answers = await asyncio.gather(*(elevated.post(SCHEDULES, {"employeeId": BO}) for _ in range(6)))
    assert Counter(answer.status_code for answer in answers) == {201: 1, 409: 5}


async def test_a_schedule_of_nobody_is_404_with_the_pointer(api: Api) -> None:
    answer = await (await elevate(api)).post(SCHEDULES, {"employeeId": UNKNOWN})
    assert (answer.status_code, answer.json()["code"]) == (404, "reference_not_found")
    assert pointers(answer) == ["/employeeId"]


async def test_an_employee_without_a_schedule_is_not_offered(api: Api) -> None:
    assert await search(api)
    await (await elevate(api)).request("DELETE", f"{SCHEDULES}/{ANNAS}")
    assert await search(api) == []
    booked = await api.book(
        employeeId=ANNA, startDate=TUESDAY_AT_TEN.isoformat(), endDate=TUESDAY_AT_TEN.replace(hour=10).isoformat()
    )
    assert booked.status_code == 201, booked.text


async def test_what_makes_no_schedule_is_refused_with_every_fault(api: Api) -> None:
    elevated = await elevate(api)
    day = workday("Monday", "09:00:00", "12:00:00")
    refused: list[tuple[object, list[str]]] = [
        ({}, ["/employeeId"]),
        ({"employeeId": "Anna", "canBeBooked": "yes"}, ["/canBeBooked", "/employeeId"]),
        ({"employeeId": ANNA, "maxMeetingTimePerDay": "24:00:01"}, ["/maxMeetingTimePerDay"]),
        ({"employeeId": ANNA, "maxMeetingTimePerDay": 5}, ["/maxMeetingTimePerDay"]),
        ({"employeeId": ANNA, "workdays": [{}]}, [f"/workdays/0/{name}" for name in ("dayOfWeek", "from", "to")]),
        (
            {"employeeId": ANNA, "workdays": [day, workday("Mo", "9:00", "25:00:00")]},
            [f"/workdays/1/{name}" for name in ("dayOfWeek", "from", "to")],
        ),
        (
            {"employeeId": ANNA, "workdays": [day | {"availableMeetingTypes": [{"type": "fax"}]}]},
            ["/workdays/0/availableMeetingTypes/0/type"],
        ),
        ({"employeeId": ANNA, "workdays": [day | {"location": "x" * 201}]}, ["/workdays/0/location"]),
        ({"employeeId": ANNA, "workdays": [workday("Friday", "12:00:00", "12:00:00")]}, ["/workdays/0/to"]),
        ({"employeeId": ANNA, "workdays": [day] * 501}, ["/workdays"]),
    ]
    for body, expected in refused:
        answer = await elevated.post(SCHEDULES, body)
        assert answer.status_code == 400, answer.text
        assert pointers(answer) == expected, answer.text
    unstorable = await create(api, workdays=[day | {"location": "Aar\0hus"}])
    assert (unstorable.status_code, unstorable.json()["code"]) == (400, "unstorable_text")


async def test_hours_that_overlap_are_refused_naming_both(api: Api) -> None:
    week = [
        workday("Tuesday", "13:00:00", "24:00:00"),
        workday("Monday", "09:00:00", "17:00:00"),
        workday("Tuesday", "09:00:00", "13:00:01", isAvailable=False),
    ]
    answer = await patch(api, replace("/workdays", week))
    assert answer.status_code == 400
    assert [(one["pointer"], one["detail"]) for one in answer.json()["errors"]] == [
        ("/workdays/2", "Overlaps with /workdays/0, Tuesday 13:00:00 to 00:00:00."),
        ("/workdays/0", "Overlaps with /workdays/2, Tuesday 09:00:00 to 13:00:01."),
    ]
    week[2]["to"] = "13:00:00"
    assert (await patch(api, replace("/workdays", week))).status_code == 200


# ------------------------------------------------------------------------------------------------------------- change


CHANGES: list[tuple[str, object]] = [
    ("isOnlyExplicitlyAvailable", True),
    ("canBeBooked", False),
    ("maxMeetingTimePerDay", "1.00:00:00"),
    ("maxMeetingTimePerDay", "00:00:00"),
    ("workdays/0/isAvailable", False),
    ("workdays/0/dayOfWeek", "Saturday"),
    ("workdays/0/from", "00:00:00"),
    ("workdays/0/to", "00:00:00"),
    ("workdays/0/availableMeetingTypes", [{"type": "Physical"}]),
    ("workdays/0/availableMeetingTypes/0", {"type": "Offsite"}),
    ("workdays/0/location", "København"),
    ("workdays", []),
]


async def test_each_member_can_be_changed(api: Api) -> None:
    for member, value in CHANGES:
        changed = await patch(api, replace(f"/{member}", value), {"op": "test", "path": f"/{member}", "value": value})
        assert changed.status_code == 200, changed.text
        assert changed.headers["ETag"]
        schedule = await read(api)
        assert schedule == changed.json()
        found: Any = schedule
        for name in member.split("/"):
            found = found[int(name) if isinstance(found, list) else name]
        assert found == value


async def test_a_removed_member_has_its_default_again(api: Api) -> None:
    await patch(api, replace("/canBeBooked", value=False), replace("/maxMeetingTimePerDay", "01:00:00"))
    removed = [{"op": "remove", "path": f"/{name}"} for name in ("canBeBooked", "maxMeetingTimePerDay", "workdays")]
    schedule = (await patch(api, *removed)).json()
    assert (schedule["canBeBooked"], schedule["maxMeetingTimePerDay"], schedule["workdays"]) == (True, None, [])


async def test_whose_schedule_it_is_cannot_be_changed(api: Api) -> None:
    for member, value in (("id", UNKNOWN), ("employeeId", BO)):
        answer = await patch(api, replace(f"/{member}", value))
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_patch")
        assert pointers(answer) == ["/operations/0/value"]


async def test_a_change_of_what_was_read_before_another_change_is_refused(api: Api) -> None:
    seen = {"If-Match": (await api.get(f"{SCHEDULES}/{ANNAS}")).headers["ETag"]}
    assert (await patch(api, replace("/canBeBooked", value=False), headers=seen)).status_code == 200
    assert (await patch(api, replace("/canBeBooked", value=True), headers=seen)).status_code == 412
    elevated = await elevate(api)
    assert (await elevated.request("DELETE", f"{SCHEDULES}/{ANNAS}", headers=seen)).status_code == 412


async def test_changes_at_the_same_moment_are_both_made(api: Api) -> None:
    day = workday("Saturday", "09:00:00", "10:00:00")
    hours = [day | {"from": f"{hour:02}:00:00", "to": f"{hour + 1:02}:00:00"} for hour in range(8, 14)]
    answers = await asyncio.gather(*(patch(api, {"op": "add", "path": "/workdays/-", "value": one}) for one in hours))
    assert [answer.status_code for answer in answers] == [200] * 6
    assert sorted(one["from"] for one in (await read(api))["workdays"][5:]) == [one["from"] for one in hours]


# --------------------------------------------------------------------------------------------------------- the search


async def test_the_search_offers_each_interval_of_a_weekday(api: Api) -> None:
    week = [
        workday("Tuesday", "14:00:00", "15:30:00", availableMeetingTypes=[{"type": "Online"}]),
        workday("Tuesday", "09:00:00", "10:00:00", availableMeetingTypes=[{"type": "Offsite"}]),
        workday("Tuesday", "11:00:00", "13:00:00", isAvailable=False),
    ]
    await patch(api, replace("/workdays", week))
    slots = await search(api)
    assert starts_of(slots) == ["09:00", "14:00", "14:30"]
    assert [slot["meetingType"] for slot in slots] == ["Offsite", "Online", "Online"]


async def test_hours_may_last_until_midnight(api: Api) -> None:
    await patch(api, replace("/workdays", [workday("Tuesday", "22:00:00", "24:00:00")]))
    assert starts_of(await search(api)) == ["22:00", "22:30", "23:00"]


async def test_the_search_honours_who_can_be_booked_and_when_only_named(api: Api) -> None:
    await patch(api, replace("/isOnlyExplicitlyAvailable", value=True))
    anybody = await search(api, employeeTypes="Local", explicitEmployeeIds=None, customerLocation="Aarhus")
    assert anybody
    assert ANNA not in {slot["employeeId"] for slot in anybody}
    assert await search(api)
    await patch(api, replace("/canBeBooked", value=False))
    assert await search(api) == []


async def test_the_search_honours_the_daily_limit(api: Api) -> None:
    await patch(api, replace("/maxMeetingTimePerDay", "00:59:00"))
    assert await search(api) == []
    assert await search(api, meetingDuration="30")


async def test_the_search_honours_a_workdays_location(api: Api) -> None:
    query = {"meetingTypes": "physical", "meetingLocation": "København"}
    assert await search(api, **query) == []
    await patch(api, replace("/workdays/1/location", "københavn"))
    assert await search(api, **query)
