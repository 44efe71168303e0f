"""The manual in a browser: searched by keyboard, accessible in all looks, whole without a script and from a disk."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from meetdeck.pages.manual.export import export_manual
from support.accessibility import AXE, look, require_accessible
from support.page_watch import Watch
from support.portal_sites import Site


def test_a_reader_searches_from_any_page_with_the_keyboard_and_nothing_is_asked_of_others(
    context: BrowserContext, site: Site
) -> None:
    page = context.new_page()
    watch = Watch(page)
    page.goto(f"{site.address}/docs/templates/charts")
    page.keyboard.press("/")
    field = page.get_by_role("searchbox", name="Search the manual")
    expect(field).to_be_focused()
    field.fill("reschedule")
    found = page.locator("#manual-finder a")
    expect(found.first).to_contain_text("Changing meetingsBook from your CRM")
    page.keyboard.press("ArrowDown")
    expect(found.first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Changing meetings")
    assert page.url.startswith(f"{site.address}/docs/api/changing-meetings")
    assert watch.said == []
    assert {answer.url.startswith((site.address, "data:")) for answer in watch.answers} == {True}


def test_pages_are_accessible_in_all_looks_and_the_language_of_one_call_is_that_of_all(
    context: BrowserContext, site: Site
) -> None:
    if not AXE.exists():
        pytest.skip("no axe-core here: `make setup` installs it by npm")
    page = context.new_page()
    page.goto(f"{site.address}/docs")
    states = [look(page, "first page")]
    page.goto(f"{site.address}/docs/reference/api-v3/rooms")
    calls = page.locator(".calls")
    calls.first.get_by_text("Python").click()
    expect(calls.last.locator(".code:visible")).to_contain_text("client.rooms.")
    page.get_by_role("link", name="Search").click()
    states.append(look(page, "operations and search"))
    for state in states:
        require_accessible(state)


def test_without_a_script_pages_are_whole_and_searching_leads_to_all_headings(browser: Browser, site: Site) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.goto(f"{site.address}/docs/booking")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.get_by_role("button", name="Pages").click()
    expect(page.get_by_role("link", name="Glossary")).to_be_visible()
    page.goto(f"{site.address}/docs/reference/api-v3/rooms")
    page.get_by_text("TypeScript").first.click()
    expect(page.locator(".calls").first.locator(".code:visible")).to_contain_text("await client.get")
    page.get_by_role("link", name="Search").click()
    expect(page.get_by_role("link", name="Changing meetings")).to_be_visible()
    context.close()


@pytest.mark.thorough  # Swagger UI takes seconds to draw all operations
def test_the_api_page_opens_an_operation_with_the_values_of_the_example(context: BrowserContext, site: Site) -> None:
    page = context.new_page()
    page.goto(f"{site.address}/docs/reference/api-v3/meetings#read-a-meeting")
    section = page.locator("section", has=page.locator("#read-a-meeting"))
    link = section.get_by_role("link", name="Try it on the API page")
    meeting = (link.get_attribute("href") or "").partition("meetingId=")[2].partition("#")[0]
    link.click()
    opened = page.locator(".opblock.is-open")
    expect(opened).to_have_count(1)
    expect(opened.locator("tr[data-param-name=meetingId] input")).to_have_value(meeting)


def test_an_exported_page_opens_from_a_disk(context: BrowserContext, tmp_path: Path) -> None:
    export_manual(tmp_path)
    page = context.new_page()
    watch = Watch(page)
    page.goto((tmp_path / "index.html").as_uri())
    page.get_by_role("link", name="Book from your CRM").first.click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("() => getComputedStyle(document.body).fontFamily").startswith("Inter")
    assert watch.said == []
