"""Icons of the pages come from the locked package, those alone that a page shows."""

import json
import re
from pathlib import Path

import pytest

from meetdeck.pages.console.kit import ACTIONS, GROUPS, SETTINGS
from meetdeck.pages.icons import icon

ROOT = Path(__file__).parents[3]
_CALLS = re.compile(r"icon\(([^)]*)\)")
_NAMES = re.compile(r'"([a-z0-9-]+)"')


def test_an_icon_has_the_color_of_the_text_and_no_name() -> None:
    if not (ROOT / "src/meetdeck/web/assets/lucide").is_dir():
        pytest.skip("the assets are not here: `make setup` fetches them")
    drawn = icon("calendar")
    assert drawn.startswith('<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"')
    assert "<path" in drawn
    assert "license" not in drawn
    assert len(drawn) < 700


def test_every_icon_of_a_page_is_fetched() -> None:
    served = json.loads((ROOT / "assets/package.json").read_text(encoding="utf-8"))["served"]["lucide"]["files"]
    named = {Path(file).stem for file in served}
    used = {entry.icon for group in GROUPS for entry in group.entries}
    used |= {page.icon for group in SETTINGS for page in group.pages} | {action.icon for action in ACTIONS}
    for path in (ROOT / "src/meetdeck/pages").rglob("*.html"):
        for call in _CALLS.findall(path.read_text(encoding="utf-8")):
            used |= set(_NAMES.findall(call)) - {"success"}
    assert used <= named
