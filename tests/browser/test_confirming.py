"""A booking that is confirmed by mail, in a browser: on a phone, in Danish, without scripts."""

import pytest
from playwright.sync_api import Browser

from support.portal_sites import Site
from support.portal_visits import Visitor


@pytest.mark.thorough
def test_an_address_is_confirmed_on_a_phone_without_scripts(browser: Browser, site: Site) -> None:
    portal = site.make_portal("confirmed", confirmEmail=True)
    phone = {"width": 320, "height": 640}
    context = browser.new_context(java_script_enabled=False, locale="da-DK", viewport=phone)  # pyright: ignore[reportArgumentType] - a size
    visitor, reader = (Visitor(context.new_page(), portal, "da") for _ in range(2))
    visitor.reach_check()
    visitor.press("Book", "Confirm your e-mail address")
    visitor.press("I have confirmed", "Confirm your e-mail address")
    reader.place.goto(visitor.find_link("c"))
    reader.expect("Confirm and book")
    reader.press("Confirm and book", "Your meeting is booked")
    visitor.press("I have confirmed", "Your meeting is booked")
    context.close()
