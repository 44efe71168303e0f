"""Make the pictures of the console: pages of the demo firm as docs/console.md and README.md show them.

`python tools/make_console_picture.py` writes docs/images/console/*.png; `--only card,find` those whose name has such a
word. It needs Chromium (`make setup`).
"""

import argparse
import sys
from collections.abc import Callable
from datetime import date, timedelta
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Page, ViewportSize, expect, sync_playwright

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from meetdeck.platform.process.clock import now  # noqa: E402 - the tests use it, too
from support.chromium import MISSING, find_chromium  # noqa: E402 - lies in the folder that was just named
from support.console import ANNA  # noqa: E402 - the same
from support.console_browser import sign_in  # noqa: E402 - the same
from support.portal_sites import Site, serve_portals  # noqa: E402 - the same

_FOLDER: Final = ROOT / "docs/images/console"
_DESK: Final[ViewportSize] = {"width": 1280, "height": 900}
_COLORS: Final = 128
_HALF_HOUR: Final = 26


def _find_tuesday() -> date:
    """Return a Tuesday with meetings of the demo: in four to ten days."""
    soon = now().date() + timedelta(days=4)
    return soon + timedelta(days=(1 - soon.weekday()) % 7)


def _show_team(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/console/calendar?whose=location.Aarhus")
    page.get_by_role("link", name="Week after").click()
    page.wait_for_load_state("networkidle")
    page.locator("a.chip").nth(3).hover()
    expect(page.locator("#glance")).to_be_visible()


def _show_card(page: Page, site: Site) -> None:
    later = now().date() + timedelta(weeks=5)  # the demo's meetings end before
    page.goto(f"{site.address}/console/calendar?view=week&day={later}", wait_until="networkidle")
    page.locator(".ec-body .ec-day").nth(1).click(position={"x": 40, "y": 6 * _HALF_HOUR + 9})
    expect(page.get_by_role("dialog").get_by_role("button", name="Book")).to_be_visible()


def _show_desk(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/console/calendar?whose=location.Aarhus&view=list&day={_find_tuesday()}")
    page.locator("a[href*='/calendar/meetings/']").last.click()
    page.wait_for_load_state("networkidle")


def _show_employee(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/console/settings/employees")
    page.get_by_role("link", name="Anna Holm").first.click()
    page.wait_for_load_state("networkidle")


def _show_search(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/console", wait_until="networkidle")
    page.keyboard.press("Control+k")
    page.locator("[data-palette] input").fill("jens")
    expect(page.locator("[data-found] a[href*='/calendar/customer']").first).to_be_visible()


def _show_reason(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/console/calendar/why?day={_find_tuesday()}", wait_until="networkidle")


_PICTURES: Final[dict[str, Callable[[Page, Site], None]]] = {
    "calendar": _show_team,
    "card": _show_card,
    "desk": _show_desk,
    "employee": _show_employee,
    "find": _show_search,
    "why": _show_reason,
}
"""The pictures, and how their pages are reached."""


def make_pictures(only: str) -> None:
    """Sign in as the administrator, for "today" as an advisor, and write the pictures."""
    path = find_chromium()
    if path is None:
        raise SystemExit(f"The pictures cannot be made: {MISSING}.")
    with serve_portals("--migrate", "--demo-meetings") as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        page = browser.new_context(locale="en-GB", viewport=_DESK, reduced_motion="reduce").new_page()
        sign_in(page, site)
        for name, show in _PICTURES.items():
            if any(word in name for word in only.split(",")):
                show(page, site)
                _save(page, name)
        if any(word in "today" for word in only.split(",")):
            own = browser.new_context(locale="en-GB", viewport=_DESK, reduced_motion="reduce").new_page()
            sign_in(own, site, user=ANNA)
            own.wait_for_load_state("networkidle")
            _save(own, "today")
        browser.close()


def _save(page: Page, name: str) -> None:
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    path = _FOLDER / f"{name}.png"
    picture.quantize(_COLORS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {picture.width} x {picture.height}, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    make_pictures(parser.parse_args().only)
