"""The console in a browser: accessible in all colors and sizes, by keyboard, light; who is signed out loses nothing."""

import gzip

import pytest
from playwright.sync_api import BrowserContext, Response, expect

from support.accessibility import AXE, look, require_accessible
from support.console import THOMAS
from support.console_browser import sign_in
from support.portal_sites import Site
from support.searches import ANNA

PAGES = {
    "everybody's hours": "/hours",
    "reports": "/reports?by=week",
    "utilization": "/reports/utilization?by=employee",
    "templates used": "/reports/templates?by=day",
    "forecast": "/reports/forecast",
    "settings": "/settings",
    "a list": "/settings/employees",
    "a form": "/settings/service-groups/new",
    "an employee": f"/settings/employees/{ANNA}",
    "the directory": "/settings/directory",
    "the organization": "/settings/organization",
    "a portal": "/settings/portals/new",
    "messages": "/settings/messages",
    "a message": "/settings/messages/Invitation/en",
    "closing days": "/settings/closing-days",
    "connections": "/connections",
    "a connection": "/connections/new",
    "a calendar": "/connections/calendars/new",
    "webhooks": "/settings/webhooks",
    "keys": "/settings/keys",
    "recent requests": "/settings/requests",
    "labels": "/settings/labels",
    "languages": "/settings/languages",
    "a webhook": "/settings/webhooks/new",
    "audit log": "/audit-log",
    "free times": "/book?type=Physical",
    "absences": "/absences",
    "an absence": "/absences/new",
    "the waiting list": "/wishes",
    "a wish": "/wishes/new",
    "finding a customer": "/find?q=a",
    "nothing": "/settings/nothing",
}
SELDOM_CHANGED = {
    "a calendar",
    "a connection",
    "a message",
    "a webhook",
    "a wish",
    "an absence",
    "closing days",
    "connections",
    "keys",
    "labels",
    "languages",
    "messages",
    "nothing",
    "recent requests",
}
"""Pages of parts that others have, too; `make thorough` looks at them."""
MOST_COMPRESSED = 90 * 1024


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.thorough] if name in SELDOM_CHANGED else []) for name in PAGES]
)
def test_a_page_is_accessible_in_all_colors_and_sizes(name: str, staff: BrowserContext, site: Site) -> None:
    if not AXE.exists():
        pytest.skip("no axe-core here: `make setup` installs it by npm")
    page = staff.new_page()
    page.goto(f"{site.address}/console{PAGES[name]}")
    require_accessible(look(page, name))
    page.close()


def test_the_overview_fetches_the_weeks_around_and_is_accessible(staff: BrowserContext, site: Site) -> None:
    page = staff.new_page()
    page.goto(f"{site.address}/console")
    expect(page.get_by_role("table", name="The next 60 days").get_by_role("row").nth(1)).to_be_visible()
    expect(page.get_by_role("term").filter(has_text="No-shows")).to_be_visible()
    if AXE.exists():
        require_accessible(look(page, "overview"))
    page.get_by_role("main").get_by_role("link", name="Forecast").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Reports")
    page.close()


def test_what_is_wrong_with_a_form_is_accessible_and_has_the_focus(staff: BrowserContext, site: Site) -> None:
    page = staff.new_page()
    page.goto(f"{site.address}/console/settings/rooms/new")
    page.get_by_label("Seats").fill("many")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("group", name="There is a problem")).to_be_focused()
    require_accessible(look(page, "a form that is refused"))
    page.get_by_role("link", name="Seats is a whole number").click()
    expect(page.get_by_label("Seats")).to_be_focused()
    page.close()


def test_a_room_is_added_by_keyboard_alone(staff: BrowserContext, site: Site) -> None:
    page = staff.new_page()
    page.goto(f"{site.address}/console/settings/rooms")
    page.get_by_role("link", name="Add a room").press("Enter")
    page.get_by_label("Name (required)").press("Tab")
    page.keyboard.type("8")
    page.keyboard.press("Shift+Tab")
    page.keyboard.type("Room K")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("Room K is saved.")
    page.get_by_role("link", name="Room K").press("Enter")
    expect(page.get_by_label("Seats")).to_have_value("8")
    page.close()


def test_the_menu_opens_on_a_phone(staff: BrowserContext, site: Site) -> None:
    page = staff.new_page()
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(f"{site.address}/console")
    expect(page.get_by_role("link", name="Settings")).to_be_hidden()
    page.get_by_text("Menu").click()
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("heading", name="Settings", level=1)).to_be_visible()
    page.close()


def test_keys_go_to_a_part_list_themselves_and_find_an_advisor(staff: BrowserContext, site: Site) -> None:
    page = staff.new_page()
    page.goto(f"{site.address}/console/settings")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    page.keyboard.type("anna")
    expect(page.get_by_role("dialog").get_by_role("link", name="Anna Holm")).to_be_visible()
    if AXE.exists():
        require_accessible(look(page, "finding from anywhere"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/calendar?whose=employee.*")
    expect(page.locator(".period")).to_contain_text("Anna Holm")
    page.wait_for_load_state()  # the script that hears keys comes behind the words
    page.keyboard.press("g")
    page.keyboard.press("s")
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    page.get_by_role("searchbox", name="Search the settings").fill("webhook")
    expect(page.get_by_role("main").get_by_role("link")).to_have_count(1)
    page.close()


def test_a_session_that_ends_in_the_middle_of_a_form_loses_nothing(context: BrowserContext, site: Site) -> None:
    page = context.new_page()
    sign_in(page, site, "/settings/rooms/new")
    page.get_by_label("Name (required)").fill('Room "Æ"')
    page.get_by_label("Seats").fill("4")
    context.clear_cookies()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="You have been signed out")).to_be_visible()
    with context.expect_page() as opened:
        page.get_by_role("link", name="Sign in").click()
    opened.value.locator(f"button[value='{THOMAS}']").click()
    opened.value.wait_for_url(f"{site.address}/console")
    page.get_by_role("button", name="Send it again").click()
    expect(page.get_by_role("status")).to_have_text('Room "Æ" is saved.')


def test_the_first_page_is_light(staff: BrowserContext, site: Site) -> None:
    page, answers = staff.new_page(), list[Response]()

    def note(answer: Response) -> None:
        answers.append(answer)

    page.on("response", note)
    font = page.expect_event("requestfinished", lambda request: request.url.endswith(".woff2"))
    later = [page.expect_response(f"**/console?outlook={part}") for part in ("figures", "forecast")]
    with font, later[0], later[1]:
        page.goto(f"{site.address}/console")
    sizes = {answer.url: len(gzip.compress(answer.body())) for answer in answers}
    fonts = [sizes.pop(url) for url in [*sizes] if url.endswith(".woff2")]  # one, kept for ever by its address
    assert len(fonts) == 1
    assert len(sizes) >= 4
    assert sum(sizes.values()) < MOST_COMPRESSED, sizes
    page.close()


REMEMBER = """note => new MutationObserver(() => { sessionStorage.told ||= note.textContent; })
  .observe(note, { childList: true })"""


def test_a_page_that_takes_longer_than_a_moment_says_so(staff: BrowserContext, site: Site) -> None:
    page = staff.new_page()
    page.goto(f"{site.address}/console")
    page.locator("[data-working]").evaluate(REMEMBER)
    page.route("**/console/reports", lambda route: (page.wait_for_timeout(1500), route.continue_()))
    page.get_by_role("navigation", name="Console").get_by_role("link", name="Reports").click()
    expect(page.get_by_role("heading", name="Reports")).to_be_visible()
    assert page.evaluate("sessionStorage.told") == "Working…"
    expect(page.locator("[data-working]")).to_be_hidden()
    page.close()
