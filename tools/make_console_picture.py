"""Make the picture of the console's calendar: a week of a location of the demo firm.

`python tools/make_console_picture.py` writes docs/images/console/calendar.png. It needs Chromium (`make setup`).
"""

import sys
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import ViewportSize, sync_playwright

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.chromium import MISSING, find_chromium  # noqa: E402 - lies in the folder that was just named
from support.console_browser import sign_in  # noqa: E402 - the same
from support.portal_sites import serve_portals  # noqa: E402 - the same

PICTURE: Final = ROOT / "docs/images/console/calendar.png"
_DESK: Final[ViewportSize] = {"width": 1280, "height": 900}
_COLORS: Final = 192


def make_picture() -> None:
    """Sign in as the administrator, and write a picture of the next week."""
    path = find_chromium()
    if path is None:
        raise SystemExit(f"The picture cannot be made: {MISSING}.")
    with serve_portals("--migrate", "--demo-meetings") as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        page = browser.new_context(locale="en-GB", viewport=_DESK).new_page()
        sign_in(page, site)
        page.get_by_role("link", name="Calendar", exact=True).click()
        page.get_by_label("Advisor, team, room or location").select_option(label="Aarhus")
        page.get_by_role("button", name="Show", exact=True).first.click()
        page.get_by_role("link", name="Week after").click()
        page.wait_for_load_state("networkidle")
        picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
        browser.close()
    picture.quantize(_COLORS, dither=Image.Dither.NONE).save(PICTURE, optimize=True)
    print(f"{PICTURE.relative_to(ROOT)}: {picture.width} x {picture.height}, {PICTURE.stat().st_size:,} bytes")


if __name__ == "__main__":
    make_picture()
