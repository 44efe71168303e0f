"""The whole journey at a portal's page: without scripts, in Danish on a phone, with nothing but a keyboard."""

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from playwright.sync_api import Browser, BrowserContext, Page

from meetdeck.pages.texts import get_texts
from support.portal_facts import TOLD, read_facts, require_told
from support.portal_sites import Site
from support.portal_visits import EMAIL, NAME, READING_MS, TELEPHONE, Visitor, walk

MOST_TABS = 80
CATALOGUE = Path(__file__).parents[2] / "src/meetdeck/pages/catalogues/da.po"
_NAME_OF_FOCUS = """() => {
    const element = document.activeElement;
    return [element.getAttribute("aria-label"), element.labels?.[0]?.innerText, element.innerText]
        .find(Boolean)?.replace(/\\s+/g, " ").trim() ?? "";
}"""
_IS_FOCUS_SEEN = """() => [document.activeElement, document.activeElement.closest(".ds-card, .ds-field")]
    .filter(Boolean).some(element => {
        const style = getComputedStyle(element);
        const appears = element.matches(".ds-skip-link");  // it is there as long as it has the focus
        return appears || style.outlineStyle !== "none" || style.boxShadow !== "none";
    })"""


@pytest.mark.thorough
def test_without_scripts_a_meeting_is_booked_moved_changed_and_cancelled(browser: Browser, site: Site) -> None:
    context = browser.new_context(java_script_enabled=False, locale="en-GB")
    visitor = Visitor(context.new_page(), site.make_portal("whole-without-scripts"))
    facts = {state: read_facts(visitor.place) for state in walk(visitor) if state in TOLD}
    context.close()
    require_told(facts)


def test_what_was_typed_is_the_meetings(site: Site, page: Page) -> None:
    portal = site.make_portal("typed")
    visitor = Visitor(page, portal)
    known = {meeting["id"] for meeting in site.list_meetings()}
    visitor.open("?campaign=autumn")
    visitor.choose_topic()
    visitor.choose_way()
    visitor.choose_time()
    visitor.type_details()
    page.get_by_label("What would you like to talk about?").fill("My pension")
    visitor.press("Continue", "Check and book")
    visitor.press("Book", "Your meeting is booked")
    (meeting,) = (meeting for meeting in site.list_meetings() if meeting["id"] not in known)
    assert meeting["externalAttendees"] == [{"name": NAME, "email": EMAIL}]
    answers = {answer["key"]: answer["value"] for answer in meeting["customFields"]}
    assert answers == {
        "phone": TELEPHONE,
        "about": "My pension",
        "heard": "From a friend",
        "call": "false",
        "campaign": "autumn",
    }


@pytest.mark.thorough  # the widths: test_states; the texts: tests/unit/pages/test_texts.py
def test_somebody_danish_books_on_a_phone(browser: Browser, site: Site) -> None:
    context = browser.new_context(
        locale="da-DK", viewport={"width": 320, "height": 640}, is_mobile=True, has_touch=True, device_scale_factor=2
    )
    page = context.new_page()
    danish = get_texts("da")
    english = {text for text in list_english() if danish.translate(text) != text}
    assert len(english) > 60
    left: dict[str, set[str]] = {}
    for state in walk(Visitor(page, site.make_portal("telefon"), "da")):
        lines = {line.strip() for line in page.locator("body").inner_text().splitlines()}
        if lines & english:
            left[state] = lines & english
        assert page.locator("html").get_attribute("lang") == "da"
    context.close()
    assert left == {}


def list_english() -> list[str]:
    """Return the texts of portals' pages as the code has them, without those that have values in them."""
    with CATALOGUE.open("rb") as file:
        messages = read_po(file, locale="da")
    texts = [one.id for one in messages if any(name.startswith("portal/") for name, _ in one.locations)]
    return [text for text in texts if isinstance(text, str) and "{" not in text]


# ---------------------------------------------------------------------------------------------------------- keyboard


def tab_to(page: Page, name: str) -> None:
    """Press Tab until what has the focus is called so; it must be seen where the focus is, all the way."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        assert page.evaluate(_IS_FOCUS_SEEN), page.evaluate(_NAME_OF_FOCUS)
        if re.fullmatch(name, page.evaluate(_NAME_OF_FOCUS)):
            return
    raise AssertionError(f"there is no way to {name} by the keyboard")


def enter(page: Page, name: str, then: str) -> None:
    """Go to a link or button by Tab, and press Enter."""
    tab_to(page, name)
    page.keyboard.press("Enter")
    Visitor(page, "").expect(then)


def type_into(page: Page, label: str, text: str) -> None:
    tab_to(page, label)
    page.keyboard.type(text)


def test_somebody_with_a_keyboard_alone_books_moves_and_cancels(site: Site, page: Page) -> None:
    visitor = Visitor(page, site.make_portal("keys"))
    visitor.open()
    tab_to(page, "Skip to the content")
    page.keyboard.press("Enter")
    enter(page, "Annual review", "How do you want to meet?")
    enter(page, "Online", "Choose a time")
    enter(page, r".+, \d\d:\d\d to \d\d:\d\d, online, with .+", "Your details")
    type_into(page, "Your name", NAME)
    type_into(page, "Your e-mail address", EMAIL)
    type_into(page, "Telephone", TELEPHONE)
    type_into(page, r"How did you hear of us\? \(optional\)", "In the n")
    page.wait_for_timeout(READING_MS)
    enter(page, "Continue", "Check and book")
    assert "In the news" in page.locator("main").inner_text()
    enter(page, "Book", "Your meeting is booked")
    enter(page, "Move", "Choose a new time")
    enter(page, r".+, \d\d:\d\d to \d\d:\d\d, online, with .+", "Move the meeting?")
    enter(page, "Move", "Your meeting")
    enter(page, "Cancel the meeting", "Do you want to cancel the meeting?")
    enter(page, "Cancel the meeting", "Your meeting is cancelled")


def test_errors_lead_to_their_fields(site: Site, page: Page) -> None:
    visitor = Visitor(page, site.make_portal("errors"))
    visitor.reach_times()
    visitor.choose_time()
    page.locator("#name").fill("F")
    visitor.read()
    visitor.press("Continue", "Your details")
    links = page.get_by_role("group", name="There is a problem").get_by_role("link")
    assert links.all_inner_texts() == ["Enter an e-mail address like name@example.com.", "Fill in “Telephone”."]
    links.nth(1).focus()
    page.keyboard.press("Enter")
    field = page.get_by_label("Telephone")
    assert field.evaluate("field => field === document.activeElement")
    assert field.get_attribute("aria-invalid") == "true"
    described = field.get_attribute("aria-describedby") or ""
    assert page.locator(f"#{described}").inner_text() == "Fill in “Telephone”."
    assert page.locator("#name").input_value() == "F"


def test_a_customer_signs_in_and_books_with_the_time_held_meanwhile(site: Site, page: Page) -> None:
    visitor = Visitor(page, site.make_portal("known", authenticationType="IdentityProvider"))
    visitor.reach_times()
    visitor.choose_time(then="Sign in")
    page.get_by_role("button", name="Continue", exact=True).click()
    page.get_by_role("button", name="Mette").click()
    visitor.expect("Your details")
    assert page.get_by_text("Mette Kjær").is_visible()
    assert "Held for you until" in page.locator(".hold").inner_text()
    page.get_by_label("Telephone").fill(TELEPHONE)
    visitor.read()
    visitor.press("Continue", "Check and book")
    visitor.press("Book", "Your meeting is booked")


# -------------------------------------------------------------------------------------------------------------- hold


def test_the_time_that_is_left_is_shown_and_its_end_is_announced(site: Site, context: BrowserContext) -> None:
    page = context.new_page()
    visitor = Visitor(page, site.make_portal("clock"))
    visitor.reach_times()
    page.clock.install()
    visitor.choose_time()
    left, notice = page.locator(".countdown"), page.locator(".hold [role=status]")
    page.clock.run_for(60_000)
    assert re.fullmatch(r"\((3:5\d|4:00) left\)", left.inner_text())
    assert notice.inner_text() == ""
    page.clock.run_for(185_000)
    assert notice.inner_text() == "The time is held for one more minute. “Keep this time” gives you five more."
    page.clock.run_for(60_000)
    ended = "The time is no longer held. “Keep this time” holds it again if it is still free."
    assert notice.inner_text() == ended
    visitor.press("Keep this time", "Your details")
    assert re.fullmatch(r"\((4:5\d|5:00) left\)", left.inner_text())
