"""Employees and rooms that are found by words, place, group or id, part by part (docs/api/lists.md#narrowed-lists)."""

from typing import Any

import pytest

from support.factories import Api
from support.groups import COMPETENCE_GROUPS

EMPLOYEES, ROOMS = "v3/booking/employees", "v3/booking/rooms"


async def list_names(api: Api, path: str) -> list[str]:
    return [one["name"] for one in (await api.get(path)).raise_for_status().json()]


async def add(api: Api, **members: Any) -> str:
    return (await api.post("v3/booking/config/employees", members)).raise_for_status().json()["id"]


async def test_employees_are_found_by_words_in_any_case_and_order(api: Api) -> None:
    await add(api, name="Åse Holm-Lund", email="al_1@bank.example", initials="ÅHL", location="Aarhus")
    for search, names in {
        "HOLM": ["Anna Holm", "Åse Holm-Lund"],
        "holm ann": ["Anna Holm"],
        "åse": ["Åse Holm-Lund"],
        "åhl": ["Åse Holm-Lund"],
        "al_1@bank": ["Åse Holm-Lund"],
        "al_2": [],
        "100%": [],
        "\\": [],
        "Anna Lind": [],
    }.items():
        assert await list_names(api, f"{EMPLOYEES}?search={search.replace('%', '%25')}") == names, search
    everybody = await list_names(api, EMPLOYEES)
    assert await list_names(api, f"{EMPLOYEES}?search=") == everybody


async def test_employees_and_rooms_are_found_by_place_and_id(api: Api) -> None:
    people, rooms = (await api.get(EMPLOYEES)).json(), (await api.get(ROOMS)).json()
    for path, all_of_them in ((EMPLOYEES, people), (ROOMS, rooms)):
        at_aarhus = [one["name"] for one in all_of_them if one["location"] == "Aarhus"]
        assert at_aarhus != []
        assert await list_names(api, f"{path}?location=aarhus") == at_aarhus
        first, last = all_of_them[0], all_of_them[-1]
        ids = f"ids={last['id']}&ids={first['id']}&ids={'0' * 32}"
        assert await list_names(api, f"{path}?{ids}") == [first["name"], last["name"]]
    assert await list_names(api, f"{ROOMS}?search=havb") == ["Havblik"]


async def test_a_group_brings_the_members_of_the_groups_below_it(api: Api) -> None:
    anna, bo = (str(api.firm.id_of("employee", name)) for name in ("Anna Holm", "Bo Lind"))
    above = await COMPETENCE_GROUPS.create(api, "Above", employeeIds=[bo])
    below = await COMPETENCE_GROUPS.create(api, "Below", employeeIds=[anna], parentGroupIds=[above["id"]])
    for group, names in ((above, ["Anna Holm", "Bo Lind"]), (below, ["Anna Holm"]), ({"id": "0" * 32}, [])):
        assert await list_names(api, f"{EMPLOYEES}?competenceGroupId={group['id']}") == names
    assert await list_names(api, f"{EMPLOYEES}?competenceGroupId={above['id']}&search=lind") == ["Bo Lind"]


async def test_a_part_comes_with_how_many_there_are(api: Api) -> None:
    for path in (EMPLOYEES, "v3/booking/config/employees", ROOMS):
        names = await list_names(api, path)
        whole = await api.get(path)
        assert "Total-Count" not in whole.headers
        for offset in range(len(names) + 2):
            part = await api.get(f"{path}?limit=2&offset={offset}")
            assert [one["name"] for one in part.json()] == names[offset : offset + 2]
            assert part.headers["Total-Count"] == str(len(names))
    found = await api.get(f"{EMPLOYEES}?limit=1&search=nobody")
    assert (found.json(), found.headers["Total-Count"]) == ([], "0")


@pytest.mark.parametrize("query", ["limit=0", "limit=1001", "offset=-1", "ids=1", "limit=many", f"search={'a' * 201}"])
async def test_what_narrows_nothing_is_refused(query: str, api: Api) -> None:
    answer = await api.get(f"{EMPLOYEES}?{query}")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"].startswith(f"/query/{query.partition('=')[0]}")


async def test_v2_lists_everybody(api: Api) -> None:
    answer = await api.get("v2/booking/employees?search=nobody&limit=1")
    assert len(answer.json()) > 1
    assert "Total-Count" not in answer.headers


async def test_schedules_are_those_of_some_employees(api: Api) -> None:
    path = "v3/booking/config/employee-schedules"
    whole = (await api.get(path)).json()
    assert len(whole) > 2
    ids = f"employeeIds={whole[1]['employeeId']}&employeeIds={'0' * 32}"
    assert (await api.get(f"{path}?{ids}")).json() == [whole[1]]


async def test_a_narrowed_list_is_an_array_in_the_api_document(api: Api) -> None:
    document = (await api.http.get("/api/v3/openapi.json")).json()
    for path in ("employees", "config/employees", "rooms", "config/rooms"):
        answer = document["paths"][f"/api/v3/booking/{path}"]["get"]["responses"]["200"]
        if (shared := answer.get("$ref")) is not None:
            answer = document["components"]["responses"][shared.rpartition("/")[2]]
        assert answer["content"]["application/json"]["schema"]["type"] == "array"
        assert "Total-Count" in answer["headers"]
