"""Draw every page of the console and the portal, and some of the manual, in every look, for a review by eye.

`python tools/make_pictures.py FOLDER` draws them into a folder outside the repository: each value of each axis (whose
firm, width, colors, language) once beside the usual ones. `--firms three,many --widths 360 --languages da` draws the
combinations of these instead, `--only hours` the pages whose name has that word. It needs Chromium (`make setup`).
"""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

from playwright.sync_api import Browser, sync_playwright

ROOT: Final = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "benchmarks")]

from pictures.console_pages import draw_console  # noqa: E402 - it needs the folders that were just named
from pictures.drawing import Pictures  # noqa: E402 - the same
from pictures.firms import fill_firms, name_admin  # noqa: E402 - the same
from pictures.looks import AXES, Look, list_looks  # noqa: E402 - the same
from pictures.manual_pages import draw_manual  # noqa: E402 - the same
from pictures.portal_pages import draw_portal  # noqa: E402 - the same

from support.chromium import MISSING, find_chromium  # noqa: E402 - the same
from support.installation import install  # noqa: E402 - the same
from support.portal_sites import UNLIMITED, Site, open_site  # noqa: E402 - the same

_AT_ONCE: Final = 2


class Choice(NamedTuple):
    """The folder, the text in the names of pages, and the looks."""

    folder: Path
    only: str
    looks: Sequence[Look]


def draw(choice: Choice) -> int:
    """Draw the selected pictures; return their number."""
    path = find_chromium()
    if path is None:
        raise SystemExit(f"The pictures cannot be drawn: {MISSING}.")
    with install() as installation:
        installation.settings |= UNLIMITED
        installation.start("--migrate", "--demo-meetings", anew=True)
        fill_firms(installation, dict.fromkeys(look.firm for look in choice.looks))
        with open_site(installation) as site, ThreadPoolExecutor(_AT_ONCE) as threads:
            return sum(threads.map(partial(_draw_look, path, site, choice), choice.looks))


def _draw_look(path: Path, site: Site, choice: Choice, look: Look) -> int:
    """Draw in a browser of its own: the clients of one would set each other's colors."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        return _draw_with(browser, site, choice, look)


def _draw_with(browser: Browser, site: Site, choice: Choice, look: Look) -> int:
    begun = monotonic()
    context = browser.new_context(**look.options)
    pictures = Pictures(context.new_page(), choice.folder / look.name, choice.only)
    draw_console(pictures, site, name_admin(look.firm))
    draw_portal(pictures, site, look)
    draw_manual(pictures, site, look)
    browser.close()
    print(f"{look.name}: {len(pictures.names)} pictures in {monotonic() - begun:.0f} s", *pictures.faults, sep="\n  ")
    return len(pictures.names)


def _read_arguments() -> Choice:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    for axis, values in AXES.items():
        parser.add_argument(f"--{axis}", default="", help=f"of {','.join(values)}")
    given = vars(parser.parse_args())
    folder: Path = given["folder"]
    if folder.resolve().is_relative_to(ROOT):
        raise SystemExit("Choose a folder outside the repository.")
    chosen = {axis: given[axis].split(",") for axis in AXES if given[axis]}
    if unknown := [value for axis, values in chosen.items() for value in values if value not in AXES[axis]]:
        raise SystemExit(f"There is no {unknown[0]}: see --help.")
    return Choice(folder, given["only"], list_looks(chosen))


if __name__ == "__main__":
    choice = _read_arguments()
    print(f"{draw(choice)} pictures in {choice.folder}")
