"""Names that nothing reads are told or, for callers who want it, refused (docs/api/index.md#unknown-names)."""

from typing import Any

import httpx
import pytest
from litestar.routes import HTTPRoute

from meetdeck.app import make_routes
from meetdeck.platform.values import deprecated
from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api

STRICT = {"Prefer": "handling=strict"}
SEARCH = "v3/booking/time-slots/available?requireEmployeeParticipation=false"


def list_faults(answer: httpx.Response) -> dict[str, str]:
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request"), answer.text
    return {fault["pointer"]: fault["detail"] for fault in answer.json()["errors"]}


async def test_parameters_that_no_operation_knows_are_named_in_the_answer(api: Api) -> None:
    plain = await api.get(SEARCH)
    answer = await api.get(f"{SEARCH}&employeTypes=Explicit&explicitEmployeIds={api.id_of('employee', 'Anna Holm')}")
    assert (answer.status_code, answer.content) == (200, plain.content)
    assert answer.headers["Meetdeck-Ignored"] == "employeTypes, explicitEmployeIds"
    assert "Meetdeck-Ignored" not in plain.headers
    # An operation without parameters, a spelling of arrays, and a name that fits no header.
    assert (await api.get("v3/booking/config/timezones?page=1")).headers["Meetdeck-Ignored"] == "page"
    assert "Meetdeck-Ignored" not in (await api.get(f"{SEARCH}&meetingTypes[]=Online&meetingTypes[1]=Phone")).headers
    assert (await api.get("v3/booking/rooms?r%C3%B8m%0D%0Ax:y=1")).headers["Meetdeck-Ignored"] == "r%C3%B8m%0D%0Ax%3Ay"


async def test_a_parameter_of_v3_is_unknown_to_v2(api: Api) -> None:
    assert (await api.get("v2/present/templates?labels=Private")).headers["Meetdeck-Ignored"] == "labels"
    assert "Meetdeck-Ignored" not in (await api.get("v3/present/templates?labels=Private")).headers


@pytest.mark.parametrize(
    "prefer", ["handling=strict", 'respond-async, Handling="strict"; x=1', "wait=5,handling=strict"]
)
async def test_strict_callers_learn_the_nearest_name(api: Api, prefer: str) -> None:
    answer = await api.get(f"{SEARCH}&employeTypes=Explicit&zzz=1", headers={"Prefer": prefer})
    assert list_faults(answer) == {
        "/query/employeTypes": "Unknown. Did you mean employeeTypes?",
        "/query/zzz": "Unknown. Leave it out.",
    }
    assert answer.headers["Preference-Applied"] == "handling=strict"


async def test_an_empty_value_is_not_given_and_strict_callers_learn_of_it(api: Api) -> None:
    employees = "v3/booking/employees"
    everybody = await api.get(employees)
    empty = f"{employees}?limit=&search="
    assert (await api.get(empty)).content == everybody.content
    assert list_faults(await api.get(empty, headers=STRICT)) == {
        "/query/limit": "Give a value, or leave it out.",
        "/query/search": "Give a value, or leave it out.",
    }


@pytest.mark.parametrize("prefer", ["handling=lenient", "wait=5; handling=strict", "handling=stricter", ""])
async def test_other_preferences_refuse_nothing(api: Api, prefer: str) -> None:
    answer = await api.get(f"{SEARCH}&employeTypes=Explicit", headers={"Prefer": prefer})
    assert (answer.status_code, "Preference-Applied" in answer.headers) == (200, False)


async def test_strict_callers_learn_of_members_of_a_body_at_any_depth(api: Api) -> None:
    body: dict[str, Any] = {
        "customerId": "Freja",
        "employeeId": api.id_of("employee", "Anna Holm"),
        "startDate": TUESDAY_AT_TEN.isoformat(),
        "endDate": TUESDAY_AT_TEN.replace(hour=10).isoformat(),
    }
    wrong = body | {"tittle": "Review", "customFields": [{"key": "a", "value": "b", "valeu": "c"}]}
    faults = list_faults(await api.post("v3/booking/meetings", wrong, headers=STRICT))
    assert faults == {
        "/tittle": "Unknown. Did you mean title?",
        "/customFields/0/valeu": "Unknown. Did you mean value?",
    }
    # With all other faults at once: a required member is not there under its own name.
    misspelt = {"employeId" if name == "employeeId" else name: value for name, value in body.items()}
    faults = list_faults(await api.post("v3/booking/meetings", misspelt, headers=STRICT))
    assert faults == {"/employeId": "Unknown. Did you mean employeeId?", "/employeeId": "employeeId is required."}
    assert (await api.post("v3/booking/meetings", body, headers=STRICT)).status_code == 201
    # What a template's tags are called is the caller's own.
    deck = {"template": "Annual review", "slides": [{"slideId": "Cover", "data": {"whatever": {"tittle": 1}}}]}
    assert (await api.post("v3/present/slides", deck, headers=STRICT)).status_code == 200


async def test_strict_callers_learn_of_parts_of_a_form(api: Api) -> None:
    parts = {"file": ("a.pptx", b"PK"), "nam": (None, "A"), "category": (None, "")}
    answer = await api.request("POST", "v3/present/templates", files=parts, headers=STRICT)
    assert list_faults(answer) == {"/nam": "Unknown. Did you mean name?"}


@pytest.mark.parametrize(
    "path",
    [
        f"{SEARCH}&explicitEmployeeIds=",
        f"{SEARCH}&specificRooms=",
        f"{SEARCH}&labels=,",
        "v3/booking/config/competence-groups?labels=",
        "v3/booking/config/portals?labels[]=",
        "v3/present/templates?labels=",
    ],
)
async def test_an_empty_value_that_would_widen_the_answer_is_refused(api: Api, path: str) -> None:
    (pointer,) = list_faults(await api.get(path))
    assert pointer.removeprefix("/query/") in path


async def test_the_contracts_take_an_empty_array_as_not_given(api: Api) -> None:
    search = SEARCH.replace("v3", "v2")
    empty = await api.get(f"{search}&explicitEmployeeIds=&specificRooms=")
    assert (empty.status_code, empty.content) == (200, (await api.get(search)).content)


async def test_an_answer_of_a_deprecated_operation_links_to_the_policy(
    api: Api, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = services.settings
    routes = make_routes(
        with_issuer=True, max_body_bytes=settings.max_upload_bytes + 65536, areas=settings.only, in_test=True
    )
    handler = next(
        handler
        for route in routes.routes
        if isinstance(route, HTTPRoute) and route.path == "/api/v3/booking/config/timezones"
        for handler in route.route_handlers
        if "GET" in handler.http_methods  # another one answers OPTIONS
    )
    monkeypatch.setitem(handler.opt, "deprecation", deprecated("2027-01-18", "Use the other.", gone="2028-01-18"))
    answer = await api.get("v3/booking/config/timezones")
    assert (answer.status_code, answer.headers["Sunset"]) == (200, "Tue, 18 Jan 2028 00:00:00 GMT")
    address, anchor = answer.links["deprecation"]["url"].split("#")
    page = await api.http.get(address)
    assert (page.status_code, f'id="{anchor}"' in page.text) == (200, True)
