"""Whoever is blind, has a phone, enlarges pages or uses colors of their own can book: every state of every page."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from support.portal_sites import Site
from support.portal_visits import Visitor, walk

AXE: Final = Path(__file__).parent / "node_modules/axe-core/axe.min.js"
STANDARDS: Final = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]
OF_COLORS: Final = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
OF_SIZES: Final = {"type": "rule", "values": ["target-size"]}
"""Judging all rules again in other colors and sizes would find nothing but these."""

COLORS: Final[Mapping[str, tuple[Literal["light", "dark"], Literal["none", "active"]]]] = {
    "dark": ("dark", "none"),
    "forced colors": ("light", "active"),
}
# A phone; 1280 by 1024 pixels enlarged to 400 %.
SIZES: Final = {"phone": (320, 640), "400 %": (320, 256), "desk": (1280, 800)}

_FIND_FOCUS: Final = "() => [document.activeElement.tagName, document.activeElement.className].join('.')"
_WAIT_UNTIL_DRAWN: Final = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
_IS_WIDE: Final = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
_JUDGE: Final = """rules => axe.run(document, {runOnly: rules, resultTypes: ["violations"]}).then(found =>
    found.violations.flatMap(rule => rule.nodes.map(node =>
        `${rule.id}: ${node.html} ${node.any[0]?.message ?? ""}`)))"""

FIRST: Final = {"topic", "manage", "410", "404"}
"""States that nobody comes to by a step: the address was typed, or a link was followed from elsewhere."""


class State(NamedTuple):
    """What was seen of a page in one state."""

    name: str
    focused: str
    """The element that has the focus, once the page is shown."""
    wide: Sequence[str]
    """The sizes in which one would have to scroll sideways."""
    faults: Sequence[str]
    """What axe finds, each with the colors or size in which it is so."""


def look(page: Page, name: str) -> State:
    page.evaluate(_WAIT_UNTIL_DRAWN)  # what has `autofocus` gets it then
    focused = page.evaluate(_FIND_FOCUS)
    wide: list[str] = []
    faults: list[str] = []
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        if page.evaluate(_IS_WIDE):
            wide.append(size)
        if size == "phone":
            faults += judge(page, size, OF_SIZES)
    faults += judge(page, "light", STANDARDS)
    for colors, (scheme, forced) in COLORS.items():
        page.emulate_media(color_scheme=scheme, forced_colors=forced)
        faults += judge(page, colors, OF_COLORS)
    page.emulate_media(color_scheme="light", forced_colors="none")
    return State(name, focused, wide, faults)


def judge(page: Page, how: str, rules: object) -> list[str]:
    """Return what axe finds in a page, by tags of standards or by single rules."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[Any] = page.evaluate(_JUDGE, rules)
    return [f"{how}: {fault}" for fault in found]


@pytest.fixture(scope="module")
def states(browser: Browser, site: Site) -> list[State]:
    """Walk through all states once, and return what was seen of each."""
    if not AXE.exists():
        pytest.skip("no axe-core here: `make setup` installs it by npm")
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    visitor = Visitor(page, site.make_portal("accessible"))
    states = [look(page, state) for state in walk(visitor)]
    known = Visitor(page, site.make_portal("accessible-to-known", authenticationType="IdentityProvider"))
    known.reach_times()
    known.choose_time(then="Sign in")
    states.append(look(page, "sign-in"))
    context.close()
    return states


def test_axe_finds_nothing_in_light_dark_and_forced_colors_or_on_a_phone(states: list[State]) -> None:
    assert len(states) > 20
    assert {state.name: state.faults for state in states if state.faults} == {}


def test_nobody_scrolls_sideways_on_a_phone_or_at_four_times_the_size(states: list[State]) -> None:
    assert {state.name: state.wide for state in states if state.wide} == {}


def test_the_focus_is_on_the_heading_or_the_errors_after_each_step(states: list[State]) -> None:
    starts = ("H1.", "DIV.ds-error-summary", "DIV.ds-alert")
    lost = {state.name: state.focused for state in states if not state.focused.startswith(starts)}
    assert set(lost) == FIRST, lost
    assert set(lost.values()) == {"BODY."}


def test_the_mailbox_of_the_test_environment_is_accessible_too(page: Page, site: Site) -> None:
    if not AXE.exists():
        pytest.skip("no axe-core here: `make setup` installs it by npm")
    page.goto(f"{site.address}/dev/mailbox")  # the demo's meetings are in it
    page.wait_for_function("() => document.querySelector('.mail') || location.reload()", polling=500)
    expect(page.frame_locator("iframe").locator("h1")).to_be_visible()
    state = look(page, "mailbox")
    assert (state.faults, state.wide) == ([], [])
