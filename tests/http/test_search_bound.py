"""The answer of a search is bounded (docs/api/error-codes.md, `search_too_large`)."""

from datetime import timedelta

import httpx
import pytest

from support.factories import Api
from support.searches import send_search

MOST = 1000


@pytest.fixture
def own_settings() -> dict[str, object]:
    return {"search_most_slots": MOST}


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_a_search_of_too_much_says_how_to_narrow_it(version: str, api: Api) -> None:
    refused = await send_search(api, version, lookForwardTime="366.00:00:00")
    problem = refused.json()
    assert (refused.status_code, problem["code"]) == (400, "search_too_large")
    assert "at most 1,000" in problem["detail"]
    for name in ("lookForwardTime", "topic", "customerTypeId", "meetingTypes", "employeeTypes", "explicitEmployeeIds"):
        assert name in problem["detail"]
    assert [error["pointer"] for error in problem["errors"]] == ["/query/lookForwardTime"]
    days = int(problem["detail"].split("about ")[1].split()[0])
    assert 1 <= days < 366
    narrowed = await send_search(api, version, lookForwardTime=f"{max(1, days // 2)}.00:00:00")
    assert narrowed.status_code == 200


async def test_as_many_as_there_may_be_are_answered(api: Api) -> None:
    found, answer = 0, await look_ahead(api, timedelta(hours=1))
    for half_hours in range(20, 600, 4):
        answer = await look_ahead(api, timedelta(minutes=30 * half_hours))
        if answer.status_code != 200:
            break
        found = len(answer.json())
        assert found <= MOST
    assert answer.json()["code"] == "search_too_large"
    assert found > MOST * 0.8


async def look_ahead(api: Api, length: timedelta) -> httpx.Response:
    hours = f"{length.days}.{length.seconds // 3600:02}:{length.seconds // 60 % 60:02}:00"
    return await send_search(api, lookForwardTime=hours)
