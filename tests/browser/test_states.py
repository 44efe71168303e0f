"""Whoever is blind, has a phone, enlarges pages or uses colors of their own can book: every state of every page."""

from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from support.accessibility import AXE, State, look
from support.portal_sites import Site
from support.portal_visits import Visitor, walk

FIRST: Final = {"topic", "manage", "410", "404"}
"""States that nobody comes to by a step: the address was typed, or a link was followed from elsewhere."""


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
