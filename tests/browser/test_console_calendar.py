"""The calendar's grid in a browser: accessible, meetings are dragged, and what is refused goes back with the reason."""

import re
from datetime import UTC, date, datetime, timedelta
from itertools import product
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from meetdeck.platform.process.clock import now
from support.accessibility import AXE, look, require_accessible
from support.console_browser import sign_in
from support.portal_sites import Site

VIEWS = {
    "a week": "view=week",
    "a day of a location": "view=day&whose=location.Aarhus",
    "a week of a location": "view=week&whose=location.Aarhus",
    "a timeline": "view=timeline&whose=location.Aarhus",
    "a list": "view=list",
}
ZONE = ZoneInfo("Europe/Copenhagen")
HALF_HOUR = 26
"""The height of half an hour in the grid, in pixels."""
LONG_TITLES = (
    "Pensionsopsparingsrådgivningssamtaleforberedelsesmøde",
    "Annual review of the pension, the insurances, the house and the inheritance, with both of your advisers",
)
_LIST_SPILLING = """() => [...document.querySelectorAll(".grid .ec-event, .chip")].flatMap(event => {
  const box = event.getBoundingClientRect();
  const clips = getComputedStyle(event).overflowY === "clip";
  const texts = event.querySelectorAll(".grid-first, .grid-about, .grid-name, .grid-time, .chip > b, .chip > span");
  return [...texts].filter(line => {
    const shown = line.getBoundingClientRect();
    const spills = shown.right > box.right + 1 || shown.bottom > box.bottom + 1;
    const height = Math.min(shown.bottom, box.bottom) - shown.top;
    return line.matches(".grid-first") && height < 8 || spills && !clips;
  }).map(line => `${event.innerText}: ${line.className}`);
})"""
"""Lists the texts of meetings that are drawn outside of their boxes, and first lines that are not seen."""


def show_hour(day: str, hour: int) -> str:
    """Return an hour of UTC by the firm's clock, which differs with the season."""
    return f"{datetime.fromisoformat(day).replace(hour=hour, tzinfo=UTC).astimezone(ZONE):%H:%M}"


def book(site: Site, day: str, begin: int, title: str, minutes: int = 60) -> str:
    """Book the first advisor at an hour of UTC; return the advisor's id."""
    url = f"{site.address}/api/v3/booking"
    advisor = site.api.get(f"{url}/employees").json()[0]["id"]
    meeting: dict[str, Any] = {
        "employeeId": advisor,
        "startDate": f"{day}T{begin:02}:00:00Z",
        "endDate": f"{day}T{begin + minutes // 60:02}:{minutes % 60:02}:00Z",
        "type": "Online",
        "customerId": str(uuid4()),
        "title": title,
        "externalAttendees": [{"name": "Alexandrine-Wilhelmine af Rosenborg", "email": "a@example.com"}],
    }
    site.api.post(f"{url}/meetings", json=meeting).raise_for_status()
    return advisor


def drag(page: Page, title: str, half_hours: int) -> None:
    """Drag a meeting down by half hours."""
    box = page.locator(".ec-event", has_text=title).first.bounding_box()
    assert box is not None
    x, y = box["x"] + 20, box["y"] + 12
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + half_hours * HALF_HOUR, steps=8)
    page.mouse.up()


def list_spilling(page: Page) -> dict[str, list[str]]:
    """Return the texts that are outside of their boxes, by the size of the page: a phone, 200 % and a laptop."""
    found: dict[str, list[str]] = {}
    for width, height in ((390, 844), (640, 400), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        if spilling := page.evaluate(_LIST_SPILLING):
            found[f"{width}x{height}"] = spilling
    return found


@pytest.fixture(scope="module")
def filled_day(site: Site) -> str:
    """Return a Wednesday on which the first advisor has a meeting, a time that is busy, and meetings of long titles."""
    day = (now() + timedelta(days=47)).date()
    day += timedelta(days=(2 - day.weekday()) % 7)
    advisor = book(site, day.isoformat(), 8, "A first talk")
    busy = {"startDate": f"{day}T11:00:00Z", "endDate": f"{day}T12:00:00Z", "employeeId": advisor, "status": "Busy"}
    site.api.post(f"{site.address}/api/v3/booking/time-slots", json=busy).raise_for_status()
    # A quarter of an hour right beside another meeting is a smaller target than WCAG 2.5.8 wants: its place is a time.
    for hour, (title, minutes) in enumerate(product(LONG_TITLES, (60, 30, 15)), start=12):
        book(site, day.isoformat(), hour, title, minutes)
    return day.isoformat()


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.thorough] if name == "a week of a location" else []) for name in VIEWS],
)
def test_a_view_is_accessible_in_all_colors_and_sizes(
    name: str, staff: BrowserContext, site: Site, filled_day: str
) -> None:
    if not AXE.exists():
        pytest.skip("no axe-core here: `make setup` installs it by npm")
    page = staff.new_page()
    page.goto(f"{site.address}/console/calendar?{VIEWS[name]}&day={filled_day}")
    expect(page.get_by_role("link", name="Alexandrine").first).to_be_visible()
    expect(page.get_by_text("Busy").first).to_be_visible()
    require_accessible(look(page, name))
    if name != "a list":
        assert list_spilling(page) == {}
    page.close()


def test_a_meeting_is_dragged_and_a_refused_drag_goes_back_with_the_reason(staff: BrowserContext, site: Site) -> None:
    day = (now() + timedelta(days=40)).date()
    day += timedelta(days=(1 - day.weekday()) % 7)
    advisor = book(site, day.isoformat(), 8, "Dragged")
    book(site, day.isoformat(), 11, "In the way")
    page = staff.new_page()
    page.goto(f"{site.address}/console/calendar?whose=employee.{advisor}&day={day}")
    expect(page.locator(".grid-cursor")).to_be_attached()
    dragged = page.locator(".ec-event", has_text="Dragged").first
    before = dragged.locator(".grid-time").inner_text()
    with page.expect_response("**/drag") as moved:
        drag(page, "Dragged", 2)
    assert moved.value.status == 200
    expect(dragged.locator(".grid-time")).not_to_have_text(before)
    after = dragged.locator(".grid-time").inner_text()
    page.reload()
    expect(page.locator(".grid-cursor")).to_be_attached()
    expect(dragged.locator(".grid-time")).to_have_text(after)
    with page.expect_response("**/drag") as refused:
        drag(page, "Dragged", 4)
    assert refused.value.status == 409
    expect(page.get_by_role("alert")).to_contain_text("no longer available")
    expect(dragged.locator(".grid-time")).to_have_text(after)
    expect(page.get_by_role("status").filter(has_text="The meeting is moved. Everyone who takes part")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status").filter(has_text="The change was undone")).to_be_visible()
    page.close()


def test_a_meeting_is_dragged_to_another_day_of_a_week_of_several(staff: BrowserContext, site: Site) -> None:
    day = (now() + timedelta(days=75)).date()
    day += timedelta(days=(0 - day.weekday()) % 7)
    book(site, day.isoformat(), 8, "From Monday")
    page = staff.new_page()
    page.goto(f"{site.address}/console/calendar?whose=location.Aarhus&view=week&day={day}")
    chip = page.locator(".chip", has_text="Alexandrine").first
    expect(page.locator(f"td[data-day='{day}'] .chip")).to_have_count(1)
    target = page.locator("tr", has=chip).locator("td").nth(2)
    with page.expect_navigation():
        chip.drag_to(target)
    expect(page.locator(f"td[data-day='{day + timedelta(days=2)}'] .chip")).to_contain_text(
        show_hour(day.isoformat(), 8)
    )
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    page.close()


def test_a_half_hour_opens_a_card_where_it_is_and_the_arrow_keys_walk(staff: BrowserContext, site: Site) -> None:
    empty_day = (now() + timedelta(days=200)).date()  # no test books so late
    empty_day -= timedelta(days=empty_day.weekday())
    page = staff.new_page()
    page.goto(f"{site.address}/console/calendar?day={empty_day}")
    expect(page.locator(".grid-cursor")).to_be_attached()
    card = page.get_by_role("dialog")
    page.locator(".ec-body .ec-day").first.click(position={"x": 20, "y": 5 * HALF_HOUR + 9})
    expect(card).to_contain_text("is free until")
    box = card.bounding_box()
    assert box is not None
    day = page.locator(".ec-body .ec-day").first.bounding_box()
    assert day is not None
    assert abs(box["x"] - day["x"]) < 60
    expect(card.get_by_role("link", name="More choices")).to_have_attribute(
        "href", re.compile(r"/console/book\?employee=")
    )
    expect(card.get_by_role("link", name="Add an absence")).to_be_visible()
    card.get_by_role("button", name="Book").click()
    expect(card.get_by_label("Customer's name")).to_be_focused()
    expect(card).to_contain_text("Enter the customer's name.")
    require_accessible(look(page, "a card with what is wrong"))
    card.get_by_label("Meeting topic").focus()
    with page.expect_response("**/calendar/time"):
        card.get_by_label("Meeting topic").select_option(label="Buying a home")
    expect(card.get_by_label("Meeting topic")).to_be_focused()
    card.get_by_label("Customer's name").fill("Quick Customer")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="The meeting is booked.")).to_be_visible()
    expect(page.locator(".ec-event", has_text="Quick Customer")).to_be_visible()
    page.locator(".ec-body .ec-day").first.click(position={"x": 20, "y": 1 * HALF_HOUR + 9})
    expect(card).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    cursor = page.locator(".grid-cursor")
    cursor.focus()
    before = cursor.get_attribute("aria-label")
    for key in ("ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(cursor).to_have_attribute("aria-label", re.compile("Tuesday.*09:30"))
    assert before != cursor.get_attribute("aria-label")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(card).to_contain_text("Sunday")
    expect(card.get_by_role("link", name="Where this is set")).to_be_visible()
    page.keyboard.press("Escape")
    expect(cursor).to_be_focused()
    page.close()


def test_now_is_a_line_by_the_clock_of_the_firm(staff: BrowserContext, site: Site) -> None:
    page = staff.new_page()
    noon = now().astimezone(ZONE).replace(hour=12, minute=0, second=0, microsecond=0)
    page.clock.set_fixed_time(noon)
    page.goto(f"{site.address}/console/calendar?view=day")
    cursor, line = page.locator(".grid-cursor"), page.locator(".now-line")
    expect(line).to_be_visible()
    cursor.focus()
    while f"{noon:%H:%M}" not in (cursor.get_attribute("aria-label") or ""):
        page.keyboard.press("ArrowDown")
    at, shown = cursor.bounding_box(), line.bounding_box()
    assert at is not None
    assert shown is not None
    assert abs(shown["y"] - at["y"]) < 4
    page.close()


def test_the_end_of_a_move_follows_its_begin_and_labels_say_both_in_the_pages_words(
    browser: Browser, site: Site, filled_day: str
) -> None:
    context = browser.new_context(locale="en-US")  # whose fields have the month first, and a clock of twelve hours
    page = context.new_page()
    sign_in(page, site)
    page.goto(f"{site.address}/console/calendar?view=list&day={filled_day}")
    page.get_by_role("link", name="Alexandrine").first.click()
    begin, end = page.get_by_label("From"), page.get_by_label("To", exact=True)
    expect(begin).to_have_value(show_hour(filled_day, 8))
    expect(end).to_have_value(show_hour(filled_day, 9))
    begin.fill("13:15")
    expect(end).to_have_value("14:15")
    end.fill("14:45")
    begin.fill("12:15")
    expect(end).to_have_value("13:45")
    day = date.fromisoformat(filled_day) + timedelta(days=1)
    page.get_by_label("Day", exact=True).fill(day.isoformat())
    for name, words in {"day": rf"{day:%a},? {day.day} {day:%b}t?", "begin": "12:15", "end": "13:45"}.items():
        expect(page.locator(f"label[for={name}]")).to_have_attribute("data-shown", re.compile(f"^{words}$"))
    context.close()
