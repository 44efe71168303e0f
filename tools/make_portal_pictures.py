"""Make the pictures of docs/portals.md: the demo's portal in a browser, walked through as the browser's tests do.

`python tools/make_portal_pictures.py` writes docs/images/portal/*.png. It needs Chromium (`make setup`).
"""

import sys
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.chromium import MISSING, find_chromium  # noqa: E402 - lies in the folder that was just named
from support.portal_sites import serve_portals  # noqa: E402 - the same
from support.portal_visits import Visitor  # noqa: E402 - the same

IMAGES: Final = ROOT / "docs/images/portal"
MOST_BYTES: Final = 80_000
_COLORS: Final = 96
_DESK: Final[ViewportSize] = {"width": 820, "height": 932}
_PHONE: Final[ViewportSize] = {"width": 390, "height": 760}


def make_pictures() -> None:
    """Walk through the demo's portal, and write a picture of each step that the guide shows."""
    path = find_chromium()
    if path is None:
        raise SystemExit(f"The pictures cannot be made: {MISSING}.")
    IMAGES.mkdir(parents=True, exist_ok=True)
    with serve_portals() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        portal = f"{site.address}/p/nordlys"
        _book(browser, portal)
        _look_in_the_dark(browser, portal)
        _look_on_a_phone(browser, portal)
        browser.close()


def _book(browser: Browser, portal: str) -> None:
    context = browser.new_context(locale="en-GB", viewport=_DESK, device_scale_factor=1.5)
    visitor = Visitor(page := context.new_page(), portal)
    visitor.reach_times()
    _save(page, "times")
    visitor.choose_time(3)
    visitor.type_details()
    _save(page, "details", is_whole=True)
    visitor.press("Continue", "Check and book")
    visitor.press("Book", "Your meeting is booked")
    _save(page, "booked")
    context.close()


def _look_in_the_dark(browser: Browser, portal: str) -> None:
    context = browser.new_context(locale="en-GB", viewport=_DESK, device_scale_factor=1.5, color_scheme="dark")
    visitor = Visitor(page := context.new_page(), portal)
    visitor.reach_times()
    _save(page, "times-dark")
    context.close()


def _look_on_a_phone(browser: Browser, portal: str) -> None:
    context = browser.new_context(locale="da-DK", viewport=_PHONE, device_scale_factor=1.5, is_mobile=True)
    visitor = Visitor(page := context.new_page(), portal, "da")
    visitor.reach_times()
    _save(page, "phone")
    context.close()


def _save(page: Page, name: str, *, is_whole: bool = False) -> None:
    """Write what the page shows, also below the screen's end when it `is_whole`, in few colors: it has few."""
    page.evaluate("() => document.activeElement.blur()")
    picture = (
        Image.open(BytesIO(page.screenshot(full_page=is_whole)))
        .convert("RGB")
        .quantize(_COLORS, dither=Image.Dither.NONE)
    )
    path = IMAGES / f"{name}.png"
    picture.save(path, optimize=True)
    size = path.stat().st_size
    print(f"{path.relative_to(ROOT)}: {picture.width} x {picture.height}, {size:,} bytes")
    if size > MOST_BYTES:
        raise SystemExit(f"{path.name} is larger than {MOST_BYTES:,} bytes.")


if __name__ == "__main__":
    make_pictures()
