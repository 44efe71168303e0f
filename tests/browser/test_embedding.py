"""A portal in a frame of another site, with the very snippet of docs/portals.md."""

import re
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Frame, Locator, Page, Playwright, expect

from support.chromium import MISSING, find_chromium
from support.host_pages import HostPages, serve_host_pages
from support.portal_sites import Site
from support.portal_visits import Visitor

GUIDE: Final = Path(__file__).parents[2] / "docs/portals.md"
ADDRESS: Final = "https://meetdeck.example"
_KEEP_MESSAGES: Final = """<script>
  window.told = [];
  window.addEventListener("message", (event) => window.told.push({origin: event.origin, ...event.data}));
</script>"""


def read_snippet(portal: str) -> str:
    """Return the snippet of the guide, for a portal of an installation."""
    (snippet,) = re.findall(r"```html\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert f"{ADDRESS}/p/nordlys" in snippet
    return snippet.replace(f"{ADDRESS}/p/nordlys", portal).replace(ADDRESS, portal.partition("/p/")[0])


def list_messages(page: Page, kind: str) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = page.evaluate("window.told")
    return [message for message in told if message.get("type") == kind]


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Generator[Browser]:
    """Lend a browser that keeps the cookies of other sites from frames."""
    path = find_chromium()
    if path is None:
        pytest.skip(MISSING)
    browser = playwright.chromium.launch(executable_path=path, args=["--test-third-party-cookie-phaseout"])
    yield browser
    browser.close()


@pytest.fixture
def host() -> Generator[HostPages]:
    with serve_host_pages() as host:
        yield host


def embed(site: Site, host: HostPages, address: str, *, hosts: list[str] | None = None, **members: Any) -> str:
    """Put a portal into the host's page; return the portal's address, which is of another site."""
    portal = site.make_portal(address, embedHosts=[host.host] if hosts is None else hosts, **members)
    portal = portal.replace("127.0.0.1", "localhost")
    host.html = f"<!doctype html><title>Nordlys</title><h1>Welcome</h1>{_KEEP_MESSAGES}{read_snippet(portal)}"
    return portal


def find_frame(page: Page, portal: str) -> Frame:
    return next(frame for frame in page.frames if frame.url.startswith(portal))


def test_frames_of_other_sites_have_no_cookies_in_this_browser(host: HostPages, page: Page) -> None:
    cookies = f"http://localhost:{host.port}/cookies"
    host.html = f'<iframe src="{cookies}"></iframe>'
    page.goto(host.address)
    page.goto(host.address)
    assert find_frame(page, cookies).locator("body").inner_text() == "cookies: none"
    page.goto(cookies)
    page.goto(cookies)
    assert page.locator("body").inner_text() == "cookies: seen=yes"


def test_a_meeting_is_booked_in_the_frame_and_its_page_is_told(site: Site, host: HostPages, page: Page) -> None:
    portal = embed(site, host, "framed")
    page.goto(host.address)
    visitor = Visitor(find_frame(page, portal), portal)
    known = {meeting["id"] for meeting in site.list_meetings()}
    visitor.choose_topic()
    visitor.choose_way()
    visitor.choose_time()
    visitor.place.wait_for_function("() => document.activeElement.matches('h1')")
    visitor.type_details()
    visitor.press("Continue", "Check and book")
    assert list_messages(page, "booked") == []
    visitor.press("Book", "Your meeting is booked")
    (meeting,) = (each for each in site.list_meetings() if each["id"] not in known)
    origin = portal.partition("/p/")[0]
    (booked,) = list_messages(page, "booked")
    assert booked == {"origin": origin, "source": "meetdeck", "type": "booked", "meetingId": meeting["id"]}
    visitor.button("Close").click()
    page.wait_for_function("window.told.some(message => message.type === 'closed')")
    (closed,) = list_messages(page, "closed")
    assert closed == {"origin": origin, "source": "meetdeck", "type": "closed"}
    visitor.press("Move", "Choose a new time")
    visitor.choose_time(1, then="Move the meeting?")
    visitor.press("Move", "Your meeting")
    assert len(list_messages(page, "booked")) == 1


@pytest.mark.thorough
def test_a_booking_in_the_frame_waits_until_its_mail_is_confirmed_in_another_browser(
    browser: Browser, site: Site, host: HostPages, page: Page
) -> None:
    """The frame has no cookies, and the mail's link is opened where nothing of the visit is known."""
    portal = embed(site, host, "framed-confirmed", confirmEmail=True)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(host.address)
    visitor = Visitor(find_frame(page, portal), portal)
    visitor.choose_topic()
    visitor.choose_way()
    visitor.choose_time()
    visitor.type_details()
    visitor.press("Continue", "Check and book")
    visitor.press("Book", "Confirm your e-mail address")
    visitor.press("I have confirmed", "Confirm your e-mail address")
    problem = visitor.place.get_by_role("group", name="There is a problem")
    expect(problem).to_contain_text("not confirmed yet")
    expect(problem).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert list_messages(page, "booked") == []
    elsewhere = browser.new_context(locale="en-GB")
    reader = Visitor(elsewhere.new_page(), portal)
    reader.place.goto(visitor.find_link("c"))
    reader.expect("Confirm and book")
    reader.press("Confirm and book", "Your meeting is booked")
    elsewhere.close()
    visitor.press("I have confirmed", "Your meeting is booked")
    (booked,) = list_messages(page, "booked")
    assert booked["meetingId"] in {meeting["id"] for meeting in site.list_meetings()}
    assert page.context.cookies(portal) == []


def test_leaving_without_a_booking_is_told_as_closed(site: Site, host: HostPages, page: Page) -> None:
    portal = embed(site, host, "left")
    page.goto(host.address)
    visitor = Visitor(find_frame(page, portal), portal)
    visitor.choose_topic()
    visitor.choose_way()
    visitor.choose_time()
    visitor.press("Leave without booking", "Nothing was booked")
    page.wait_for_function("window.told.some(message => message.type === 'closed')")
    assert list_messages(page, "booked") == []


def test_the_frame_grows_and_shrinks_with_its_page(site: Site, host: HostPages, page: Page) -> None:
    portal = embed(site, host, "growing")
    page.goto(host.address)
    frame = page.locator("iframe")
    visitor = Visitor(find_frame(page, portal), portal)
    heights = [settle(frame)]
    visitor.choose_topic()
    heights.append(settle(frame))
    visitor.choose_way()
    heights.append(settle(frame))
    assert heights[0] > heights[1] < heights[2]
    page.set_viewport_size({"width": 500, "height": 800})  # what is beside the times is below them now
    heights.append(settle(frame))
    assert heights[3] > heights[2]
    told = [message["height"] for message in list_messages(page, "height")]
    assert told[-1] == heights[3]
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def settle(frame: Locator) -> int:
    """Return the frame's height, once it is that of the page in it."""
    height, same = 0, 0
    while same < 4:
        frame.page.wait_for_timeout(100)
        now = round((frame.bounding_box() or {"height": 0})["height"])
        height, same = now, same + 1 if now == height else 0
    return height


def test_a_site_that_is_not_named_cannot_show_it(site: Site, host: HostPages, page: Page) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    portal = embed(site, host, "closed", hosts=["www.nordlys.example"])
    page.goto(host.address)
    page.wait_for_timeout(500)
    assert any("frame-ancestors" in text for text in said), said
    assert all(not frame.url.startswith(portal) for frame in page.frames)
    assert list_messages(page, "height") == []
    link = page.get_by_role("link", name="Book a meeting")
    assert link.get_attribute("href") == portal
    link.press("Enter")
    Visitor(page, portal).expect("What is it about?")


def test_another_site_around_the_named_one_is_told_nothing(site: Site, host: HostPages, page: Page) -> None:
    """A page that shows the named site in a frame of its own is an ancestor too, and is not named."""
    portal = embed(site, host, "nested")
    with serve_host_pages() as outer:
        outer.html = f'<iframe src="{host.address}" width="800" height="800"></iframe>'
        page.goto(outer.address)
        page.wait_for_timeout(500)
        assert all(not frame.url.startswith(portal) for frame in page.frames)
