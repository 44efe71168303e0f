"""A portal's own look: a style sheet of its color and its styling."""

from functools import lru_cache

from meetdeck.booking.configuration.portals.schemas import Portal
from meetdeck.pages.files import PageFile, make_file


def get_theme(portal: Portal) -> PageFile:
    """Return the style sheet of a portal."""
    return _make_theme(portal.brand_color, portal.styling, portal.logo_url)


@lru_cache(256)
def _make_theme(brand_color: str | None, styling: str, logo_url: str) -> PageFile:
    return make_file("theme", "css", "text/css; charset=utf-8", "")
