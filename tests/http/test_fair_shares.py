"""Work of a firm in threads keeps no other firm waiting, nor its own portals (docs/operations/background-work.md)."""

import asyncio
import os
import pkgutil
import threading
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any

import httpx
import pytest

from meetdeck.booking.scheduling.threads import REPORTS, SEARCHES
from meetdeck.platform.process.threads import run_in_thread
from meetdeck.present.threads import DECKS
from support.factories import Api
from support.patience import LONGEST_SECONDS

AT_ONCE = min(32, (os.cpu_count() or 1) + 4) + 2
"""More than asyncio's default threads."""

Ask = Callable[[Api], Awaitable[httpx.Response]]
DATES = {"from": "2026-03-02", "to": "2026-03-06"}


def make_deck(api: Api) -> Awaitable[httpx.Response]:
    return api.post("v3/present/slides/generate", {"template": "Annual review", "data": {}})


def check_upload(api: Api) -> Awaitable[httpx.Response]:
    return api.request("POST", "v3/present/templates/validation", files={"file": ("a.pptx", b"no presentation")})


def search(api: Api) -> Awaitable[httpx.Response]:
    return api.get("v3/booking/time-slots/available", params={"requireEmployeeParticipation": "false"})


def forecast(api: Api) -> Awaitable[httpx.Response]:
    return api.get("v3/booking/reports/forecast", params={"days": "7"})


def measure_hours(api: Api) -> Awaitable[httpx.Response]:
    return api.get("v3/booking/reports/utilization", params=DATES)


async def open_portal(api: Api) -> httpx.Response:
    made = await api.post("v3/booking/config/portals", {"name": "Ours", "authenticationType": "Anonymous"})
    topic = (await api.get("v3/booking/config/meeting-topics")).json()[0]["id"]
    return await api.http.get(f"/p/{made.json()['id']}", params={"topic": topic, "type": "online"})


WORK: dict[str, tuple[Ask, str]] = {
    "decks": (make_deck, "meetdeck.present.decks.service.decks.whole_deck"),
    "uploads": (check_upload, "meetdeck.present.template_uploads.service.validate_template"),
    "searches": (search, "meetdeck.booking.scheduling.search.service.answers.find_answer"),
    "reports": (forecast, "meetdeck.booking.scheduling.reports.endpoints.forecast_topics"),
}


_IS_FLOOD = ContextVar("_IS_FLOOD", default=False)


class Held:
    """A function that waits, in its thread, until it is released, when a flood calls it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
        self.begun, self.release = threading.Event(), threading.Event()
        real: Any = pkgutil.resolve_name(place)

        def wait(*arguments: Any, **named: Any) -> Any:
            if _IS_FLOOD.get():
                self.begun.set()
                self.release.wait(LONGEST_SECONDS)
            return real(*arguments, **named)

        monkeypatch.setattr(place, wait)


@pytest.mark.parametrize("kind", WORK)
async def test_a_flood_of_one_kind_keeps_nobody_else_waiting(
    kind: str, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, place = WORK[kind]
    other, held = await api.other(), Held(monkeypatch, place)
    await make_deck(other)  # compiles the template
    flood = [asyncio.create_task(_flood(ask(api))) for _ in range(AT_ONCE)]
    try:
        assert await run_in_thread(held.begun.wait, LONGEST_SECONDS)
        async with asyncio.timeout(LONGEST_SECONDS / 4):
            for call in (make_deck, check_upload, search, forecast, measure_hours, open_portal):
                assert (await call(other)).status_code == 200
            assert (await open_portal(api)).status_code == 200
        assert not any(task.done() for task in flood)
    finally:
        held.release.set()
    assert [answer.status_code for answer in await asyncio.gather(*flood)] == [200] * AT_ONCE


async def _flood(asked: Awaitable[httpx.Response]) -> httpx.Response:
    _IS_FLOOD.set(True)  # for this task, and the threads that work for it
    return await asked


async def test_work_that_takes_too_much_processor_time_says_what_to_do(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    for ask, threads, advice in (
        (make_deck, DECKS, "fewer slides"),
        (search, SEARCHES, "fewer days"),
        (forecast, REPORTS, "fewer days"),
        (measure_hours, REPORTS, "fewer days"),
    ):
        monkeypatch.setattr(threads, "_seconds", 0)
        refused = await ask(api)
        assert (refused.status_code, refused.json()["code"]) == (400, "too_costly")
        assert advice in refused.json()["detail"]
