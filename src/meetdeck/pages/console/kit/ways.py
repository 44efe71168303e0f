"""The types of meetings, with their words and icons on pages."""

from typing import Final

from meetdeck.pages.icons import WAY_ICONS
from meetdeck.pages.texts import mark

__all__ = ["WAYS", "WAY_ICONS"]

WAYS: Final = {
    "Physical": mark("In person"),
    "Online": mark("Online"),
    "Telephone": mark("By telephone"),
    "Offsite": mark("At the customer's"),
}
"""The words of each type, in English."""
