"""A portal's own look: a style sheet of its color and its styling."""

from functools import lru_cache

from meetdeck.booking.configuration.portals.schemas import Portal
from meetdeck.booking.configuration.portals.service.styling import wrap_styling
from meetdeck.pages.files import PageFile, make_style_sheet
from meetdeck.pages.theme.stylesheet import write_theme


def get_theme(portal: Portal) -> PageFile:
    """Return the style sheet of a portal."""
    return _make_theme(portal.brand_color, portal.styling, portal.logo_url)


@lru_cache(256)
def _make_theme(brand_color: str | None, styling: str, logo_url: str) -> PageFile:
    return make_style_sheet("theme", write_theme(brand_color) + wrap_styling(styling, logo_url))
