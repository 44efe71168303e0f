"""Ten tasks of customers and staff in Chromium: the pages, clicks, keys, words and milliseconds that each takes.

`python benchmarks/tasks.py` starts an installation with the demo firms, their meetings and an empty firm; `--address
URL` uses one that runs, whose firm then has some more meetings. There, the tenth task needs `--founder`. A choice in a
list counts as a click, and typing into a field as none. The milliseconds are those from each act to the page that it
leads to; nobody reads or thinks in them.
"""

import argparse
import re
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import date, timedelta
from os import getpid
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple
from uuid import uuid4

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from meetdeck.platform.process.clock import now  # noqa: E402 - the tests use it, too
from support.chromium import MISSING, find_chromium  # noqa: E402 - lies in the folder that was just named
from support.console import THOMAS  # noqa: E402 - the same
from support.installation import Installation, install  # noqa: E402 - the same
from support.portal_sites import UNLIMITED  # noqa: E402 - the same

_READING_MS: Final = 1_100
"""Nobody fills in a portal's form faster; the page asks again then."""
_HALF_HOUR: Final = 26


class Cost(NamedTuple):
    """The cost of a task for a person, and its time."""

    task: str
    pages: int
    clicks: int
    keys: int
    words: int
    milliseconds: int


class Hand:
    """A person at a page: everything they do is counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pages = self.clicks = self.keys = self.words = 0
        self.seconds = 0.0
        page.on("domcontentloaded", self._count_page)

    def _count_page(self, _: Page) -> None:
        self.pages += 1

    def start(self, address: str) -> None:
        """Open the page on which a task begins, which does not count."""
        self.page.goto(address, wait_until="networkidle")
        self.pages = self.clicks = self.keys = self.words = 0
        self.seconds = 0.0

    def click(self, what: Locator, then: Locator | None = None) -> None:
        """Click, and wait for what then is to be seen."""
        self.clicks += 1
        self._do(what.click, then)

    def click_at(self, what: Locator, x: float, y: float, then: Locator) -> None:
        """Click at a place."""
        self.clicks += 1
        self._do(lambda: what.click(position={"x": x, "y": y}), then)

    def choose(self, what: Locator, label: str | None = None) -> None:
        """Choose from a list: the first real choice, or that of a label."""
        self.clicks += 1
        self._do(lambda: what.select_option(label=label) if label else what.select_option(index=1))

    def press(self, keys: str, then: Locator | None = None) -> None:
        """Press keys."""
        self.keys += 1
        self._do(lambda: self.page.keyboard.press(keys), then)

    def type(self, what: Locator, text: str, then: Locator | None = None) -> None:
        """Type into a field."""
        self.words += len(text.split())
        self._do(lambda: what.fill(text), then)

    def drag(self, what: Locator, down: int) -> None:
        """Drag something down by some pixels."""
        self.clicks += 1
        box = what.bounding_box()
        if box is None:
            raise AssertionError("What is to be dragged cannot be seen.")
        x, y = box["x"] + 20, box["y"] + 10
        begin = perf_counter()
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x, y + down, steps=6)
        self.page.mouse.up()
        self.seconds += perf_counter() - begin

    def _do(self, act: Callable[[], object], then: Locator | None = None) -> None:
        begin = perf_counter()
        act()
        self.page.wait_for_load_state("load")
        if then is not None:
            expect(then).to_be_visible(timeout=60_000)
        self.seconds += perf_counter() - begin

    def count(self, task: str) -> Cost:
        """Return what the task took."""
        return Cost(task, self.pages, self.clicks, self.keys, self.words, round(self.seconds * 1000))


class Desk(NamedTuple):
    """The pages of an installation: its portal, its console, and a day on which nobody has anything.

    `founder` is the e-mail address of an empty firm's administrator.
    """

    portal: str
    console: str
    day: date
    founder: str


def _heading(page: Page, words: str) -> Locator:
    return page.get_by_role("heading", level=1, name=words)


def _button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def book_as_customer(hand: Hand, desk: Desk) -> str:
    """Book the first topic online at the first time of the last day shown."""
    page = hand.page
    hand.start(desk.portal)
    hand.click(page.locator("main").get_by_role("link", name=re.compile("Annual review")).first)
    hand.click(page.get_by_role("link", name="Online"), _heading(page, "Choose a time"))
    hand.click(page.locator(".strip > label").last)
    hand.click(page.locator(".strip > .day").last.locator("button[name=time]").first, _heading(page, "Your details"))
    page.wait_for_timeout(_READING_MS)
    hand.type(page.locator("#name"), "Freja Holm")
    hand.type(page.locator("#email"), "freja@example.com")
    for telephone in page.locator("input[type=tel][required]").all():
        hand.type(telephone, "+45 70 10 20 30")
    for choice in page.locator("main select[required]").all():
        hand.choose(choice)
    hand.click(_button(page, "Continue"), _heading(page, "Check and book"))
    hand.click(_button(page, "Book"), _heading(page, "Your meeting is booked"))
    return page.url.partition("?")[0]


def move_as_customer(hand: Hand, meeting: str) -> None:
    """Move the meeting to another of the offered times."""
    page = hand.page
    hand.start(meeting)
    hand.click(_button(page, "Move"), _heading(page, "Choose a new time"))
    hand.click(page.locator(".strip > label").last)
    hand.click(
        page.locator(".strip > .day").last.locator("button[name=time]").nth(2), _heading(page, "Move the meeting?")
    )
    hand.click(_button(page, "Move"), _heading(page, "Your meeting"))


def cancel_as_customer(hand: Hand, meeting: str) -> None:
    """Cancel the meeting from its page, to which every mail links."""
    page = hand.page
    hand.start(meeting)
    hand.click(_button(page, "Cancel the meeting"), _heading(page, "Do you want to cancel the meeting?"))
    hand.click(_button(page, "Cancel the meeting"), _heading(page, "Your meeting is cancelled"))


def book_as_staff(hand: Hand, desk: Desk) -> None:
    """Book a customer in the card of an empty half hour."""
    page = hand.page
    hand.start(f"{desk.console}/calendar?view=day&day={desk.day}")
    card = page.get_by_role("dialog")
    hand.click_at(page.locator(".ec-body .ec-day").first, 40, 3 * _HALF_HOUR + 9, card)
    hand.type(card.get_by_label("Customer's name"), "Agnes Skov")
    hand.type(card.get_by_label("E-mail"), "agnes@example.com")
    hand.click(card.get_by_role("button", name="Book"), page.get_by_role("status").filter(has_text="is booked"))


def drag_and_undo(hand: Hand, desk: Desk) -> None:
    """Drag the meeting that was just booked, and take it back."""
    page = hand.page
    hand.start(f"{desk.console}/calendar?view=day&day={desk.day}")
    hand.drag(page.locator(".ec-event", has_text="Agnes Skov").first, 4 * _HALF_HOUR)
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_visible(timeout=60_000)
    hand.click(undo, page.get_by_role("status").filter(has_text="as it was before"))


def give_away(hand: Hand, desk: Desk) -> None:
    """Enter an absence in an advisor's calendar, and give the meetings in it to others."""
    page = hand.page
    hand.start(f"{desk.console}/calendar?view=day&day={desk.day}")
    card = page.get_by_role("dialog")
    hand.click_at(page.locator(".ec-body .ec-day").first, 40, 9, card)
    hand.click(card.get_by_role("link", name="Add an absence"), _heading(page, "Add an absence"))
    hand.type(page.get_by_label("From", exact=True), "")
    hand.click(_button(page, "Check"), _heading(page, "Check the absence"))
    hand.click(_button(page, "Add the absence"), _heading(page, "Meetings of absent people"))
    hand.click(_button(page, "Reassign the meetings"), page.get_by_role("status").filter(has_text="reassigned"))


def prepare_deck(hand: Hand, desk: Desk) -> None:
    """Make a deck of a meeting's own facts, from the first template that there is."""
    page = hand.page
    hand.start(f"{desk.console}/calendar?view=list&whose=location.Aarhus")
    page.locator("a[href*='/calendar/meetings/']").last.click()
    hand.start(page.url)
    hand.click(page.locator("section.deck").get_by_role("link").first)
    if page.locator(".card h2 a, .cards h2 a").count():
        hand.click(page.locator(".card h2 a, .cards h2 a").first)
    while not page.get_by_role("button", name="Make the deck").last.is_visible():
        hand.click(page.locator("main form .buttons button").first)
    make = page.locator("form .buttons").get_by_role("button", name=re.compile("Make the deck|Create it anyway"))
    hand.click(make.first)
    anyway = page.get_by_role("button", name="Create it anyway")
    if anyway.count():
        hand.click(anyway)
    expect(page.locator("a[download]").first).to_be_visible(timeout=60_000)


def find_meetings(hand: Hand, desk: Desk) -> None:
    """Find all meetings of a customer from any page."""
    page = hand.page
    hand.start(f"{desk.console}/reports")
    palette = page.locator("[data-palette] input")
    hand.press("Control+k", palette)
    first = page.locator("[data-found] a[href*='/calendar/customer']").first
    hand.type(palette, "agnes", first)
    hand.press("Enter", page.locator("main ol, main ul").first)
    page.wait_for_url("**/calendar/customer?**")


def find_reason(hand: Hand, desk: Desk) -> None:
    """Learn why an advisor cannot be booked in the evening, and where that is set."""
    page = hand.page
    hand.start(f"{desk.console}/calendar?view=week&day={desk.day}")
    card = page.get_by_role("dialog")
    sunday = page.locator(".ec-body .ec-day").last
    hand.click_at(sunday, 20, 4 * _HALF_HOUR + 9, card.get_by_role("link", name="Where this is set"))


def publish_portal(hand: Hand, desk: Desk) -> None:
    """Load the example into an empty firm, and look at its portal, which opens in another tab."""
    page = hand.page
    hand.start(desk.console)
    look = page.get_by_role("link", name="Open the page")
    hand.click(_button(page, "Load an example"), look)
    with page.expect_popup() as opened:
        hand.click(look)
    expect(opened.value.get_by_role("heading", level=1)).to_be_visible(timeout=60_000)


def _sign_in(browser: Browser, desk: Desk, user: str) -> Hand:
    """Return somebody who has signed in to the console."""
    page = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 900}).new_page()
    page.goto(desk.console)
    page.locator(f"button[value='{user}']").click()
    page.wait_for_url(desk.console)
    return Hand(page)


def measure(browser: Browser, desk: Desk) -> Generator[Cost]:
    """Do every task, in an order in which each has what it needs; yield what it took."""
    customer = Hand(browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 900}).new_page())
    meeting = book_as_customer(customer, desk)
    yield customer.count("book as a customer")
    move_as_customer(customer, meeting)
    yield customer.count("move as a customer")
    cancel_as_customer(customer, meeting)
    yield customer.count("cancel as a customer")
    staff = _sign_in(browser, desk, THOMAS)
    for words, task in (
        ("book for a customer as staff", book_as_staff),
        ("move by drag, and undo", drag_and_undo),
        ("find a customer's meetings", find_meetings),
        ("find why a time is missing", find_reason),
        ("enter an absence, give meetings away", give_away),
        ("prepare a deck", prepare_deck),
    ):
        task(staff, desk)
        yield staff.count(words)
    if desk.founder:
        first = _sign_in(browser, desk, desk.founder)
        publish_portal(first, desk)
        yield first.count("publish a portal from an empty firm")


@contextmanager
def _find_desk(address: str, founder: str) -> Generator[Desk]:
    """Lend an installation that runs, or one of our own."""
    day = now().date() + timedelta(weeks=5 + getpid() % 20)  # each time another, which is empty
    day -= timedelta(days=day.weekday())
    if address:
        yield Desk(f"{address}/p/nordlys", f"{address}/console", day, founder)
        return
    with install() as installation:
        installation.settings |= UNLIMITED
        installation.start("--migrate", "--demo-meetings", anew=True)
        here = installation.address
        yield Desk(f"{here}/p/nordlys", f"{here}/console", day, _found_firm(installation))


def _found_firm(installation: Installation) -> str:
    """Add an empty firm; return the e-mail address of its administrator."""
    email, tenant = "founder@bank.example", str(uuid4())
    user = ("--tenant", tenant, "--name", "A Founder", "--email", email, "--role", "admin")
    for arguments in (("tenant", "create", "A new bank", "--id", tenant), ("user", "create", *user)):
        done = installation.command(*arguments, "--json")
        if done.returncode:
            raise SystemExit(done.stderr)
    return email


def main() -> None:
    """Print a row for each task."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--address", default="")
    parser.add_argument(
        "--founder",
        default="",
        help="with --address: the e-mail of an empty firm's administrator (`meetdeck user create`)",
    )
    given = parser.parse_args()
    path = find_chromium()
    if path is None:
        raise SystemExit(f"The tasks cannot be measured: {MISSING}.")
    with _find_desk(given.address, given.founder) as desk, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        print("| task | pages | clicks | keys | words | ms |\n|---|---|---|---|---|---|")
        for cost in measure(browser, desk):
            print(f"| {' | '.join(map(str, cost))} |", flush=True)


if __name__ == "__main__":
    main()
