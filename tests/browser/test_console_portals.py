"""Portals at the console in a browser: what is typed is seen at once, and saved by one button."""

from playwright.sync_api import BrowserContext, expect

from support.accessibility import look, require_accessible
from support.portal_sites import Site


def test_a_portal_is_made_while_its_page_is_seen_and_the_history_stays_short(staff: BrowserContext, site: Site) -> None:
    page = staff.new_page()
    page.goto(f"{site.address}/console/settings/portals")
    page.get_by_role("link", name="Add a portal").click()
    before = page.evaluate("history.length")
    page.get_by_label("Name (required)", exact=True).fill("Fjord & Sønner")
    drawn = page.frame_locator("iframe[title='Preview']:not(.coming)")
    expect(drawn.get_by_text("Fjord & Sønner")).to_be_attached()
    page.get_by_role("button", name="Add a field").click()
    page.get_by_label("Label", exact=True).fill("Where do we reach you?")
    page.get_by_label("Name in your systems").fill("phone")
    page.get_by_label("Page").select_option(label="Customer's details")
    expect(drawn.get_by_text("Where do we reach you?")).to_be_attached()
    assert page.evaluate("history.length") <= before + 1
    page.get_by_label("Color").fill("#FFFF00")
    expect(drawn.get_by_text("contrast")).to_be_attached()
    page.get_by_label("Color").fill("#12355B")
    page.get_by_label("Name (required)", exact=True).press("Enter")
    expect(page.locator("[data-said]").get_by_role("status")).to_have_text("Fjord & Sønner is saved.")
    expect(page.locator("summary", has_text="Where do we reach you?")).to_be_visible()
    require_accessible(look(page, "a portal with fields"))
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.close()
