"""Staff at the console, in a browser."""

from playwright.sync_api import Page

from support.console import THOMAS
from support.portal_sites import Site


def sign_in(page: Page, site: Site, path: str = "", user: str = THOMAS) -> None:
    """Sign in by pressing somebody's button, and wait for the page at a path of the console."""
    page.goto(f"{site.address}/console{path}")
    page.locator(f"button[value='{user}']").click()
    page.wait_for_url(f"{site.address}/console{path}")
