"""The room of a table on its slide. Lengths are in points."""

from typing import Final, NamedTuple

from meetdeck.present.deck.fitting.boxes import END_MARGIN, SIDE_MARGIN
from meetdeck.present.deck.fitting.styles import POINTS_PER_EMU, read_length
from meetdeck.present.deck.opc.xml import A, Element, P, list_around
from meetdeck.present.deck.program.template import SlideSize

_PARAGRAPH: Final = A + "p"
# The tolerance for rounding, and the lines around cells.
_TOLERANCE: Final = 3.0


class TableRoom(NamedTuple):
    """The room of a table: `top` is its distance from the slide's upper edge, None if unknown.

    `own` is the height of the template's rows, `limit` the slide's. `sides` and `ends` are the widest margins of a
    cell, left and right together and top and bottom together, `lines` the most paragraphs of one.
    """

    top: float | None
    own: float
    limit: float
    sides: float
    ends: float
    lines: int

    @property
    def height(self) -> float:
        """The height that rows may have, at least that of the template's own."""
        return max(self.limit - (self.top or 0), self.own)

    def excess(self, height: float) -> float:
        """Return the excess of rows over the slide's lower edge, minus that of the template's own rows."""
        if self.top is None:
            return 0.0
        excess = self.top + height - max(self.limit, self.top + self.own)
        return excess if excess > _TOLERANCE else 0.0


def read_room(frame: Element, template: Element, slide: SlideSize) -> TableRoom:
    """Return the room of a table in a frame; `template` is the template's table with the templates of its rows."""
    offset = frame.find(f"{P}xfrm/{A}off")
    is_nested = bool(list_around(frame, P + "grpSp"))
    cells, properties = len(list(template.iter(A + "tc"))), list(template.iter(A + "tcPr"))
    margins = {read_margins(one) for one in properties}
    if len(properties) < cells:
        margins.add(read_margins(None))
    lines = max(map(_count_paragraphs, template.iter(A + "txBody")), default=0 if cells else 1)
    return TableRoom(
        top=None if offset is None or is_nested else read_length(offset.get("y")),
        own=sum(read_length(row.get("h")) for row in template.iter(A + "tr")),
        limit=slide.height * POINTS_PER_EMU,
        sides=max((sides for sides, _ in margins), default=0),
        ends=max((ends for _, ends in margins), default=0),
        lines=lines,
    )


def _count_paragraphs(body: Element) -> int:
    return sum([child.tag == _PARAGRAPH for child in body])


def read_margins(properties: Element | None) -> tuple[float, float]:
    """Return a cell's margins: left and right together, top and bottom together."""
    usual = (SIDE_MARGIN, SIDE_MARGIN, END_MARGIN, END_MARGIN)
    if properties is None or not properties.keys():
        return 2 * SIDE_MARGIN, 2 * END_MARGIN
    found = [properties.get(name) for name in ("marL", "marR", "marT", "marB")]
    left, right, top, bottom = (u if t is None else read_length(t) for t, u in zip(found, usual, strict=True))
    return left + right, top + bottom
