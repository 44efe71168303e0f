"""The audit log: every change of the configuration is in it, and nobody but an administrator reads it."""

import csv
import io
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
from litestar.handlers import HTTPRouteHandler

from meetdeck.administration.audit_log.schemas import AuditedKind
from meetdeck.administration.audit_log.service import AuditRetention
from meetdeck.app import make_routes
from meetdeck.demo.firm import NORDLYS
from meetdeck.demo.seed import TEMPLATE_NAME
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import MONDAY_MORNING, HandClock

LOG = "v3/audit-log"


async def read(api: Api, **query: Any) -> list[dict[str, Any]]:
    """Return the entries, the newest first."""
    answer = await (await api.of(api.firm, elevated=True)).get(LOG, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()["items"]


def accept(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


def tell(entry: Mapping[str, Any]) -> tuple[str, str, str]:
    return entry["action"], entry["kind"], entry["resourceName"]


# A body that makes a resource of each kind, and the member that is changed: its value before and after.
CONFIGURED: dict[str, tuple[dict[str, Any], str, Any]] = {
    "rooms": ({"name": "Udsigten", "capacity": 4}, "capacity", 6),
    "employees": ({"name": "Ida Kruse", "email": "ida@example.com"}, "email", "ik@example.com"),
    "meeting-topics": ({"name": "Savings", "durationMinutes": 30}, "durationMinutes", 45),
    "customer-types": ({"name": "Young"}, "description", "Below 25"),
    "locations": ({"location": "Skagen"}, "requireAvailableRoom", True),
    "competence-groups": ({"name": "Savers"}, "labels", ["VIP"]),
    "service-groups": ({"name": "Skagen branch"}, "labels", ["VIP"]),
    "portals": ({"name": "Home"}, "labels", ["VIP"]),
    "labels": ({"labelName": "VIP"}, "description", "Handle with care"),
}


def patch(member: str, value: object) -> list[dict[str, Any]]:
    return [{"op": "add", "path": f"/{member}", "value": value}]


@pytest.mark.parametrize("kind", CONFIGURED)
async def test_making_changing_and_deleting_is_told_with_who_when_and_what(kind: str, api: Api) -> None:
    body, member, value = CONFIGURED[kind]
    address = f"v3/booking/config/{kind}"
    made = accept(await api.post(address, body))
    one = f"{address}/{made['id']}"
    change = body | {member: value}
    match kind:
        case "competence-groups" | "service-groups" | "portals" | "locations":
            answer = await api.request("PATCH", one, json=patch(member, value))
        case "labels":
            answer = await api.request("PATCH", one, json={member: value})
        case _:
            answer = await api.request("PUT", one, json=change)
    accept(answer)
    gone = await api.request("DELETE", one)
    assert gone.is_success, gone.text

    deleted, changed, created = await read(api, kind=kind)
    name = next(iter(body.values()))
    assert [tell(entry) for entry in (created, changed, deleted)] == [
        ("created", kind, name),
        ("changed", kind, name),
        ("deleted", kind, name),
    ]
    for entry in (created, changed, deleted):
        assert entry["resourceId"] == made["id"]
        assert entry["userId"] is not None
        assert (entry["operator"], entry["command"]) == (None, None)
        assert entry["changedAt"] == "2026-03-02T06:00:00Z"
    assert changed["requestId"] == answer.headers["X-Request-Id"]
    differing = {change["member"]: (change["before"], change["after"]) for change in changed["changes"]}
    assert differing[member] == (made[member], value)
    assert set(differing) <= {member, "lastUpdated", "localizedName"}
    assert (created["changes"], deleted["changes"]) == ([], [])


async def test_schedules_and_settings_are_told(api: Api) -> None:
    elevated = await api.of(NORDLYS, elevated=True)
    setting = accept(await api.get("v3/booking/config/organization-settings"))
    address = f"v3/booking/config/organization-settings/{setting['id']}"
    accept(await api.request("PATCH", address, json=patch("openingTime", "07:00:00")))
    accept(await api.request("POST", f"{address}/closing-days", params={"closingDays": "2026-12-24"}))
    accept(await api.request("DELETE", f"{address}/closing-days", params={"closingDays": "2026-12-24"}))
    accept(await elevated.request("DELETE", address))
    entries = await read(api, kind="organization-settings")
    assert [entry["action"] for entry in entries] == ["deleted", "changed", "changed", "changed"]
    assert [change["member"] for entry in entries for change in entry["changes"]] == [
        "closingDays",
        "closingDays",
        "openingTime",
    ]

    (schedule,) = accept(
        await api.get("v3/booking/config/employee-schedules", params={"employeeId": api.id_of("employee", "Anna Holm")})
    )[:1]
    address = f"v3/booking/config/employee-schedules/{schedule['id']}"
    accept(await api.request("PATCH", address, json=patch("workdays", [])))
    accept(await elevated.request("DELETE", address))
    accept(
        await elevated.post(
            "v3/booking/config/employee-schedules", {"employeeId": schedule["employeeId"], "workdays": []}
        )
    )
    entries = await read(api, kind="employee-schedules")
    assert [entry["action"] for entry in entries] == ["created", "deleted", "changed"]


@pytest.mark.parametrize("kind", ["service-groups", "competence-groups"])
async def test_members_who_come_and_go_are_told_of_each_group(kind: str, api: Api) -> None:
    group = accept(await api.post(f"v3/booking/config/{kind}", {"name": "Skagen"}))["id"]
    anna = api.id_of("employee", "Anna Holm")
    for verb in ("add", "add", "remove"):  # the second changes nothing
        accept(await api.request("PATCH", f"v3/booking/config/{kind}/employee/{anna}/{verb}", json=[group]))
    left, joined, _ = await read(api, resourceId=group)
    assert tell(joined) == ("changed", kind, "Skagen")
    assert joined["changes"] == [{"member": "employeeIds", "before": [], "after": [anna]}]
    assert left["changes"] == [{"member": "employeeIds", "before": [anna], "after": []}]


async def test_trigger_and_level_of_a_service_group_are_told(api: Api) -> None:
    group = accept(await api.post("v3/booking/config/service-groups", {"name": "Skagen"}))["id"]
    for part, member, value in (("service-trigger", "locations", ["Aarhus"]), ("service-level", "priority", 7)):
        address = f"v3/booking/config/service-groups/{group}/{part}"
        accept(await api.request("PATCH", address, json=patch(member, value)))
    entries = await read(api, resourceId=group, action="Changed")
    assert [entry["changes"][0]["member"] for entry in entries] == ["serviceLevel", "serviceTrigger"]


async def test_templates_are_told_by_upload_label_and_deletion(api: Api) -> None:
    address = f"v3/present/templates/{TEMPLATE_NAME}"
    file = (await api.get("v3/present/templates")).json()[0]
    accept(await api.request("PATCH", f"{address}/labels", json={"labels": ["VIP"]}))
    stored = accept(await api.post("v3/present/slides/generate", {"template": TEMPLATE_NAME, "data": {}}))
    for name in (TEMPLATE_NAME, "Copy"):
        accept(await api.post("v3/present/templates", {"name": name, "contentId": stored["contentId"]}))
    accept(await api.request("DELETE", address))
    entries = await read(api, kind="templates")
    assert [tell(entry)[::2] for entry in entries] == [
        ("deleted", TEMPLATE_NAME),
        ("created", "Copy"),
        ("changed", TEMPLATE_NAME),
        ("changed", TEMPLATE_NAME),
    ]
    assert {entry["resourceId"] for entry in entries if entry["resourceName"] == TEMPLATE_NAME} == {file["id"]}
    assert entries[2]["changes"] == [{"member": "revision", "before": 1, "after": 2}]
    assert {"member": "labels", "before": [], "after": ["VIP"]} in entries[3]["changes"]


NOT_TOLD = (
    "/meetings",
    "/wishes",
    "/time-slots",
    "/contents",
    "/slides",
    "/templates/validation",
    "/portals/preview",
    "/test/clock",
)


def test_no_way_to_change_the_configuration_is_forgotten() -> None:
    """Every address that writes names a kind of the log, or has a history of its own, or writes nothing of the kind."""
    kinds = {kind.value for kind in AuditedKind}
    told_by_hand = {"upload_template", "create_document_secret", "make_calendar_feed", "end_calendar_feed"}
    for route in make_routes().routes:
        if not route.path.startswith("/api/v3"):
            continue
        for handler in getattr(route, "route_handlers", []):
            assert isinstance(handler, HTTPRouteHandler)
            writes = handler.http_methods & {"POST", "PUT", "PATCH", "DELETE"}
            if not writes or any(part in route.path for part in NOT_TOLD) or handler.handler_name in told_by_hand:
                continue
            assert handler.opt.get("audited") in kinds, f"{writes} {route.path} ({handler.handler_name})"


async def test_what_is_refused_repeated_or_changes_nothing_is_not_told(api: Api) -> None:
    room = {"name": "Udsigten", "capacity": 4}
    headers = {"Idempotency-Key": "once"}
    made = accept(await api.post("v3/booking/config/rooms", room, headers=headers))
    accept(await api.post("v3/booking/config/rooms", room, headers=headers))
    address = f"v3/booking/config/rooms/{made['id']}"
    accept(await api.request("PUT", address, json=room))
    assert (await api.request("PUT", address, json=room, headers={"If-Match": '"old"'})).status_code == 412
    assert (await api.post("v3/booking/config/rooms", {"name": ""})).status_code == 400
    assert [entry["action"] for entry in await read(api)] == ["created"]


async def test_bookings_are_not_told(api: Api) -> None:
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=api.id_of("employee", "Anna Holm"))).status_code == 201
    assert await read(api) == []


async def test_long_values_are_cut_and_of_long_lists_the_difference_is_told(api: Api) -> None:
    label = accept(await api.post("v3/booking/config/labels", {"labelName": "VIP"}))["id"]
    accept(await api.request("PATCH", f"v3/booking/config/labels/{label}", json={"description": "long " * 300}))
    (changed, _) = await read(api, resourceId=label)
    assert len(changed["changes"][0]["after"]) == 1001
    portal = accept(await api.post("v3/booking/config/portals", {"name": "Home", "embedHosts": many_hosts(40)}))["id"]
    accept(
        await api.request("PATCH", f"v3/booking/config/portals/{portal}", json=patch("embedHosts", many_hosts(41)[1:]))
    )
    (changed, _) = await read(api, resourceId=portal)
    (change,) = changed["changes"]
    assert (change["before"], change["after"]) == (many_hosts(1), many_hosts(41)[40:])


def many_hosts(number: int) -> list[str]:
    return [f"h{each}.customers.branches.example.com" for each in range(number)]


async def test_it_is_for_the_elevated_role_of_v3_and_of_one_tenant_alone(api: Api) -> None:
    accept(await api.post("v3/booking/config/rooms", {"name": "Udsigten", "capacity": 4}))
    refused = await api.get(LOG)
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert (await (await api.of(NORDLYS, elevated=True)).get("v2/audit-log")).status_code == 404
    assert await read(await api.other()) == []


async def test_filters_narrow_it_and_pages_miss_nothing(api: Api, clock: HandClock) -> None:
    for number in range(5):
        accept(await api.post("v3/booking/config/rooms", {"name": f"Room {number}", "capacity": 4}))
        clock.advance(minutes=1)
    accept(await api.post("v3/booking/config/labels", {"labelName": "VIP"}))
    entries = await read(api)
    assert len(entries) == 6
    assert (
        await read(api, kind="Rooms", **{"from": "2026-03-02T06:01:00Z", "to": "2026-03-02T06:03:00"}) == entries[3:5]
    )
    assert await read(api, userId=entries[0]["userId"]) == entries
    assert await read(api, userId=str(uuid4())) == []
    elevated = await api.of(NORDLYS, elevated=True)
    found: list[dict[str, Any]] = []
    page: dict[str, Any] = {"next": None}
    while page["next"] or not found:
        query = {"limit": 4} | ({"after": page["next"]} if page["next"] else {})
        page = accept(await elevated.get(LOG, params=query))
        found += page["items"]
    assert found == entries


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=1001", "kind=cars", "action=read", "after=guessed", "after=MjAyNg==", "userId=me", "from=soon"],
)
async def test_a_query_that_makes_no_sense_is_400(query: str, api: Api) -> None:
    answer = await (await api.of(NORDLYS, elevated=True)).get(f"{LOG}?{query}")
    assert answer.status_code == 400, answer.text
    assert answer.json()["errors"][0]["pointer"] == f"/query/{query.partition('=')[0]}"


async def test_csv_has_all_of_it_and_no_formula(api: Api) -> None:
    name = '=HYPERLINK("https://evil.example";"Click, me")'
    accept(await api.post("v3/booking/config/rooms", {"name": name, "capacity": 4}))
    accept(await api.post("v3/booking/config/rooms", {"name": 'Two, quoted "', "capacity": 4}))
    elevated = await api.of(NORDLYS, elevated=True)
    answer = await elevated.get(f"{LOG}?limit=1", headers={"Accept": "text/csv"})
    assert answer.headers["Content-Type"].startswith("text/csv; charset=utf-8")
    assert "audit-log.csv" in answer.headers["Content-Disposition"]
    assert answer.text.endswith("\r\n")
    rows = list(csv.DictReader(io.StringIO(answer.text, newline="")))
    assert [row["resourceName"] for row in rows] == ['Two, quoted "', f"'{name}"]
    assert rows[0]["changedAt"] == "2026-03-02T06:00:00Z"
    assert (await elevated.get(LOG, headers={"Accept": "image/png"})).status_code == 406


async def test_entries_are_erased_after_their_time_and_new_ones_by_nobody(api: Api, database: Database) -> None:
    accept(await api.post("v3/booking/config/rooms", {"name": "Udsigten", "capacity": 4}))
    retention = AuditRetention(database, timedelta(days=730))
    assert await retention.erase(MONDAY_MORNING + timedelta(days=729)) == 0
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("""
            insert into audit_entry
                (tenant_id, changed_at, action, kind, resource_id, resource_name, user_id, request_id)
            values (current_tenant(), now(), 'changed', 'rooms', '', 'A fresh one', gen_random_uuid(), '')
        """)
    assert await retention.erase(MONDAY_MORNING + timedelta(days=365_000)) == 1
    assert [entry["resourceName"] for entry in await read(api)] == ["A fresh one"]


async def test_a_client_is_named_by_its_name_or_else_by_its_id(api: Api, database: Database) -> None:
    accept(await api.post("v3/booking/config/labels", {"labelName": "First"}))
    async with database.transaction(api.firm.tenant_id) as connection:
        await connection.execute("update oauth_client set name = 'Core bank' where client_id = $1", "nordlys-app")
    accept(await api.post("v3/booking/config/labels", {"labelName": "Second"}))
    async with database.transaction(api.firm.tenant_id) as connection:
        await connection.execute("update oauth_client set name = null where client_id = $1", "nordlys-app")
    accept(await api.post("v3/booking/config/labels", {"labelName": "Third"}))
    found = await read(api, kind="labels")
    assert [(one["resourceName"], one["userName"]) for one in found] == [
        ("Third", "nordlys-app"),
        ("Second", "Core bank"),
        ("First", "nordlys-app"),
    ]
    assert len(await read(api, userName="core")) == 1
