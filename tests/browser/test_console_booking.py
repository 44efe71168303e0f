"""A call at the console in a browser: a search, a held time, the details, and the booked meeting."""

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from support.accessibility import AXE, look, require_accessible
from support.console import ANNA, EVA
from support.console_browser import sign_in
from support.portal_sites import Site

SEARCH = "/book?type=Online&days=7"


def hold_first(page: Page, site: Site) -> None:
    """Hold the first time that a search finds."""
    page.goto(f"{site.address}/console{SEARCH}")
    page.locator("button[name='time']").first.click()
    expect(page.get_by_role("heading", name="The customer", level=1)).to_be_visible()


def test_a_call_on_a_phone_ends_with_a_booked_meeting(context: BrowserContext, site: Site) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": 320, "height": 640})
    sign_in(page, site, "/book", ANNA)
    page.get_by_label("Way to meet").select_option(label="Online")
    page.get_by_label("Meeting topic").select_option(label="Pension check")
    expect(page.get_by_role("status")).to_have_text(re.compile("with free times"))
    expect(page).to_have_url(re.compile("topic=[0-9a-f]"))
    page.locator("button[name='time']").first.click()
    expect(page.get_by_label("Name (required)")).to_be_focused()
    expect(page.get_by_text(re.compile(r"4:5\d left"))).to_be_visible()
    page.get_by_label("Name (required)").fill("Freja Holm")
    page.get_by_label("E-mail").fill("freja@example.com")
    page.get_by_role("button", name="Keep this time").click()
    expect(page.get_by_label("E-mail")).to_have_value("freja@example.com")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.get_by_role("button", name="Book the meeting").click()
    expect(page.get_by_role("status")).to_contain_text("The meeting is booked")
    expect(page.get_by_role("heading", level=1)).to_have_text("Freja Holm")
    page.close()


def test_a_meeting_is_booked_by_keyboard_alone(staff: BrowserContext, site: Site) -> None:
    page = staff.new_page()
    page.goto(f"{site.address}/console/book")
    page.get_by_label("Meeting topic").press("I")
    expect(page.get_by_label("Meeting topic")).to_be_focused()
    page.get_by_role("button", name="Find times").press("Enter")
    page.locator("button[name='time']").first.press("Enter")
    expect(page.get_by_label("Name (required)")).to_be_focused()
    page.keyboard.type("Karl Bruun")
    page.keyboard.press("Tab")
    page.keyboard.type("karl@example.com")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("The meeting is booked")
    expect(page.get_by_role("heading", level=1)).to_have_text("Karl Bruun")
    page.close()


def test_of_two_who_take_the_same_time_the_second_keeps_the_form(browser: Browser, site: Site) -> None:
    first, second = (browser.new_context(locale="en-GB").new_page() for _ in range(2))
    sign_in(first, site, user=ANNA)
    sign_in(second, site, user=EVA)
    hold_first(second, site)
    second.get_by_label("Name (required)").fill("Freja Holm")
    second.get_by_role("button", name="Choose another time").click()
    expect(second.get_by_role("heading", name="Soonest")).to_be_visible()
    wanted = second.locator(".best-time").last
    first.goto(f"{site.address}/console{SEARCH}")
    # The day of the time may be folded.
    first.locator(f"button[value='{wanted.get_attribute('value')}']").first.dispatch_event("click")
    expect(first.get_by_role("heading", name="The customer", level=1)).to_be_visible()
    wanted.click()
    expect(second.get_by_role("group", name="There is a problem")).to_contain_text("Someone else has just taken")
    second.locator("button[name='time']").first.click()
    expect(second.get_by_label("Name (required)")).to_have_value("Freja Holm")
    first.context.close()
    second.context.close()


def test_the_form_of_details_is_accessible_also_with_what_is_wrong(staff: BrowserContext, site: Site) -> None:
    if not AXE.exists():
        pytest.skip("no axe-core here: `make setup` installs it by npm")
    page = staff.new_page()
    hold_first(page, site)
    require_accessible(look(page, "the customer's details"))
    page.get_by_role("button", name="Book the meeting").click()
    expect(page.get_by_role("group", name="There is a problem")).to_be_focused()
    page.get_by_role("link", name="Enter the customer's name.").click()
    expect(page.get_by_label("Name (required)")).to_be_focused()
    require_accessible(look(page, "details that are refused"))
    page.close()


def test_a_hold_counts_down_on_the_overview(staff: BrowserContext, site: Site) -> None:
    page = staff.new_page()
    hold_first(page, site)
    page.goto(f"{site.address}/console")
    expect(page.get_by_text(re.compile(r"for 4:5\d more")).first).to_be_visible()
    page.close()
