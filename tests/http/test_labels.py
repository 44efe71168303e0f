"""The label registry over HTTP (contract section 4, Labels; docs/api/labels.md)."""

import asyncio
from collections import Counter
from typing import Any
from uuid import UUID, uuid4

from meetdeck.labels.schemas import LabelledKind
from meetdeck.labels.service.uses import replace_labels
from meetdeck.platform.database import Database
from support.factories import Api
from support.fakes import HandClock

LABELS = "v3/booking/config/labels"


async def register(api: Api, name: str, **members: Any) -> dict[str, Any]:
    answer = await api.post(LABELS, {"labelName": name} | members)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def use(api: Api, database: Database, clock: HandClock, *names: str, branch: str = "Aarhus") -> None:
    """Set the labels of a service group."""
    group_id = UUID(api.id_of("service group", branch))
    async with database.transaction(api.firm.tenant_id) as connection:
        await replace_labels(connection, LabelledKind.SERVICE_GROUP, group_id, names, clock())


def names_of(labels: list[dict[str, Any]]) -> list[str]:
    return [label["labelName"] for label in labels]


# ------------------------------------------------------------------------------------------------- register and read


async def test_a_label_is_registered_with_the_contracts_fields(api: Api) -> None:
    answer = await api.post(LABELS, {"labelName": "VIP", "color": "#Ff8800", "description": "Calls are returned first"})
    assert answer.status_code == 201
    label = answer.json()
    assert label == {
        "id": label["id"],
        "labelName": "VIP",
        "color": "#Ff8800",
        "description": "Calls are returned first",
        "usageCount": 0,
        "isActive": False,
        "firstSeen": "2026-03-02T06:00:00Z",
        "lastUpdated": "2026-03-02T06:00:00Z",
    }
    assert answer.headers["Location"] == f"http://meetdeck.test/api/{LABELS}/{label['id']}"
    assert (await api.get(f"{LABELS}/{label['id']}")).json() == label
    assert (await api.get(f"v3/config/labels/{label['id']}")).json() == label


async def test_only_the_name_is_needed(api: Api) -> None:
    assert (await register(api, "  VIP\t"))["labelName"] == "VIP"
    label = await register(api, "Pension", color=None, description=None)
    assert (label["color"], label["description"]) == ("#808080", "")


async def test_a_name_is_taken_in_any_case_of_its_letters(api: Api) -> None:
    await register(api, "Ærø")
    await register(api, "Århus")
    for taken in ("Ærø", "ÆRØ", " ærø ", "A\u030arhus", "ÅRHUS"):
        answer = await api.post(LABELS, {"labelName": taken})
        assert (answer.status_code, answer.json()["code"]) == (409, "label_exists"), taken
        assert answer.json()["errors"][0]["pointer"] == "/labelName"


async def test_of_many_who_register_one_name_at_once_one_does(api: Api) -> None:
    answers = await asyncio.gather(*(api.post(LABELS, {"labelName": name}) for name in ("vip", "VIP", "Vip") * 4))
    assert Counter(answer.status_code for answer in answers) == {201: 1, 409: 11}


async def test_a_repeat_of_registering_gets_the_same_answer(api: Api) -> None:
    key = {"Idempotency-Key": "one"}
    answers = [await api.post(LABELS, {"labelName": "VIP"}, headers=key) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()


REFUSED_BODIES: list[tuple[object, str, str]] = [
    ({}, "invalid_request", "/labelName"),
    ({"labelName": 7}, "invalid_request", "/labelName"),
    ({"labelName": " \t"}, "invalid_label", "/labelName"),
    ({"labelName": "x" * 101}, "invalid_label", "/labelName"),
    ({"labelName": "VIP", "color": "red"}, "invalid_request", "/color"),
    ({"labelName": "VIP", "color": "#12345"}, "invalid_request", "/color"),
    ({"labelName": "VIP", "color": "#123456\n"}, "invalid_request", "/color"),
    ({"labelName": "VIP", "description": "x" * 2001}, "invalid_request", "/description"),
]


async def test_what_makes_no_label_is_refused(api: Api) -> None:
    for body, code, pointer in REFUSED_BODIES:
        answer = await api.post(LABELS, body)
        assert (answer.status_code, answer.json()["code"]) == (400, code), body
        assert [error["pointer"] for error in answer.json()["errors"]] == [pointer], body


async def test_a_hundred_characters_are_a_name(api: Api) -> None:
    assert len((await register(api, f" {'å' * 100} "))["labelName"]) == 100


async def test_a_null_character_is_refused(api: Api) -> None:
    for answer in (
        await api.post(LABELS, {"labelName": "V\0IP"}),
        await api.get(f"{LABELS}/search?q=V%00"),
        await api.get(f"{LABELS}/suggest?prefix=V%00"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (400, "unstorable_text")


# --------------------------------------------------------------------------------------------------- change and delete


async def test_color_and_description_change_one_by_one(api: Api, clock: HandClock) -> None:
    label = await register(api, "VIP", color="#112233", description="Old")
    clock.advance(minutes=5)
    changed = await api.request("PATCH", f"{LABELS}/{label['id']}", json={"color": "#abcdef"})
    assert changed.status_code == 200
    assert changed.json() == label | {"color": "#abcdef", "lastUpdated": "2026-03-02T06:05:00Z"}
    clock.advance(minutes=5)
    changed = await api.request("PATCH", f"{LABELS}/{label['id']}", json={"description": "", "labelName": "Other"})
    assert changed.json() == label | {"color": "#abcdef", "description": "", "lastUpdated": "2026-03-02T06:10:00Z"}
    assert (await api.get(f"{LABELS}/{label['id']}")).json() == changed.json()


async def test_a_change_of_nothing_leaves_the_label_as_it_was(api: Api, clock: HandClock) -> None:
    label = await register(api, "VIP")
    clock.advance(minutes=5)
    for body in ({}, {"color": None}, {"color": "#808080", "description": ""}):
        assert (await api.request("PATCH", f"{LABELS}/{label['id']}", json=body)).json() == label


async def test_a_change_of_what_was_read_before_another_change_is_refused(api: Api) -> None:
    label = await register(api, "VIP")
    seen = (await api.get(f"{LABELS}/{label['id']}")).headers["ETag"]
    path, headers = f"{LABELS}/{label['id']}", {"If-Match": seen}
    changed = await api.request("PATCH", path, json={"color": "#000000"}, headers=headers)
    assert changed.status_code == 200
    assert (await api.request("PATCH", path, json={"color": "#111111"}, headers=headers)).status_code == 412
    assert (await api.request("DELETE", path, headers=headers)).status_code == 412
    assert (await api.request("DELETE", path, headers={"If-Match": changed.headers["ETag"]})).status_code == 204


async def test_a_label_is_deleted_when_nothing_carries_it(api: Api) -> None:
    label = await register(api, "VIP")
    answer = await api.request("DELETE", f"{LABELS}/{label['id']}")
    assert (answer.status_code, answer.content) == (204, b"")
    for method in ("GET", "DELETE", "PATCH"):
        again = await api.request(method, f"{LABELS}/{label['id']}", json={} if method == "PATCH" else None)
        assert (again.status_code, again.json()["code"]) == (404, "label_not_found")
    assert (await register(api, "VIP"))["id"] != label["id"]


async def test_a_label_in_use_stays_and_the_refusal_names_what_carries_it(
    api: Api, database: Database, clock: HandClock
) -> None:
    await use(api, database, clock, "VIP")
    label = (await api.get(LABELS)).json()["items"][0]
    answer = await api.request("DELETE", f"{LABELS}/{label['id']}")
    assert (answer.status_code, answer.json()["code"]) == (409, "label_in_use")
    assert "service group 'Aarhus branch'" in answer.json()["detail"]
    assert (await api.get(f"{LABELS}/{label['id']}")).json() == label
    await use(api, database, clock)
    assert (await api.request("DELETE", f"{LABELS}/{label['id']}")).status_code == 204


async def test_first_use_registers_a_label(api: Api, database: Database, clock: HandClock) -> None:
    clock.advance(minutes=10)
    await use(api, database, clock, "VIP")
    page = (await api.get(LABELS)).json()
    assert page["items"] == [
        {
            "id": page["items"][0]["id"],
            "labelName": "VIP",
            "color": "#808080",
            "description": "",
            "usageCount": 1,
            "isActive": True,
            "firstSeen": "2026-03-02T06:10:00Z",
            "lastUpdated": "2026-03-02T06:10:00Z",
        }
    ]


# ------------------------------------------------------------------------------------------------------------ the list


async def test_labels_are_listed_by_name_in_pages_numbered_from_0(api: Api) -> None:
    for number in range(25):
        await register(api, f"{'b' if number % 2 else 'B'}{number:02}")
    await register(api, "alpha")
    first = (await api.get(LABELS)).json()
    assert {name: first[name] for name in first if name != "items"} == {
        "pageNumber": 0,
        "pageSize": 20,
        "totalCount": 26,
        "totalPages": 2,
    }
    assert [name.lower() for name in names_of(first["items"])] == ["alpha", *(f"b{number:02}" for number in range(19))]
    second = (await api.get(f"{LABELS}?pageNumber=1")).json()
    assert [name.lower() for name in names_of(second["items"])] == [f"b{number:02}" for number in range(19, 25)]
    beyond = (await api.get(f"{LABELS}?pageNumber=2147483647&pageSize=200")).json()
    assert (beyond["items"], beyond["totalCount"], beyond["totalPages"]) == ([], 26, 1)


async def test_an_empty_registry_has_no_page(api: Api) -> None:
    assert (await api.get(LABELS)).json() == {
        "items": [],
        "pageNumber": 0,
        "pageSize": 20,
        "totalCount": 0,
        "totalPages": 0,
    }


async def test_the_list_is_narrowed_to_labels_in_use_or_not(api: Api, database: Database, clock: HandClock) -> None:
    await register(api, "Idle")
    await use(api, database, clock, "VIP", "Pension")
    for asked, expected in (
        ("", ["Idle", "Pension", "VIP"]),
        ("?activeFilter=All", ["Idle", "Pension", "VIP"]),
        ("?activeFilter=active", ["Pension", "VIP"]),
        ("?activeFilter=INACTIVE", ["Idle"]),
    ):
        page = (await api.get(f"{LABELS}{asked}")).json()
        assert (names_of(page["items"]), page["totalCount"]) == (expected, len(expected)), asked


REFUSED_QUERIES = {
    "?pageSize=201": "pageSize",
    "?pageSize=0": "pageSize",
    "?pageNumber=-1": "pageNumber",
    "?pageNumber=99999999999999999999": "pageNumber",
    "?activeFilter=Some": "activeFilter",
    "/search": "q",
    "/search?q=a&threshold=1.1": "threshold",
    "/search?q=a&threshold=-0.1": "threshold",
    "/search?q=a&threshold=nan": "threshold",
    "/search?q=a&limit=0": "limit",
    "/search?q=a&limit=201": "limit",
    f"/search?q={'a' * 201}": "q",
    "/suggest?limit=201": "limit",
    "/suggest?limit=many": "limit",
}


async def test_questions_outside_the_limits_are_refused(api: Api) -> None:
    for asked, member in REFUSED_QUERIES.items():
        answer = await api.get(LABELS + asked)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request"), asked
        assert [error["pointer"] for error in answer.json()["errors"]] == [f"/query/{member}"], asked


# ---------------------------------------------------------------------------------------------------------- likeness


async def test_search_forgives_errors_and_gives_the_best_first(api: Api) -> None:
    for name in ("Pension", "Pensionist", "Private pension", "Mortgage", "Københavns afdeling"):
        await register(api, name)
    found = (await api.get(f"{LABELS}/search?q=pention")).json()
    assert names_of(found)[0] == "Pension"
    assert "Mortgage" not in names_of(found)
    similarities = [label["similarity"] for label in found]
    assert similarities == sorted(similarities, reverse=True)
    exact = (await api.get(f"{LABELS}/search", params={"q": "KØBENHAVNS AFDELING"})).json()
    assert [(label["labelName"], label["similarity"]) for label in exact] == [("Københavns afdeling", 1.0)]
    assert set(exact[0]) == set((await api.get(f"{LABELS}/{exact[0]['id']}")).json()) | {"similarity"}


async def test_the_threshold_decides_how_unlike_a_name_may_be(api: Api) -> None:
    for name in ("Pension", "Pensionist", "Mortgage"):
        await register(api, name)
    found = (await api.get(f"{LABELS}/search?q=pension&threshold=0")).json()
    assert names_of(found) == ["Pension", "Pensionist", "Mortgage"]
    for threshold, expected in ((found[1]["similarity"], ["Pension", "Pensionist"]), (1, ["Pension"])):
        answer = (await api.get(f"{LABELS}/search?q=pension&threshold={threshold}")).json()
        assert names_of(answer) == expected


async def test_search_keeps_to_its_limit_and_prefers_the_most_used_of_equals(
    api: Api, database: Database, clock: HandClock
) -> None:
    for number in range(10, 40):
        await register(api, f"Team {number}")
    await use(api, database, clock, "Team 33", "Team 17")
    await use(api, database, clock, "Team 33", branch="København")
    assert len((await api.get(f"{LABELS}/search?q=team")).json()) == 20
    assert names_of((await api.get(f"{LABELS}/search?q=team&limit=3")).json()) == ["Team 33", "Team 17", "Team 10"]
    active = (await api.get(f"{LABELS}/search?q=team&activeFilter=active")).json()
    assert names_of(active) == ["Team 33", "Team 17"]
    idle = (await api.get(f"{LABELS}/search?q=team&activeFilter=Inactive&limit=200")).json()
    assert len(idle) == 28


async def test_searching_for_no_letters_finds_nothing(api: Api) -> None:
    await register(api, "VIP")
    for q in ("%", "' or ''='", "   ", "_"):
        assert (await api.get(f"{LABELS}/search", params={"q": q})).json() == []


async def test_suggestions_begin_as_typed_with_the_most_used_first(
    api: Api, database: Database, clock: HandClock
) -> None:
    for name in ("Ærø", "Ægte", "Age", "ÆBLE%", "Private pension"):
        await register(api, name)
    await use(api, database, clock, "Ærø")
    suggested = (await api.get(f"{LABELS}/suggest", params={"prefix": " æ"})).json()
    assert names_of(suggested) == ["Ærø", "ÆBLE%", "Ægte"]
    assert suggested[0] == {"id": suggested[0]["id"], "labelName": "Ærø", "color": "#808080", "usageCount": 1}
    for prefix, expected in (("private p", ["Private pension"]), ("pension", []), ("%", []), ("æble%", ["ÆBLE%"])):
        assert names_of((await api.get(f"{LABELS}/suggest", params={"prefix": prefix})).json()) == expected
    assert names_of((await api.get(f"{LABELS}/suggest?limit=2")).json()) == ["Ærø", "Age"]


# ------------------------------------------------------------------------------------------------- versions and tenants


async def test_v2_has_no_labels(api: Api) -> None:
    for path in ("", "/search?q=a", "/suggest?prefix=a", f"/{uuid4()}"):
        answer = await api.get(f"v2/booking/config/labels{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path
    assert (await api.post("v2/booking/config/labels", {"labelName": "VIP"})).status_code == 404


async def test_each_tenant_has_its_own_registry(api: Api) -> None:
    label = await register(api, "VIP")
    other = await api.other()
    assert (await other.get(f"{LABELS}/{label['id']}")).status_code == 404
    assert (await other.request("DELETE", f"{LABELS}/{label['id']}")).status_code == 404
    assert (await other.get(LABELS)).json()["totalCount"] == 0
    assert (await other.get(f"{LABELS}/search?q=vip&threshold=0")).json() == []
    assert (await other.get(f"{LABELS}/suggest")).json() == []
    await register(other, "vip")
