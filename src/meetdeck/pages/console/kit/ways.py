"""The ways to meet, as pages name and draw them."""

from typing import Final

from meetdeck.pages.texts import mark

WAYS: Final = {
    "Physical": mark("In person"),
    "Online": mark("Online"),
    "Telephone": mark("By telephone"),
    "Offsite": mark("At the customer's"),
}
"""The words of each way, in English."""
WAY_ICONS: Final = {"Physical": "map-pin", "Online": "video", "Telephone": "phone", "Offsite": "building-2"}
