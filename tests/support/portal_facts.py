"""The facts that a portal's pages tell of a meeting, from its booking to its cancellation."""

import re
from collections.abc import Mapping
from typing import Final

from playwright.sync_api import Frame, Page

TOLD: Final = {"booked", "moving", "moved", "changed", "cancelled"}
"""The states whose pages tell the facts of a meeting."""


def read_facts(place: Page | Frame) -> str:
    """Return the text of a page, in one line."""
    return " ".join(place.locator("main").inner_text().split())


def require_told(facts: Mapping[str, str]) -> None:
    """Check that the pages of a meeting that was booked, moved, changed and cancelled tell of the same one."""
    assert facts.keys() == TOLD
    for state, text in facts.items():
        assert re.search(r"Anna Holm|Bo Lind|Camilla Friis|Eva Sand|Frederik Dahl|Hassan Ali", text), state
        assert "Annual review" in text or state == "moving"
    when = {state: re.search(r"\w+ \d+ \w+(?: \d{4})?, \d\d:\d\d to \d\d:\d\d", text) for state, text in facts.items()}
    assert all(when.values())
    days = {state: found[0] for state, found in when.items() if found}
    assert days["booked"] == days["moving"] != days["moved"] == days["changed"] == days["cancelled"]
    assert days["moved"] in facts["moving"]
