"""Safe repeats by `Idempotency-Key` (docs/api/idempotency.md)."""

import asyncio
from typing import Any
from uuid import uuid4

import httpx
import pytest

from meetdeck.demo.seed import TEMPLATE_FILE
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock

TIMES = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": TUESDAY_AT_TEN.replace(hour=10).isoformat()}


def keyed(key: str) -> dict[str, Any]:
    """Return the arguments of a request with a key."""
    return {"headers": {"Idempotency-Key": key}}


async def book(api: Api, key: str | None = None, **members: Any) -> httpx.Response:
    body = {"customerId": "Freja", "employeeId": api.id_of("employee", "Anna Holm")} | TIMES | members
    return await api.post("v3/booking/meetings", body, **(keyed(key) if key else {}))


def check_same(first: httpx.Response, again: httpx.Response) -> None:
    """Check that the repeat is the first answer again, and says so."""
    assert (again.status_code, again.content) == (first.status_code, first.content)
    for header in ("Location", "ETag", "Content-Type"):
        assert again.headers.get(header) == first.headers[header]
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"


async def count(database: Database, api: Api, table: str) -> int:
    async with database.transaction(api.firm.tenant_id) as connection:
        return await connection.fetchval(f"select count(*) from {table}")  # noqa: S608 - a table of ours


async def test_a_repeated_booking_is_booked_once_and_answered_twice(api: Api, database: Database) -> None:
    before = await count(database, api, "meeting")
    first = await book(api, "crm-1")
    assert first.status_code == 201
    check_same(first, await book(api, "crm-1"))
    assert await count(database, api, "meeting") == before + 1
    # Without its key the same request is a second booking of the same time.
    assert (await book(api)).status_code == 409


async def test_spaces_around_a_name_make_no_other_request(api: Api) -> None:
    first = await api.post("v3/booking/config/rooms", {"name": "Bugten", "capacity": 4}, **keyed("room-1"))
    again = await api.post("v3/booking/config/rooms", {"name": " Bugten ", "capacity": 4}, **keyed("room-1"))
    assert first.status_code == 201
    check_same(first, again)


async def test_repeats_at_the_same_moment_are_done_once(api: Api, database: Database) -> None:
    before = await count(database, api, "meeting")
    answers = await asyncio.gather(*(book(api, "crm-2") for _ in range(8)))
    first, *others = sorted(answers, key=lambda answer: "Idempotency-Replayed" in answer.headers)
    for answer in others:
        check_same(first, answer)
    assert first.status_code == 201
    assert await count(database, api, "meeting") == before + 1


async def test_every_post_that_makes_something_can_be_repeated(api: Api, database: Database) -> None:
    file = {"file": ("deck.pptx", TEMPLATE_FILE.read_bytes())}
    slot = {"timeSlot": TIMES | {"status": "Reserved"}, "token": str(uuid4())}
    requests: dict[str, dict[str, Any]] = {
        "present/templates": {"files": file | {"name": (None, "Again"), "category": (None, "Private")}},
        "present/contents": {"files": file},
        "present/slides/generate": {"json": {"template": "Annual review"}},
        "booking/time-slots/reserve": {"json": slot},
    }
    for path, arguments in requests.items():
        first, again = [await api.request("POST", f"v3/{path}", **arguments, **keyed(f"key of {path}")) for _ in "12"]
        assert first.status_code in {200, 201}, first.text
        check_same(first, again)
    assert await count(database, api, "template_revision") == 2
    assert await count(database, api, "content") == 2


async def test_another_request_with_the_same_key_is_refused(api: Api) -> None:
    assert (await book(api, "crm-3")).status_code == 201
    for other in (
        await book(api, "crm-3", customerId="Mette"),
        await api.post("v3/present/slides/generate", {"template": "Annual review"}, **keyed("crm-3")),
    ):
        assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")


async def test_a_key_belongs_to_the_one_who_sent_it(api: Api) -> None:
    assert (await book(api, "crm-4")).status_code == 201
    colleague = await api.of(api.firm, elevated=True)
    body = {"template": "Annual review"}
    assert (await colleague.post("v3/present/slides/generate", body, **keyed("crm-4"))).status_code == 200
    other_firm = await api.other()
    assert (await other_firm.post("v3/present/slides/generate", body, **keyed("crm-4"))).status_code == 200


async def test_what_was_refused_can_be_sent_again_with_its_key(api: Api) -> None:
    taken = await book(api)
    refused = await book(api, "crm-5")
    assert refused.status_code == 409
    assert taken.status_code == 201
    free = {"startDate": "2026-03-03T13:00:00Z", "endDate": "2026-03-03T14:00:00Z"}
    assert (await book(api, "crm-5", **free)).status_code == 201


async def test_a_key_is_forgotten_after_a_day(api: Api, clock: HandClock, database: Database) -> None:
    body = {"template": "Annual review"}
    first = await api.post("v3/present/slides/generate", body, **keyed("daily"))
    clock.advance(hours=24)
    fresh = await api.of(api.firm)  # the token has expired
    again = await fresh.post("v3/present/slides/generate", body, **keyed("daily"))
    assert again.status_code == 200
    assert again.json()["contentId"] != first.json()["contentId"]
    assert await count(database, api, "idempotent_answer") == 1


@pytest.mark.parametrize("key", ["", "a" * 256, "tab\there"])
async def test_a_key_that_is_none_is_400(api: Api, key: str) -> None:
    answer = await api.post("v3/present/slides/generate", {"template": "Annual review"}, **keyed(key))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_idempotency_key")


async def test_what_was_sent_is_not_kept(api: Api, database: Database) -> None:
    assert (await book(api, "crm-6", cpr="0101701234")).status_code == 201
    async with database.transaction(api.firm.tenant_id) as connection:
        kept: str = await connection.fetchval("select string_agg(answer::text, '') from idempotent_answer as answer")
    assert b"0101701234".hex() not in kept
    assert "0101701234" not in kept
