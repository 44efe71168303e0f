"""Visitors hold few times of one network address, and of a day's times only a share (docs/portal-pages.md#limits)."""

from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from prometheus_client import REGISTRY

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from meetdeck.present.render.renderer import MissingRenderer
from support.factories import Api, make_services
from support.fakes import HandClock
from support.portal_forms import FormVisitor, list_meetings, reach_check, reach_times

pytestmark = pytest.mark.usefixtures("no_meetings")

ANNA = str(NORDLYS.id_of("employee", NORDLYS.advisors[0].name))
MOST = 5
FULL = "No more times can be held from your network right now."
BUSY = "Others are booking many of the times of that day right now."
CONFIG = "v3/booking/config"
Json = dict[str, Any]


async def list_held(api: Api) -> list[Json]:
    return (await api.get("v3/booking/time-slots", params={"status": "Reserved"})).json()


async def hold_one(api: Api, portal: Json, number: int = 0, **choices: str) -> FormVisitor:
    """Hold a time with a new ticket: the first that is shown, or another."""
    visitor = FormVisitor(api.http, portal["address"])
    await reach_times(visitor)
    if choices:
        await visitor.open(**dict(visitor.answer.url.params) | choices)
    return await visitor.choose_time(number)


def count_refused(limit: str) -> float:
    return REGISTRY.get_sample_value("meetdeck_refused_holds_total", {"limit": limit}) or 0


@pytest.fixture
def serving(database: Database, clock: HandClock, tmp_path: Path) -> Any:
    """Lend a function that serves the portal with other limits."""

    @asynccontextmanager
    async def serve(**settings: Any) -> AsyncGenerator[Api]:
        async with (
            aclosing(make_services(database, clock, tmp_path, MissingRenderer(), **settings)) as services,
            Api.open(services) as api,
        ):
            yield api

    return serve


async def test_one_address_holds_five_times_and_then_is_told_what_to_do(api: Api, portal: Json) -> None:
    refused = count_refused("address")
    visitors = [await hold_one(api, portal, 2 * number) for number in range(MOST)]
    assert {visitor.heading for visitor in visitors} == {"Your details"}
    late = await hold_one(api, portal)
    assert (late.status, late.heading) == (429, "Choose a time")
    assert FULL in late.text
    assert 0 < int(late.answer.headers["retry-after"]) <= 301
    assert count_refused("address") == refused + 1
    assert len(await list_held(api)) == MOST
    await visitors[0].press("Choose another time")
    await late.choose_time()
    assert late.heading == "Your details"


async def test_a_time_in_place_of_another_counts_once_and_an_expired_one_no_more(
    api: Api, portal: Json, clock: HandClock
) -> None:
    visitors = [await hold_one(api, portal, 2 * number) for number in range(MOST)]
    await visitors[0].press("Choose another time")
    await visitors[0].choose_time(3)
    assert visitors[0].heading == "Your details"
    clock.advance(minutes=6)
    late = await hold_one(api, portal)
    assert late.heading == "Your details"


async def test_times_that_are_kept_are_counted_and_one_that_expired_is_held_anew_within_the_limits(
    serving: Any, portal: Json, clock: HandClock
) -> None:
    async with serving(address_held_times=1, address_hold_limit=3) as api:
        first = await hold_one(api, portal)
        clock.advance(minutes=6)
        second = await hold_one(api, portal, 4)
        await first.press("Keep this time")
        assert (first.status, FULL in first.text) == (429, True)
        await second.press("Keep this time")
        assert (second.status, second.heading) == (429, "One moment, please")


async def test_the_limit_is_a_setting_for_those_behind_one_address(serving: Any, portal: Json) -> None:
    async with serving(address_held_times=0, held_share=1) as api:
        for number in range(MOST + 2):
            assert (await hold_one(api, portal, 2 * number)).heading == "Your details"


@pytest_asyncio.fixture
async def annas_portal(api: Api) -> Json:
    """Make a portal for a topic that Anna alone serves: from 9 to 17, an hour each."""
    topic = (await api.post(f"{CONFIG}/meeting-topics", {"name": "Boats", "meetingTypes": ["Online"]})).json()
    group = {"name": "Sailors", "topicIds": [topic["id"]], "employeeIds": [ANNA]}
    assert (await api.post(f"{CONFIG}/competence-groups", group)).status_code == 201
    body = {"name": "Boats", "address": "boats", "authenticationType": "Anonymous", "topicId": topic["id"]}
    return (await api.post(f"{CONFIG}/portals", body)).json()


async def take_all(api: Api, address: str, day: str) -> list[int]:
    """Hold each time of a day that is shown, by a new visitor each; return what was answered until all were refused."""
    answers: list[int] = []
    for _ in range(12):
        visitor = await FormVisitor(api.http, address).open(date=day)
        shown = [each for each in visitor.times if f"{int(day[-2:])} March" in each.get("aria-label")]
        await visitor.send(shown[len(answers) % 2], {})
        answers.append(visitor.status)
        if answers[-2:] == [429, 429]:
            assert BUSY in visitor.text
            break
    return answers


async def test_a_loop_over_all_times_takes_half_of_each_day_and_leaves_the_rest(
    serving: Any, annas_portal: Json
) -> None:
    async with serving(address_held_times=0) as api:
        refused = count_refused("share")
        for day in ("2026-03-03", "2026-03-04"):
            answers = await take_all(api, annas_portal["address"], day)
            assert 2 <= answers.count(200) <= 4, "half of eight hours"
            free = await FormVisitor(api.http, annas_portal["address"]).open(date=day)
            assert len([each for each in free.times if f"{int(day[-2:])} March" in each.get("aria-label")]) >= 4
        assert count_refused("share") == refused + 4


async def test_who_is_refused_may_hold_another_day_and_the_last_time_of_a_day_can_always_be_held(
    serving: Any, annas_portal: Json
) -> None:
    async with serving(held_share=0.01) as api:
        first = await FormVisitor(api.http, annas_portal["address"]).open(date="2026-03-03")
        await first.choose_time()
        assert first.heading == "Your details"
        second = await FormVisitor(api.http, annas_portal["address"]).open(date="2026-03-03")
        await second.choose_time()
        assert (second.status, BUSY in second.text) == (429, True)
        await second.choose_time(sentence="Wednesday 4 March")
        assert second.heading == "Your details"


async def test_moving_a_meeting_is_limited_too(serving: Any, portal: Json, clock: HandClock) -> None:
    async with serving(address_held_times=1) as api:
        visitor = FormVisitor(api.http, portal["address"])
        await reach_times(visitor)
        await reach_check(visitor, clock, Telephone="+45 70 10 20 30")
        await visitor.press("Book")
        await hold_one(api, portal)
        await visitor.press("Move")
        await visitor.choose_time(3)
        assert (visitor.status, visitor.heading) == (429, "Choose a new time")
        assert FULL in visitor.text
        assert len(await list_meetings(api)) == 1


async def test_nothing_of_an_address_is_stored_and_holds_that_ended_are_forgotten(
    api: Api, portal: Json, clock: HandClock, database: Database
) -> None:
    await hold_one(api, portal)
    clock.advance(minutes=61)
    await hold_one(api, portal)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        rows = await connection.fetch("select * from visitor_hold")
    assert len(rows) == 1
    assert b"127.0.0.1" not in rows[0]["holder"]
    assert len(rows[0]["holder"]) == 32
