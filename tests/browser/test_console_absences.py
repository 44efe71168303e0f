"""An absence at the console in a browser: checked, added, its meetings given away, and undone, also on a phone."""

from datetime import date, timedelta

import pytest
from playwright.sync_api import BrowserContext, expect

from meetdeck.platform.process import clock
from support.accessibility import AXE, look, require_accessible
from support.console import EVA
from support.console_browser import sign_in
from support.portal_sites import Site


def find_monday() -> date:
    """Return a Monday two months from now: what is over is not listed."""
    day = clock.now().date() + timedelta(days=60)
    return day - timedelta(days=day.weekday())


def test_an_absence_of_two_is_added_and_undone_on_a_phone(context: BrowserContext, site: Site) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": 320, "height": 640})
    sign_in(page, site, "/absences", EVA)
    page.get_by_role("link", name="Add an absence", exact=True).first.click()
    page.get_by_label("Camilla Friis").check()
    page.get_by_label("David Krogh").check()
    monday = find_monday()
    page.get_by_label("First day").fill(monday.isoformat())
    page.get_by_label("Repeats", exact=True).select_option(label="Every week")
    page.get_by_label("Wednesday").check()
    page.get_by_label("Repeats until").fill((monday + timedelta(days=16)).isoformat())
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("This creates 6 entries for 2 people.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.get_by_role("button", name="Add the absence").click()
    expect(page.get_by_role("status")).to_have_text("It is added.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    row = page.get_by_role("listitem").filter(has_text="Camilla Friis").first
    row.get_by_text("Remove…").click()
    row.get_by_role("button", name="Remove the whole series").click()
    expect(page.get_by_role("status")).to_contain_text("6 entries are removed.")
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.get_by_role("status")).to_have_text("It has been restored.")
    page.close()


def test_what_is_checked_and_its_meetings_are_accessible(context: BrowserContext, site: Site) -> None:
    if not AXE.exists():
        pytest.skip("no axe-core here: `make setup` installs it by npm")
    page = context.new_page()
    sign_in(page, site, "/absences/new", EVA)
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("group", name="There is a problem")).to_be_focused()
    page.get_by_label("Anna Holm").check()
    page.get_by_label("Last day").fill("2099-01-01")
    page.get_by_role("button", name="Check").press("Enter")
    page.get_by_role("link", name="It must be at most 366 days").click()
    expect(page.get_by_label("Last day")).to_be_focused()
    page.get_by_label("Last day").fill("")
    page.get_by_role("button", name="Check").press("Enter")
    require_accessible(look(page, "an absence that is checked"))
    page.get_by_role("button", name="Add the absence").press("Enter")
    page.goto(f"{site.address}/console/absences")
    page.get_by_role("link", name="Meetings").first.click()
    require_accessible(look(page, "the meetings of an absence"))
    page.close()
