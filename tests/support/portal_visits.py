"""A visitor of a portal's page, in a browser: every step of a booking, by the texts on the page."""

import re
from collections.abc import Iterator
from time import monotonic
from typing import Final

from playwright.sync_api import Frame, Locator, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from meetdeck.pages.texts import get_texts

NAME: Final = "Freja Holm"
EMAIL: Final = "freja@example.com"
TELEPHONE: Final = "+45 70 10 20 30"
_PATIENCE_MS: Final = 30_000
READING_MS: Final = 1_050
"""Nobody fills in a form faster than in a second; the page asks again then."""

_FRAME_FITS: Final = """async () => {
  const fits = () => Math.abs(window.innerHeight - document.documentElement.getBoundingClientRect().height) < 2;
  for (let times = 0; times < 4; times++) {
    if (!fits()) return false;
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  return true;
}"""
"""True once the page around a frame has given it the height of the page in it, and keeps it."""

_MAKE_TAKEN: Final = "button => { button.value = button.value.replace(/^[^~]+/, '2020-01-01T09:00:00Z') }"
"""Makes a button's time one that is no longer available."""


class Visitor:
    """A customer, by what can be read and pressed. `place` is a page, or a frame of one."""

    def __init__(self, place: Page | Frame, portal: str, language: str = "en", topic: str = "Annual review") -> None:
        self.place = place
        self.topic = topic
        """The name of the topic that is chosen unless another is given."""
        self.portal = portal
        """The address of the portal's page."""
        self.translate = get_texts(language).translate
        self._chosen_at = 0.0

    def open(self, query: str = "") -> None:
        """Open the portal's first page."""
        self.place.goto(f"{self.portal}{query}")

    @property
    def heading(self) -> str:
        """Return the page's heading."""
        return self.place.get_by_role("heading", level=1).inner_text()

    def expect(self, heading: str) -> None:
        """Wait for the page with this heading, given in English; AssertionError names the page shown instead."""
        awaited = self.place.get_by_role("heading", level=1, name=self.translate(heading), exact=True)
        try:
            awaited.wait_for(timeout=_PATIENCE_MS)
        except PlaywrightTimeout as error:
            text = self.place.locator("body").inner_text()
            raise AssertionError(f"No page {heading!r}, but {self.place.url}:\n{text}") from error

    def button(self, name: str) -> Locator:
        """Return the button of a name, given in English."""
        return self.place.get_by_role("button", name=self.translate(name), exact=True)

    def press(self, name: str, then: str) -> None:
        """Press a button, and wait for the page with the heading; both are given in English."""
        self.wait_for_frame()
        self.button(name).click()
        self.expect(then)

    def choose_topic(self, name: str = "") -> None:
        """Follow the link of a topic."""
        self.place.get_by_role("link", name=name or self.topic, exact=True).click()
        self.expect("How do you want to meet?")

    def choose_way(self, name: str = "Online") -> None:
        """Follow the link of a meeting type."""
        self.place.get_by_role("link", name=name).click()
        self.expect("Choose a time")

    def wait_for_frame(self) -> None:
        """Wait until a frame has its page's height: buttons move while it grows, and a click then may miss."""
        if isinstance(self.place, Frame):
            self.place.wait_for_function(_FRAME_FITS)

    @property
    def times(self) -> Locator:
        """Return the buttons of the last day that is shown, opened: the first day may be almost over."""
        self.place.locator(".strip > label").last.click()
        self.wait_for_frame()
        return self.place.locator(".strip > .day").last.locator("button[name=time]")

    def choose_time(self, number: int = 0, then: str = "Your details") -> str:
        """Press a button with a time; return the time as the button says it."""
        button = self.times.nth(number)
        sentence = button.get_attribute("aria-label") or ""
        button.click()
        self._chosen_at = monotonic()
        self.expect(then)
        return sentence

    def read(self) -> None:
        """Wait until the form was shown for as long as people take to read it."""
        left = READING_MS - (monotonic() - self._chosen_at) * 1000
        if left > 0:
            self.place.wait_for_timeout(left)

    def type_details(self) -> None:
        """Fill in the form, in the time that people take."""
        self.read()
        self.place.locator("#name").fill(NAME)
        self.place.locator("#email").fill(EMAIL)
        for telephone in self.place.locator("input[type=tel]").all():
            telephone.fill(TELEPHONE)
        for choice in self.place.locator("main select").all():
            choice.select_option(index=1)

    def find_link(self, kind: str) -> str:
        """Return the link of a mail that the test environment keeps, once it exists: `o` is an offer's."""
        page = self.place if isinstance(self.place, Page) else self.place.page
        origin, _, portal = self.portal.partition("/p/")
        ends_at = monotonic() + _PATIENCE_MS / 1000
        while monotonic() < ends_at:
            mails = page.request.get(f"{origin}/dev/mailbox", headers={"Accept": "application/json"}).json()
            for mail in mails:
                if found := re.search(rf"/p/{portal}/{kind}/[\w-]+", mail["text"]):
                    return f"{origin}{found[0]}"
            self.place.wait_for_timeout(200)
        raise AssertionError(f"No mail with a link /{kind}/ came.")

    def reach_times(self) -> None:
        """Walk from the first page to the times."""
        self.open()
        self.choose_topic()
        self.choose_way()

    def reach_check(self) -> str:
        """Walk to the page before the booking; return the time as its button showed it."""
        self.reach_times()
        chosen = self.choose_time()
        self.type_details()
        self.press("Continue", "Check and book")
        return chosen

    def book(self) -> str:
        """Walk until the meeting is booked; return the address of its page."""
        self.reach_check()
        self.press("Book", "Your meeting is booked")
        return self.place.url


def walk(visitor: Visitor) -> Iterator[str]:
    """Take every way through a portal, and report the name of each state that a page is in, once it is shown."""
    yield from _walk_to_a_booking(visitor)
    meeting = visitor.place.url.partition("?")[0]
    yield from _walk_through_changes(visitor, meeting)
    yield from _walk_to_the_end(visitor, meeting)
    yield from _walk_through_an_offer(visitor)


def _walk_to_a_booking(visitor: Visitor) -> Iterator[str]:
    place = visitor.place
    visitor.open()
    yield "topic"
    visitor.choose_topic()
    yield "way"
    visitor.choose_way()
    yield "times"
    times = place.url
    place.goto(f"{times}&days=14&zone=America%2FNew_York")
    yield "more times, in another zone"
    place.goto(f"{times}&date=2199-01-01")
    yield "no times"
    yield from _walk_onto_the_waiting_list(visitor)
    place.goto(times)
    visitor.choose_time()
    yield "details"
    visitor.read()
    visitor.press("Continue", "Your details")
    yield "errors"
    visitor.type_details()
    visitor.press("Keep this time", "Your details")
    yield "kept"
    visitor.press("Choose another time", "Choose a time")
    yield "another time"
    visitor.times.nth(1).evaluate(_MAKE_TAKEN)
    visitor.times.nth(1).click()
    place.get_by_role("alert").wait_for(timeout=_PATIENCE_MS)
    yield "taken"
    visitor.choose_time(1)
    visitor.read()
    visitor.press("Continue", "Check and book")
    yield "check"
    visitor.press("Book", "Your meeting is booked")
    yield "booked"


def _walk_onto_the_waiting_list(visitor: Visitor) -> Iterator[str]:
    place = visitor.place
    place.get_by_role("link", name=visitor.translate("Join the waiting list"), exact=True).click()
    visitor.expect("Join the waiting list")
    yield "wish"
    last_day = place.locator("#to").input_value()
    place.locator("#to").fill("")
    place.locator("#way-Online").uncheck()
    place.wait_for_timeout(READING_MS)
    visitor.press("Join the waiting list", "Join the waiting list")
    yield "errors of a wish"
    place.locator("#to").fill(last_day)
    place.locator("#way-Online").check()
    place.locator("#name").fill(NAME)
    place.locator("#email").fill(EMAIL)
    visitor.press("Join the waiting list", "You are on the waiting list")
    yield "on the waiting list"


def _walk_through_an_offer(visitor: Visitor) -> Iterator[str]:
    """Follow the mail about the time of a meeting that was moved or cancelled."""
    place = visitor.place
    offer = visitor.find_link("o")
    place.goto(offer)
    yield "offer"
    visitor.press("Book this time", "A time for you")
    yield "errors of an offer"
    visitor.press("No, thanks", "You declined this time")
    yield "declined"
    place.goto(offer)
    yield "offer that is over"
    place.get_by_role("link", name=visitor.translate("Your place on the waiting list"), exact=True).click()
    visitor.expect("You are on the waiting list")
    visitor.press("Leave the waiting list", "You have left the waiting list")
    yield "withdrawn"


def _walk_through_changes(visitor: Visitor, meeting: str) -> Iterator[str]:
    place = visitor.place
    place.goto(meeting)
    yield "manage"
    visitor.press("Move", "Choose a new time")
    yield "move"
    visitor.choose_time(2, then="Move the meeting?")
    yield "moving"
    visitor.press("Move", "Your meeting")
    yield "moved"
    visitor.press("Change your details", "Change your details")
    yield "change"
    place.locator("#email").fill("nobody")
    visitor.press("Continue", "Change your details")
    yield "errors of a change"
    place.locator("#email").fill(EMAIL)
    visitor.press("Continue", "Your meeting")
    yield "changed"


def _walk_to_the_end(visitor: Visitor, meeting: str) -> Iterator[str]:
    place = visitor.place
    visitor.press("Cancel the meeting", "Do you want to cancel the meeting?")
    yield "cancel"
    visitor.press("Cancel the meeting", "Your meeting is cancelled")
    yield "cancelled"
    place.goto(meeting)
    yield "410"
    place.goto(f"{visitor.portal}-not")
    yield "404"
