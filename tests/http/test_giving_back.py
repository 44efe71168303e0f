"""Giving a reservation back (docs/api/holds.md#giving-back)."""

from typing import Any
from uuid import uuid4

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock

ANNA, BO = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:2])
HAVBLIK = str(NORDLYS.id_of("room", "Havblik"))
SLOTS = "booking/time-slots"


async def hold(api: Api, **members: Any) -> dict[str, Any]:
    return (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, **members)).json()


async def give_back(api: Api, slot_id: str, token: object, version: str = "v3") -> httpx.Response:
    return await api.request("DELETE", f"{version}/{SLOTS}/{slot_id}", params={"token": str(token)})


def refusal(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_a_reservation_that_is_given_back_leaves_its_time_free_at_once(api: Api, version: str) -> None:
    held = await hold(api, roomId=HAVBLIK)
    assert refusal(await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)) == (409, "time_slot_taken")
    assert (await give_back(api, held["id"], held["token"], version)).status_code == 204
    shown = (await api.get(f"{version}/{SLOTS}/{held['id']}")).json()
    assert (shown["status"], shown["available"]) == ("Expired", True)
    assert refusal(await api.book(employeeId=ANNA, timeSlotId=held["id"])) == (409, "reservation_gone")
    again = await api.reserve(TUESDAY_AT_TEN, token=held["token"], employeeId=ANNA, roomId=HAVBLIK)
    assert again.status_code == 201


async def test_giving_back_what_has_ended_changes_nothing(api: Api, clock: HandClock) -> None:
    given_back = await hold(api)
    for _ in range(2):
        assert (await give_back(api, given_back["id"], given_back["token"])).status_code == 204
    expired = await hold(api)
    clock.advance(minutes=6)
    assert (await give_back(api, expired["id"], expired["token"])).status_code == 204
    meeting = (await api.book(employeeId=ANNA, timeSlotId=(await hold(api))["id"])).json()
    assert (await api.request("DELETE", f"v3/booking/meetings/{meeting['id']}")).status_code == 204
    assert (await give_back(api, meeting["timeSlotId"], uuid4())).status_code == 204


async def test_only_the_reservations_own_token_gives_it_back(api: Api) -> None:
    held = await hold(api)
    assert refusal(await give_back(api, held["id"], uuid4())) == (403, "wrong_token")
    busy = {"startDate": "2026-03-03T10:00", "endDate": "2026-03-03T11:00", "status": "Busy", "employeeId": BO}
    entry = (await api.post(f"v3/{SLOTS}", busy)).json()
    assert refusal(await give_back(api, entry["id"], held["token"])) == (403, "wrong_token")
    assert refusal(await give_back(await api.other(), held["id"], held["token"])) == (404, "not_found")
    assert refusal(await give_back(api, str(uuid4()), held["token"])) == (404, "not_found")
    assert (await api.get(f"v3/{SLOTS}/{held['id']}")).json()["status"] == "Reserved"


async def test_a_booked_time_is_not_given_back(api: Api) -> None:
    held = await hold(api)
    meeting = await api.book(employeeId=ANNA, timeSlotId=held["id"])
    assert meeting.status_code == 201
    assert refusal(await give_back(api, held["id"], held["token"])) == (409, "time_slot_held")


async def test_without_a_token_v3_deletes_calendar_entries_and_v2_nothing(api: Api) -> None:
    held = await hold(api)
    assert refusal(await api.request("DELETE", f"v3/{SLOTS}/{held['id']}")) == (409, "time_slot_held")
    assert (await api.request("DELETE", f"v2/{SLOTS}/{held['id']}")).status_code == 405
