"""Parts that break and come back: what callers get meanwhile, that nothing is lost, and that all goes on by itself."""

from datetime import timedelta
from pathlib import Path

import httpx

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Connection
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock

ANNA, OTHER = [("employee", advisor.name) for advisor in NORDLYS.advisors[:2]]


async def upload(api: Api, content: bytes) -> httpx.Response:
    return await api.request("POST", "v3/present/contents", files={"file": ("a.bin", content)})


async def download(api: Api, stored: httpx.Response) -> httpx.Response:
    return await api.http.get(stored.json()["downloadUrl"])


async def count_contents(owner: Connection, api: Api) -> int:
    async with owner.transaction():
        await owner.execute("select set_config('meetdeck.tenant', $1, true)", str(api.firm.tenant_id))
        return await owner.fetchval("select count(*) from content")


async def test_a_storage_that_goes_away_and_comes_back_keeps_everything_and_bookings_go_on(
    api: Api, owner: Connection, tmp_path: Path
) -> None:
    stored = await upload(api, b"before")
    rows = await count_contents(owner, api)
    storage = (tmp_path / "storage").rename(tmp_path / "unmounted")
    (tmp_path / "storage").write_text("what a mount leaves when it is gone")
    refused = [await upload(api, b"meanwhile"), await download(api, stored)]
    assert {(one.status_code, one.json()["code"]) for one in refused} == {(503, "storage_unavailable")}
    assert all(int(one.headers["Retry-After"]) > 0 for one in refused)
    assert (await api.http.get("/health/ready")).status_code == 503
    booked = await api.reserve(TUESDAY_AT_TEN, employeeId=api.id_of(*ANNA))
    assert booked.status_code == 201
    assert await count_contents(owner, api) == rows

    (tmp_path / "storage").unlink()
    storage.rename(tmp_path / "storage")
    assert (await api.http.get("/health/ready")).status_code == 200
    assert (await download(api, stored)).content == b"before"
    assert (await download(api, await upload(api, b"after"))).content == b"after"


async def reserve(api: Api) -> httpx.Response:
    return await api.reserve(TUESDAY_AT_TEN, employeeId=api.id_of(*ANNA))


async def test_a_clock_that_goes_forward_an_hour_ends_holds_and_tokens_and_no_booking(
    api: Api, clock: HandClock
) -> None:
    times = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + timedelta(hours=1)).isoformat()}
    booked = await api.book(employeeId=api.id_of(*OTHER), **times)
    assert booked.status_code == 201
    assert (await reserve(api)).status_code == 201
    assert (await reserve(api)).status_code == 409
    clock.advance(hours=1, seconds=31)
    assert (await api.get("v3/booking/employees")).status_code == 401  # the token's hour is over
    again = await api.of(api.firm)
    assert (await reserve(again)).status_code == 201
    assert (await again.get(f"v3/booking/meetings/{booked.json()['id']}")).json()["startDate"]
    assert (await again.book(employeeId=api.id_of(*OTHER), **times)).status_code == 409


async def test_a_clock_that_goes_back_an_hour_refuses_nobody_a_new_token_and_books_nothing_twice(
    api: Api, clock: HandClock
) -> None:
    held = await reserve(api)
    assert held.status_code == 201
    clock.advance(hours=-1)
    assert (await api.get("v3/booking/employees")).status_code == 401  # a token of the future
    again = await api.of(api.firm)
    assert (await again.get("v3/booking/employees")).status_code == 200
    assert (await reserve(again)).status_code == 409
    booked = await again.book(timeSlotId=held.json()["id"], employeeId=api.id_of(*ANNA))
    assert booked.status_code == 201
    clock.advance(hours=1)
    assert (await reserve(api)).status_code == 409
    assert (await api.get(f"v3/booking/meetings/{booked.json()['id']}")).status_code == 200
