"""A receiver that keeps the event with the highest sequence of each meeting is right, in whatever order they come."""

import random
from datetime import timedelta
from typing import Any

import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.seeds import list_seeds

ADVISORS = [str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:3]]
HALF_HOUR = timedelta(minutes=30)


def choose_patch(chance: random.Random) -> list[dict[str, Any]]:
    begin = TUESDAY_AT_TEN + chance.randrange(40) * HALF_HOUR
    changes: dict[str, Any] = chance.choice(
        [
            {"title": f"Talk {chance.random()}"},
            {"startDate": begin.isoformat(), "endDate": (begin + HALF_HOUR).isoformat()},
            {"employeeId": chance.choice(ADVISORS)},
            {"externalAttendees": [{"name": "Freja", "email": f"{chance.randrange(9)}@example.com"}]},
        ]
    )
    return [{"op": "add", "path": f"/{name}", "value": value} for name, value in changes.items()]


async def change_something(api: Api, chance: random.Random, meeting_ids: list[str]) -> None:
    """Book, change or cancel a meeting; what is refused tells nothing."""
    what = chance.random()
    if what < 0.3 or not meeting_ids:
        begin = TUESDAY_AT_TEN + chance.randrange(40) * HALF_HOUR
        answer = await api.book(
            employeeId=chance.choice(ADVISORS),
            startDate=begin.isoformat(),
            endDate=(begin + HALF_HOUR).isoformat(),
            type="Online",
        )
        meeting_ids += [answer.json()["id"]] if answer.status_code == 201 else []
    elif what < 0.9:
        address = f"v3/booking/meetings/{chance.choice(meeting_ids)}"
        await api.request("PATCH", address, json=choose_patch(chance))
    else:
        await api.request("DELETE", f"v3/booking/meetings/{chance.choice(meeting_ids)}")


@pytest.mark.parametrize("seed", list_seeds(3))
async def test_the_highest_sequence_is_the_meeting_as_it_is(api: Api, no_meetings: None, seed: int) -> None:
    assert no_meetings is None
    chance = random.Random(seed)  # noqa: S311 - the same each time
    meeting_ids: list[str] = []
    elevated = await api.of(api.firm, elevated=True)
    start = (await elevated.get("v3/events", params={"after": "latest"})).json()["next"]
    for _ in range(60):
        await change_something(api, chance, meeting_ids)
    events = (await elevated.get("v3/events", params={"after": start, "limit": 1_000})).json()["items"]
    chance.shuffle(events)

    kept: dict[str, Any] = {}
    for event in events + events[:10]:  # some come twice
        known = kept.get(event["subject"])
        if known is None or event["sequence"] > known["sequence"]:
            kept[event["subject"]] = event

    listed = (await api.get("v3/booking/meetings", params={"includeCancelled": True})).json()
    assert len(listed) == len(meeting_ids) > 5
    assert {f"meetings/{one['id']}": one for one in listed} == {
        subject: event["data"] for subject, event in kept.items()
    }
