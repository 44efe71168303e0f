"""Changing portals over HTTP (docs/api/portals.md)."""

import asyncio
import dataclasses
from typing import Any
from uuid import uuid4

import httpx

from meetdeck.app import build_app
from meetdeck.demo.firm import NORDLYS
from meetdeck.services import Services
from support.factories import BASE_URL, Api
from support.patches import add, pointers, replace
from support.portals import NORDLYS_PORTAL, PORTALS, Json, create, names_of, patch, read

PRIVATE, BUSINESS = (str(NORDLYS.id_of("customer type", name)) for name in ("Private", "Business"))
REVIEW, PENSION = (str(NORDLYS.id_of("topic", name)) for name in ("Annual review", "Pension check"))
UNKNOWN = str(uuid4())


async def test_production_takes_logos_by_https_alone(api: Api, services: Services) -> None:
    portal = await create(api, logoUrl="http://cdn.example/logo.svg")
    plain, path = {"name": "A", "logoUrl": "http://cdn.example/a.svg"}, f"{PORTALS}/{portal['id']}"
    settings = services.settings.model_copy(update={"environment": "production"})
    transport = httpx.ASGITransport(app=build_app(dataclasses.replace(services, settings=settings)))  # pyright: ignore[reportArgumentType] - Litestar types ASGI more narrowly
    async with httpx.AsyncClient(transport=transport, base_url=BASE_URL) as http:
        real = Api(http, api.credentials, api.firm, api.headers)
        for refused in (
            await real.post(PORTALS, plain),
            await real.request("PATCH", path, json=[replace("/logoUrl", plain["logoUrl"])]),
        ):
            assert (refused.status_code, pointers(refused)) == (400, ["/logoUrl"]), refused.text
        for taken in ([replace("/name", "B")], [replace("/logoUrl", "https://cdn.example/a.svg")]):
            assert (await real.request("PATCH", path, json=taken)).status_code == 200, taken
    assert (await api.post(PORTALS, plain)).status_code == 201


async def test_each_member_can_be_changed(api: Api) -> None:
    portal = await create(api, fields=[{"name": "cvr"}, {"name": "phone"}])
    changes: list[tuple[str, object]] = [
        ("name", "Other"),
        ("location", "København"),
        ("logoUrl", "http://localhost:8080/logo.png"),
        ("logoHeight", 2_000),
        ("styling", "p { }"),
        ("authenticationType", "NationalId"),
        ("customerTypeId", BUSINESS),
        ("customerTypeId", None),
        ("topicId", PENSION),
        ("crmMappingConfigurationId", UNKNOWN),
        ("icalEnabled", False),
        ("labels", ["VIP"]),
        ("fields/0/name", "CVR"),
        ("fields/0/label", "Number"),
        ("fields/0/type", "Dropdown"),
        ("fields/0/placeholder", "…"),
        ("fields/0/hidden", True),
        ("fields/0/validation", {"required": True, "pattern": "a|b"}),
        ("fields/0/validation/pattern", None),
        ("fields/0/validation/required", False),
    ]
    for member, value in changes:
        changed = await patch(api, portal, replace(f"/{member}", value))
        assert changed.status_code == 200, changed.text
        found: Any = await read(api, portal["id"])
        assert found == changed.json()
        for name in member.split("/"):
            found = found[int(name) if isinstance(found, list) else name]
        assert found == value
    after = await read(api, portal["id"])
    assert [field["id"] for field in after["fields"]] == [field["id"] for field in portal["fields"]]


async def test_fields_keep_their_ids_and_new_ones_get_some(api: Api) -> None:
    portal = await create(api, fields=[{"name": "a"}, {"name": "b"}, {"name": "c"}])
    first, _, third = (field["id"] for field in portal["fields"])
    changed = await patch(
        api,
        portal,
        {"op": "remove", "path": "/fields/1"},
        {"op": "move", "from": "/fields/1", "path": "/fields/0"},
        {"op": "copy", "from": "/fields/1", "path": "/fields/-"},
        replace("/fields/2/name", "copy of a"),
        add("/fields/-", {"id": NORDLYS_PORTAL, "name": "d"}),
    )
    assert changed.status_code == 200, changed.text
    fields = changed.json()["fields"]
    assert names_of(fields) == ["c", "a", "copy of a", "d"]
    assert [field["id"] for field in fields[:2]] == [third, first]
    assert len({field["id"] for field in fields} | {NORDLYS_PORTAL}) == 5


async def test_a_patch_works_on_the_whole_portal_with_its_hidden_fields(api: Api) -> None:
    portal = await create(api, fields=[{"name": "campaign", "hidden": True}, {"name": "cvr"}])
    changed = await patch(
        api, portal, {"op": "test", "path": "/fields/1/name", "value": "cvr"}, replace("/fields/1/label", "X")
    )
    assert [field["label"] for field in changed.json()["fields"]] == ["", "X"]
    shown = (await patch(api, portal, replace("/fields/0/hidden", value=False))).json()
    assert shown == await read(api, portal["id"], whole=False)


async def test_a_patch_that_makes_no_portal_changes_nothing(api: Api) -> None:
    portal = await create(api, fields=[{"name": "a"}, {"name": "b"}])
    refused: list[tuple[Json, str]] = [
        (replace("/name", ""), "/operations/0/value"),
        (replace("/logoHeight", 0), "/operations/0/value"),
        (replace("/fields/1/name", "a"), "/fields/1/name"),
        (replace("/fields/0/validation/pattern", "["), "/fields/0/validation/pattern"),
        (replace("/fields/0/type", "Number"), "/operations/0/value"),
        (replace("/id", UNKNOWN), "/operations/0/value"),
        ({"op": "remove", "path": "/fields/2"}, "/operations/0/path"),
    ]
    for operation, pointer in refused:
        answer = await patch(api, portal, operation)
        assert (answer.status_code, pointers(answer)) == (400, [pointer]), answer.text
    missing = await patch(api, portal, replace("/topicId", UNKNOWN))
    assert (missing.status_code, pointers(missing)) == (404, ["/topicId"])
    assert await read(api, portal["id"]) == portal


async def test_a_change_of_what_was_read_before_another_change_is_refused(api: Api) -> None:
    portal = await create(api, fields=[{"name": "campaign", "hidden": True}])
    address = f"{PORTALS}/{portal['id']}"
    for query in ("", "?includeHiddenFields=true"):
        seen = {"If-Match": (await api.get(address + query)).headers["ETag"]}
        assert (await patch(api, portal, replace("/name", f"Seen{query}"), headers=seen)).status_code == 200
        assert (await patch(api, portal, replace("/name", "Stale"), headers=seen)).status_code == 412
        assert (await api.request("DELETE", address, headers=seen)).status_code == 412
    seen = {"If-Match": (await api.get(address)).headers["ETag"]}
    assert (await api.request("DELETE", address, headers=seen)).status_code == 204


async def test_changes_at_the_same_moment_are_all_made(api: Api) -> None:
    portal = await create(api)
    answers = await asyncio.gather(*(patch(api, portal, add("/fields/-", {"name": name})) for name in "abcdef"))
    assert [answer.status_code for answer in answers] == [200] * 6
    assert sorted(names_of((await read(api, portal["id"]))["fields"])) == list("abcdef")
