"""An installation with portals, and browsers to visit them in. One of each runs for all tests of a process."""

from collections.abc import Generator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from support.chromium import MISSING, find_chromium
from support.console_browser import sign_in
from support.installation import Installation
from support.patience import LONGEST_SECONDS
from support.portal_sites import Site, open_site


def be_patient(browser: Browser) -> None:
    """Set the timeouts of expectations and actions on pages."""
    expect.set_options(timeout=LONGEST_SECONDS * 1000)
    open_context: Any = browser.new_context

    def open_patiently(**options: Any) -> BrowserContext:
        context: BrowserContext = open_context(**options)
        context.set_default_timeout(LONGEST_SECONDS * 1000)
        return context

    browser.new_context = open_patiently


@pytest.fixture(scope="session")
def site(running: Installation) -> Generator[Site]:
    """Lend the running installation to all tests of this process."""
    with open_site(running) as site:
        yield site


@pytest.fixture(scope="package")
def playwright() -> Generator[Playwright]:
    """Lend Playwright while tests of this folder run: it occupies the event loop that others need."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Generator[Browser]:
    """Lend a browser to all tests of this process; they are skipped where there is none."""
    path = find_chromium()
    if path is None:
        pytest.skip(MISSING)
    browser = playwright.chromium.launch(executable_path=path, timeout=LONGEST_SECONDS * 1000)
    be_patient(browser)
    yield browser
    browser.close()


@pytest.fixture
def context(browser: Browser) -> Generator[BrowserContext]:
    """Lend a visitor's own part of the browser, which knows nothing of others."""
    context = browser.new_context(locale="en-GB")
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """Lend an empty page."""
    return context.new_page()


@pytest.fixture(scope="module")
def staff(browser: Browser, site: Site) -> Generator[BrowserContext]:
    """Lend a part of the browser in which the admin of a demo firm has signed in to the console."""
    context = browser.new_context(locale="en-GB")
    sign_in(context.new_page(), site)
    yield context
    context.close()
