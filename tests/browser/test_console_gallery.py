"""Templates at the console in a browser: sent by field or drop, checked, stored, looked at and compared."""

import base64
from collections.abc import Sequence
from typing import Any, Final

import pytest
from playwright.sync_api import BrowserContext, FilePayload, Page, expect

from meetdeck.present.render.renderer import find_office
from support.accessibility import AXE, look, require_accessible
from support.portal_sites import Site
from support.slide_pictures import make_template

PRESENTATION: Final = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
PAGES: Final = {
    "gallery": "/templates",
    "upload": "/templates/upload",
    "slides with findings": "/templates/{}",
    "tags": "/templates/{}/tags",
    "revisions": "/templates/{}/revisions",
}
DROP: Final = """content => {
    const bytes = Uint8Array.from(atob(content), each => each.charCodeAt(0));
    const dropped = new DataTransfer();
    dropped.items.add(new File([bytes], "Dropped.pptx"));
    return dropped;
}"""


def make_file(name: str, *slides: str) -> FilePayload:
    """Make a file for a field, with slides of these names."""
    return {"name": name, "mimeType": PRESENTATION, "buffer": make_template(*slides)}


def check_files(page: Page, site: Site, files: Sequence[FilePayload]) -> None:
    """Send files by the field, and wait for what is found in them."""
    page.goto(f"{site.address}/console/templates/upload")
    page.get_by_label("PowerPoint files").set_input_files(files)
    page.get_by_role("button", name="Check the files").click()
    expect(page.get_by_role("heading", name="What is found in the files")).to_be_visible()


def require_axe() -> None:
    """Skip a test where axe is not."""
    if not AXE.exists():
        pytest.skip("no axe-core here: `make setup` installs it by npm")


@pytest.fixture(scope="module")
def template(site: Site) -> str:
    """Upload two revisions of a template with a tag and findings; return its id."""
    uploaded: Any = None
    for slides in (("Hello {{customer.name}}", "Gone"), ("Hello {{customer.name}}", "Twice", "Twice")):
        files: Any = {
            "file": ("Looked at.pptx", make_template(*slides)),
            "name": (None, "Looked at"),
            "category": (None, "Private"),
        }
        uploaded = site.api.post(f"{site.address}/api/v3/present/templates", files=files).raise_for_status().json()
    return uploaded["id"]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_templates_is_accessible_in_all_colors_and_sizes(
    name: str, staff: BrowserContext, site: Site, template: str
) -> None:
    require_axe()
    page = staff.new_page()
    page.goto(f"{site.address}/console{PAGES[name].format(template)}")
    require_accessible(look(page, name))
    page.close()


def test_a_file_is_checked_stored_looked_at_and_compared(staff: BrowserContext, site: Site) -> None:
    page = staff.new_page()
    check_files(page, site, [make_file("Spring.pptx", "First", "Second"), make_file("Broken.pptx", "{{#open}}")])
    broken = page.get_by_role("group", name="Broken.pptx")
    expect(broken).to_contain_text("Fix it in PowerPoint")
    expect(broken.get_by_role("checkbox")).to_have_count(0)
    page.get_by_label("Customer type").fill("Private")
    page.get_by_role("button", name="Store").click()
    expect(page.get_by_role("status").last).to_have_text("Spring is stored.")

    check_files(page, site, [make_file("Spring.pptx", "First", "Third")])
    expect(page.get_by_label("Store it as the next revision of Spring")).to_be_checked()
    expect(page.get_by_label("Customer type")).to_have_value("Private")
    page.get_by_role("button", name="Store").click()

    page.get_by_role("link", name="Spring", exact=True).click()
    cards = page.get_by_role("main").get_by_role("listitem").get_by_role("heading")
    expect(cards).to_contain_text(["First", "Third"])
    page.get_by_role("link", name="Revisions").click()
    expect(cards).to_contain_text(["First", "Second Removed", "Third Added"])
    page.close()


def test_a_file_that_is_dropped_is_checked_at_once(staff: BrowserContext, site: Site) -> None:
    require_axe()
    page = staff.new_page()
    page.goto(f"{site.address}/console/templates/upload")
    content = base64.b64encode(make_template("{{#open}}", "{{customer.name}}")).decode()
    page.locator("[data-dropzone]").dispatch_event("drop", {"dataTransfer": page.evaluate_handle(DROP, content)})
    expect(page.get_by_role("group", name="Dropped.pptx")).to_contain_text("Fix it in PowerPoint")
    require_accessible(look(page, "what is found"))
    page.close()


def test_a_comparison_says_that_it_is_being_made(staff: BrowserContext, site: Site, template: str) -> None:
    page = staff.new_page()
    page.goto(f"{site.address}/console/templates/{template}/revisions")
    page.evaluate("addEventListener('submit', event => event.preventDefault())")  # it stays the page that waits
    expect(page.get_by_text("Comparing the slides…")).to_be_hidden()
    page.get_by_role("button", name="Compare").press("Enter")
    expect(page.get_by_text("Comparing the slides…")).to_be_visible()
    page.close()


@pytest.mark.skipif(find_office() is None, reason="LibreOffice is not installed")
def test_the_pictures_of_slides_are_drawn(staff: BrowserContext, site: Site, template: str) -> None:
    page = staff.new_page()
    page.goto(f"{site.address}/console/templates/{template}")
    first = page.get_by_role("img").first
    expect(first).to_have_js_property("naturalWidth", 640)
    page.goto(f"{site.address}/console/templates?q=looked")
    expect(page.locator(".card img")).to_have_js_property("naturalWidth", 480)
    page.close()


def test_a_name_that_cannot_be_has_the_focus_by_its_link(staff: BrowserContext, site: Site) -> None:
    require_axe()
    page = staff.new_page()
    check_files(page, site, [make_file("One.pptx", "First"), make_file("Two.pptx", "First")])
    page.get_by_role("group", name="Two.pptx").get_by_label("Name").fill("..")
    page.get_by_role("button", name="Store").click()
    expect(page.get_by_role("group", name="There is a problem")).to_be_focused()
    expect(page.get_by_role("status").filter(has_text="One is stored.")).to_be_visible()
    page.get_by_role("link", name="Two.pptx: Give another name").click()
    expect(page.get_by_label("Name")).to_be_focused()
    require_accessible(look(page, "a name that is refused"))
    page.close()
