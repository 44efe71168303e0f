"""Whether PDFs and pictures can be made: answered by v3, and on the console's overview while they cannot."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

import pytest
import pytest_asyncio

from meetdeck.platform.database import Database
from meetdeck.present.render.renderer import MissingRenderer
from meetdeck.services import Services
from support.console import EVA, THOMAS, Browser
from support.factories import Api, make_services
from support.fakes import HandClock
from support.renderers import BlankPages

STATE = "v3/present/renderer"
SENTENCE = "PDFs and pictures of slides cannot be made"
ALL_WELL = "all work."


@pytest_asyncio.fixture
async def services(
    database: Database, clock: HandClock, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncGenerator[Services]:
    async with aclosing(make_services(database, clock, tmp_path, request.param())) as services:
        yield services


@pytest.mark.parametrize("services", [MissingRenderer], indirect=True)
async def test_a_renderer_that_is_away_is_told_to_administrators(api: Api) -> None:
    assert (await api.get(STATE)).status_code == 403
    state = (await (await api.of(api.firm, elevated=True)).get(STATE)).json()
    assert (state["available"], state["name"]) == (False, None)
    assert "LibreOffice" in state["problem"]
    admin, manager = [(await (await Browser.open(api, user)).get()).text for user in (THOMAS, EVA)]
    assert SENTENCE in admin
    assert SENTENCE not in manager
    assert ALL_WELL not in admin + manager


@pytest.mark.parametrize("services", [BlankPages], indirect=True)
async def test_a_renderer_that_answers_is_named_and_nobody_is_alarmed(api: Api) -> None:
    state = (await (await api.of(api.firm, elevated=True)).get(STATE)).json()
    assert (state["available"], state["problem"]) == (True, None)
    assert state["name"]
    admin, manager = [(await (await Browser.open(api, user)).get()).text for user in (THOMAS, EVA)]
    assert SENTENCE not in admin
    assert (ALL_WELL in admin, ALL_WELL in manager) == (True, False)
