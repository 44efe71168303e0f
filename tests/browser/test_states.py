"""A walk through all states of a portal: everybody can book, and nothing is said, kept or asked of others."""

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from support.accessibility import AXE, State, look
from support.page_watch import Watch
from support.portal_facts import TOLD, read_facts, require_told
from support.portal_sites import Site
from support.portal_visits import Visitor, walk

FIRST: Final = {"topic", "manage", "410", "404"}
"""States that nobody comes to by a step: the address was typed, or a link was followed from elsewhere."""

_INLINE: Final = """() => [...document.querySelectorAll("*")].filter(element =>
    element.matches("style, script:not([src])") || [...element.attributes].some(attribute =>
        attribute.name === "style" || attribute.name.startsWith("on") || /^\\s*javascript:/i.test(attribute.value))
    ).map(element => element.outerHTML)"""


@dataclass
class Seen:
    """The findings of a walk through all states of a portal, by the name of each."""

    context: BrowserContext
    watch: Watch
    inline: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    stored: dict[str, int] = field(default_factory=dict[str, int])
    facts: dict[str, str] = field(default_factory=dict[str, str])
    states: list[State] = field(default_factory=list[State])

    def note(self, page: Page, state: str) -> None:
        """Note what is in a page as it came, and then what axe finds in it."""
        if found := page.evaluate(_INLINE):
            self.inline[state] = found
        if stored := page.evaluate("() => localStorage.length + sessionStorage.length"):
            self.stored[state] = stored
        if state in TOLD:
            self.facts[state] = read_facts(page)
        self.states.append(look(page, state))


@pytest.fixture(scope="module")
def seen(browser: Browser, site: Site) -> Generator[Seen]:
    """Walk through all states once, and lend what was seen of each."""
    if not AXE.exists():
        pytest.skip("no axe-core here: `make setup` installs it by npm")
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    seen = Seen(context, Watch(page))
    for state in walk(Visitor(page, site.make_portal("every-state"))):
        seen.note(page, state)
    yield seen
    context.close()


@pytest.fixture(scope="module")
def states(seen: Seen, browser: Browser, site: Site) -> list[State]:
    """Return the accessibility of all states, and of signing in."""
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    known = Visitor(context.new_page(), site.make_portal("accessible-to-known", authenticationType="IdentityProvider"))
    known.reach_times()
    known.choose_time(then="Sign in")
    page = known.place
    assert isinstance(page, Page)
    sign_in = look(page, "sign-in")
    context.close()
    return [*seen.states, sign_in]


def test_a_meeting_is_booked_moved_changed_and_cancelled(seen: Seen) -> None:
    require_told(seen.facts)


def test_nothing_is_said_to_the_console_kept_or_asked_of_others_in_any_state(seen: Seen, site: Site) -> None:
    assert (seen.inline, seen.stored, seen.watch.said) == ({}, {}, [])
    assert seen.context.cookies() == []
    answers = seen.watch.answers
    assert len(answers) > len(seen.states)
    assert [answer.url for answer in answers if "set-cookie" in answer.all_headers()] == []
    others = {answer.url for answer in answers if not answer.url.startswith((f"{site.address}/", "data:"))}
    assert others == set()


def test_axe_finds_nothing_in_light_dark_and_forced_colors_or_on_a_phone(states: list[State]) -> None:
    assert len(states) > 28
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
