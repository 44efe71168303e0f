"""Names of what is in a PDF: its links, and the standards that it conforms to."""

from typing import NamedTuple

from meetdeck.platform.values import AnyCase


class Standard(AnyCase):
    """A standard that a PDF conforms to: PDF/A-2b (ISO 19005-2) or PDF/UA-1 (ISO 14289-1)."""

    PDF_A_2B = "pdfa-2b"
    PDF_UA_1 = "pdfua-1"


class Link(NamedTuple):
    """A link on a slide to an address, or to a slide counted from 0.

    `x` and `y` are its upper left corner, from the page's; all four are fractions of the page's width or height.
    """

    x: float
    y: float
    width: float
    height: float
    target: str | int
