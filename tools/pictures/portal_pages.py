"""The pages of portals: the demo firm's in every state, those of other firms up to the times."""

from contextlib import suppress
from threading import Lock
from typing import Final

from playwright.sync_api import Error as BrowserError

from pictures.drawing import Pictures
from pictures.looks import Look
from support.portal_sites import Site
from support.portal_visits import Visitor, walk

_WALKING: Final = Lock()
"""Walks at one firm at the same time would take each other's times."""
_TOPIC: Final = {"en": "Annual review", "da": "Årsgennemgang", "de": "Annual review"}


def draw_portal(pictures: Pictures, site: Site, look: Look) -> None:
    """Draw a portal; a fault says where a walk ended early."""
    if not pictures.wants("portal"):
        return
    if look.firm != "demo":
        _draw_first_pages(pictures, f"{site.address}/p/pictures-{look.firm}")
        return
    portal = site.make_portal(look.name, languages=["en", "da", "de"])
    visitor = Visitor(pictures.page, portal, look.language, _TOPIC[look.language])
    try:
        with _WALKING:
            _draw_walk(pictures, visitor)
    except (BrowserError, AssertionError) as problem:
        pictures.faults.append(f"the walk ended: {str(problem)[:400]}")


def _draw_walk(pictures: Pictures, visitor: Visitor) -> None:
    for number, state in enumerate(walk(visitor)):
        pictures.draw(f"portal-{number:02}-{state}")


def _draw_first_pages(pictures: Pictures, portal: str) -> None:
    pictures.show(portal)
    for number, state in enumerate(("topic", "way", "times")):
        pictures.draw(f"portal-{number:02}-{state}")
        link = pictures.page.locator("main li a").first
        if not link.count():
            return
        with suppress(BrowserError):
            link.click()
