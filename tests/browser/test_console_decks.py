"""Building a deck in a browser: by drag, by keyboard, with a preview; accessible in all colors and sizes."""

from playwright.sync_api import BrowserContext, Page, expect

from support.accessibility import look, require_accessible
from support.portal_sites import Site

SLOW = 30_000


def choose_slides(page: Page, site: Site) -> None:
    """Choose the opening of the demo's template."""
    page.goto(f"{site.address}/console/decks")
    page.get_by_role("link", name="Annual review").click()
    page.get_by_role("button", name="None", exact=True).click()
    page.get_by_role("button", name="All of Opening").press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("2 of")


def test_slides_are_put_in_order_by_keyboard_and_by_drag(staff: BrowserContext, site: Site) -> None:
    page = staff.new_page()
    choose_slides(page, site)
    names = page.locator("[data-slide]")
    expect(names.first).to_have_attribute("data-slide", "Cover")
    page.get_by_role("button", name="Move Agenda earlier").press("Enter")
    expect(names.first).to_have_attribute("data-slide", "Agenda")
    expect(page.locator("[data-moved]")).to_have_text("Agenda is now slide 1.")
    data = page.evaluate_handle("() => new DataTransfer()")
    names.nth(1).dispatch_event("dragstart", {"dataTransfer": data})
    for event in ("dragover", "drop"):
        names.first.dispatch_event(event, {"dataTransfer": data})
    names.first.dispatch_event("dragend", {"dataTransfer": data})
    expect(names.first).to_have_attribute("data-slide", "Cover")
    require_accessible(look(page, "choosing slides"))
    page.close()


def test_a_deck_is_filled_in_drawn_and_made(staff: BrowserContext, site: Site) -> None:
    page = staff.new_page()
    choose_slides(page, site)
    page.get_by_role("button", name="Fill them in").click()
    page.get_by_label("First name").fill("Freja")
    expect(page.get_by_label("Slide", exact=True)).to_have_value("Cover")
    page.get_by_role("button", name="Make the deck").last.click()
    expect(page.get_by_role("group", name="There is a problem")).to_be_focused()
    require_accessible(look(page, "values that miss"))
    expect(page.get_by_label("First name")).to_have_value("Freja")
    page.get_by_role("button", name="Create it anyway").click()
    expect(page.get_by_role("heading", name="The deck is made")).to_be_visible(timeout=SLOW)
    with page.expect_download() as loading:
        page.get_by_role("link", name="PowerPoint").click()
    assert loading.value.suggested_filename == "Annual review.pptx"
    require_accessible(look(page, "a deck that is made"))
    page.close()
