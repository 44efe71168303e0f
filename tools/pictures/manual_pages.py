"""The manual: a page of each kind, and what searches and lists pages."""

from typing import Final

from pictures.drawing import Pictures
from pictures.looks import Look
from support.portal_sites import Site

_PAGES: Final = {
    "first": "",
    "text": "/booking",
    "templates": "/templates/charts",
    "operations": "/reference/api-v3/rooms",
    "settings": "/reference/settings",
    "headings": "/search",
}


def draw_manual(pictures: Pictures, site: Site, look: Look) -> None:
    """Draw the manual, which is in English and the same for all firms: once for each width and color."""
    if (look.firm, look.language) != ("demo", "en") or not pictures.wants("manual"):
        return
    for name, path in _PAGES.items():
        pictures.show(f"{site.address}/docs{path}")
        pictures.draw(f"manual-{name}", is_whole=False)
    pictures.page.locator("a.search").click()
    pictures.page.get_by_role("searchbox").fill("webhook")
    pictures.page.locator("#manual-finder li").first.wait_for()
    pictures.draw("manual-finder", is_whole=False)
