"""The firm's look: palette, fonts, grid. Lengths are inches; `emu` turns them into the file's unit."""

from typing import NamedTuple

EMU_PER_INCH = 914_400

SLIDE_WIDTH = 13 + 1 / 3
SLIDE_HEIGHT = 7.5
MARGIN = 0.75
CONTENT_WIDTH = SLIDE_WIDTH - 2 * MARGIN
CONTENT_TOP = 1.9
CONTENT_HEIGHT = 4.65
GUTTER = 0.28

# Both ship with Office; Caladea and Carlito have the same metrics where Office is missing.
HEADING_FONT = "Cambria"
BODY_FONT = "Calibri"

# In the order of CT_ColorScheme, ISO/IEC 29500-1 20.1.6.2.
PALETTE = {
    "dk1": "16242E",  # ink
    "lt1": "FFFFFF",
    "dk2": "0D2B3E",  # night
    "lt2": "F5F2EA",  # sand
    "accent1": "127568",  # fjord
    "accent2": "2B5F8C",  # sea
    "accent3": "7FCBB4",  # northern light
    "accent4": "E0A54A",  # low sun
    "accent5": "B4553D",  # rowan
    "accent6": "596873",  # slate: text of second rank
    "hlink": "127568",
    "folHlink": "596873",
}

# The master's colour map: what a slide calls tx1, bg2 and so on.
COLOUR_MAP = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"}


class Box(NamedTuple):
    """A rectangle on the slide, in inches from its top left corner."""

    x: float
    y: float
    w: float
    h: float

    def inset(self, dx: float, dy: float) -> "Box":
        """Shrink by `dx` on the left and right and by `dy` on top and bottom."""
        return Box(self.x + dx, self.y + dy, self.w - 2 * dx, self.h - 2 * dy)

    def part(self, x: float, y: float, w: float, h: float) -> "Box":
        """Return a box placed relative to this one's top left corner."""
        return Box(self.x + x, self.y + y, w, h)


def emu(inches: float) -> int:
    """Turn inches into English Metric Units."""
    return round(inches * EMU_PER_INCH)


def columns(box: Box, count: int) -> list[Box]:
    """Divide a box into equal columns with the grid's gutter between them."""
    width = (box.w - (count - 1) * GUTTER) / count
    return [Box(box.x + i * (width + GUTTER), box.y, width, box.h) for i in range(count)]


def rows(box: Box, count: int, gap: float) -> list[Box]:
    """Divide a box into equal rows."""
    height = (box.h - (count - 1) * gap) / count
    return [Box(box.x, box.y + i * (height + gap), box.w, height) for i in range(count)]
