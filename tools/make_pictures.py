"""Draw every page of the console and the portal in every look, so that somebody can look at all of them.

`python tools/make_pictures.py FOLDER` draws the demo firm's pages into a folder outside the repository; `--only hours`
draws those whose name has that word, `--looks light,phone` some looks. It needs Chromium (`make setup`).
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from playwright.sync_api import Error as BrowserError

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.chromium import MISSING, find_chromium  # noqa: E402 - lies in the folder that was just named
from support.console_browser import sign_in  # noqa: E402 - the same
from support.portal_sites import Site, serve_portals  # noqa: E402 - the same
from support.portal_visits import Visitor, walk  # noqa: E402 - the same

LOOKS: Final[dict[str, dict[str, Any]]] = {
    "light": {"viewport": {"width": 1280, "height": 860}},
    "wide": {"viewport": {"width": 1440, "height": 900}},
    "dark": {"viewport": {"width": 1280, "height": 860}, "color_scheme": "dark"},
    "phone": {
        "viewport": {"width": 360, "height": 740},
        "is_mobile": True,
        "has_touch": True,
        "user_agent": "Mozilla/5.0 (Android 16; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
    },
    "da": {"viewport": {"width": 1280, "height": 860}, "locale": "da-DK"},
    "contrast": {"viewport": {"width": 1280, "height": 860}, "forced_colors": "active"},
}
"""How a page is looked at: its width, its colors, its language."""
_KINDS: Final = (
    "employees",
    "rooms",
    "locations",
    "topics",
    "customer-types",
    "competence-groups",
    "service-groups",
    "portals",
    "document-rules",
)
PATHS: Final = (
    "",
    "/calendar",
    *(f"/calendar?view={view}" for view in ("day", "week", "list")),
    *(f"/calendar?whose=location.Aarhus&view={view}" for view in ("day", "week", "timeline", "list")),
    "/calendar/why",
    "/book",
    "/book?type=Physical",
    "/wishes",
    "/wishes/new",
    "/decks",
    "/templates",
    "/templates/upload",
    "/hours",
    "/absences",
    "/absences/new",
    "/reports",
    "/reports/utilization?by=employee",
    "/reports/templates",
    "/reports/forecast",
    "/audit-log",
    "/find",
    "/find?q=a",
    "/settings",
    "/settings?q=room",
    *(f"/settings/{kind}" for kind in _KINDS),
    *(f"/settings/{kind}/new" for kind in _KINDS),
    "/settings/organization",
    "/settings/closing-days",
    "/settings/messages",
    "/settings/messages/Invitation/en",
    "/settings/languages",
    "/settings/labels",
    "/settings/keys",
    "/settings/directory",
    "/connections",
    "/settings/webhooks",
    "/settings/webhooks/new",
    "/settings/rooms?saved=Room%20K",
    "/settings/nothing",
)
_FOLLOWED: Final = {
    "/settings/employees": "tbody th a",
    "/settings/portals": "tbody th a",
    "/hours": "tbody th a",
    "/templates": ".card h2 a",
    "/calendar?view=list": "a[href*='/calendar/meetings/']",
}
"""Lists whose first entry is drawn, too."""
_PRESSED: Final = {"find-dialog": "Control+k", "keys-dialog": "?"}
_LONGEST_NAME: Final = 80


class Choice(NamedTuple):
    """What is drawn: into which folder, the pages whose names have a text, and the looks."""

    folder: Path
    only: str
    looks: list[str]


def draw(choice: Choice) -> int:
    """Draw what is chosen; return how many pictures there are."""
    path = find_chromium()
    if path is None:
        raise SystemExit(f"The pictures cannot be drawn: {MISSING}.")
    with serve_portals("--migrate", "--demo-meetings") as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        site.make_portal("drawn")
        return sum(_draw_look(browser, site, choice, look) for look in choice.looks)


def _draw_look(browser: Browser, site: Site, choice: Choice, look: str) -> int:
    folder = choice.folder / look
    folder.mkdir(parents=True, exist_ok=True)
    options: dict[str, Any] = {"locale": "en-GB", "reduced_motion": "reduce"}
    context = browser.new_context(**(options | LOOKS[look]))
    drawn = [*_draw_console(context, site, choice, folder), *_draw_portal(context, site, choice, folder, look)]
    context.close()
    print(f"{look}: {len(drawn)} pictures")
    return len(drawn)


def _draw_console(context: BrowserContext, site: Site, choice: Choice, folder: Path) -> Iterator[str]:
    page = context.new_page()
    sign_in(page, site)
    for path in PATHS:
        name = _name(path)
        if choice.only not in name:
            continue
        page.goto(f"{site.address}/console{path}", wait_until="networkidle")
        yield _save(page, folder, name)
        first = page.locator(_FOLLOWED[path]).first if path in _FOLLOWED else None
        if first is not None and first.count():
            page.goto(str(first.evaluate("link => link.href")), wait_until="networkidle")
            yield _save(page, folder, f"{name}-first")
    page.goto(f"{site.address}/console")
    for name, keys in _PRESSED.items():
        if choice.only in name:
            page.keyboard.press(keys)
            page.wait_for_load_state("networkidle")
            yield _save(page, folder, name, is_whole=False)
            page.keyboard.press("Escape")
    page.close()


def _draw_portal(context: BrowserContext, site: Site, choice: Choice, folder: Path, look: str) -> Iterator[str]:
    if choice.only not in "portal":
        return
    page = context.new_page()
    language = "da" if look == "da" else "en"
    visitor = Visitor(page, f"{site.address}/p/drawn", language)
    try:
        for number, state in enumerate(walk(visitor)):
            yield _save(page, folder, f"portal-{number:02}-{state}")
    except (BrowserError, AssertionError) as problem:  # a walk in another language may end early
        print(f"{look}: the walk ended: {str(problem).splitlines()[0]}")
    page.close()


def _name(path: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", path.lower()).strip("-")[:_LONGEST_NAME] or "overview"


def _save(page: Page, folder: Path, name: str, *, is_whole: bool = True) -> str:
    page.screenshot(path=folder / f"{name}.png", full_page=is_whole, animations="disabled")
    return name


def _read_arguments() -> Choice:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--looks", default=",".join(LOOKS))
    given = parser.parse_args()
    if given.folder.resolve().is_relative_to(ROOT):
        raise SystemExit("Choose a folder outside the repository.")
    return Choice(given.folder, given.only, given.looks.split(","))


if __name__ == "__main__":
    chosen = _read_arguments()
    print(f"{draw(chosen)} pictures in {chosen.folder}")
