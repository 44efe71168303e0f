"""The renderer's state in v3, and on the console's overview while PDFs and pictures cannot be made."""

import pytest

from meetdeck.present.render.renderer import MissingRenderer
from support.console import EVA, THOMAS, Browser
from support.factories import Api
from support.renderers import BlankPages

STATE = "v3/present/renderer"
SENTENCE = "PDFs and pictures of slides cannot be created"
ALL_WELL = "all work."


@pytest.mark.parametrize("renderer", [MissingRenderer()])
async def test_a_renderer_that_is_away_is_told_to_administrators(api: Api) -> None:
    assert (await api.get(STATE)).status_code == 403
    state = (await (await api.of(api.firm, elevated=True)).get(STATE)).json()
    assert (state["available"], state["name"]) == (False, None)
    assert "LibreOffice" in state["problem"]
    admin, manager = [(await (await Browser.open(api, user)).get()).text for user in (THOMAS, EVA)]
    assert SENTENCE in admin
    assert SENTENCE not in manager
    assert ALL_WELL not in admin + manager


@pytest.mark.parametrize("renderer", [BlankPages()])
async def test_a_renderer_that_answers_is_named_and_nobody_is_alarmed(api: Api) -> None:
    state = (await (await api.of(api.firm, elevated=True)).get(STATE)).json()
    assert (state["available"], state["problem"]) == (True, None)
    assert state["name"]
    admin, manager = [(await (await Browser.open(api, user)).get()).text for user in (THOMAS, EVA)]
    assert SENTENCE not in admin
    assert (ALL_WELL in admin, ALL_WELL in manager) == (True, False)
