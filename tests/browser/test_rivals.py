"""Twenty customers press the button of one time at one moment: three in browsers, the others by HTTP."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Final

import httpx
import pytest
from playwright.sync_api import Browser

from support.portal_forms import FormVisitor
from support.portal_sites import Site
from support.portal_visits import Visitor

IN_BROWSERS: Final = 3
BY_HTTP: Final = 17
TAKEN: Final = "Someone else has taken that time. Choose another; your entries are kept."


@pytest.mark.thorough
def test_one_of_twenty_gets_a_time_and_the_others_choose_again_with_their_forms_kept(
    browser: Browser, site: Site
) -> None:
    portal = site.make_portal("rivals", fields=[])
    pages = [browser.new_context(locale="en-GB").new_page() for _ in range(IN_BROWSERS)]
    visitors = [Visitor(page, portal) for page in pages]
    visitors[0].reach_times()
    times = pages[0].url
    for number, visitor in enumerate(visitors):
        come_back_for_another_time(visitor, times, number)
    wanted = visitors[0].times.last.get_attribute("value") or ""
    are_ready = Event()
    with ThreadPoolExecutor(1) as thread:
        racing = thread.submit(asyncio.run, race(site.address, times.partition("?")[2], wanted, are_ready))
        are_ready.wait(60)
        for page in pages:
            page.evaluate("value => { document.querySelector(`[value='${value}']`).click(); }", wanted)
        others = racing.result()
    for page in pages:
        page.wait_for_url("**/hold")
        page.wait_for_load_state()
    outcome = [(other.status, other.heading) for other in others]
    in_browsers = [visitor.heading for visitor in visitors]
    assert outcome.count((200, "Your details")) + in_browsers.count("Your details") == 1, outcome
    refused = outcome.count((409, "Choose a time")) + in_browsers.count("Choose a time")
    assert refused == IN_BROWSERS + BY_HTTP - 1, outcome
    for number, other in enumerate(others):
        assert set(other.inputs("email")) == {f"customer{number}@example.com"}
        assert (TAKEN in other.text) == (other.status == 409)
        assert wanted not in {button.get("value") for button in other.times}
    for number, visitor in enumerate(visitors):
        go_on(visitor, number)
    taken = [(each["startDate"], each["employeeId"]) for each in site.list_meetings()]
    assert len(taken) == len(set(taken))
    for page in pages:
        page.context.close()


def come_back_for_another_time(visitor: Visitor, times: str, number: int) -> None:
    """Fill in the form of a time, and go back to the times."""
    visitor.place.goto(times)
    visitor.choose_time(number)
    visitor.place.locator("#name").fill(f"Browser {number}")
    visitor.place.locator("#email").fill(f"browser{number}@example.com")
    visitor.press("Choose another time", "Choose a time")


def go_on(visitor: Visitor, number: int) -> None:
    """Choose another time where the wanted one was taken, and book with what was typed before."""
    if visitor.heading == "Choose a time":
        assert visitor.place.get_by_role("alert").inner_text() == TAKEN
        visitor.choose_time(1 + 3 * number)  # their lists differ: each leaves out what the others hold
    assert visitor.place.locator("#name").input_value() == f"Browser {number}"
    visitor.read()
    visitor.press("Continue", "Check and book")
    visitor.press("Book", "Your meeting is booked")


async def race(address: str, query: str, wanted: str, are_ready: Event) -> list[FormVisitor]:
    """Open the times as customers without browsers, press the button of one for all, and return where they are."""
    async with httpx.AsyncClient(base_url=address, timeout=60) as http:
        others = [FormVisitor(http, "rivals") for _ in range(BY_HTTP)]
        for other in others:
            await other.open(f"?{query}")
        are_ready.set()
        return await asyncio.gather(*(press(other, wanted, number) for number, other in enumerate(others)))


async def press(other: FormVisitor, wanted: str, number: int) -> FormVisitor:
    typed = {"name": f"Customer {number}", "email": f"customer{number}@example.com"}
    button = next(each for each in other.times if each.get("value") == wanted)
    return await other.send(button, typed)
