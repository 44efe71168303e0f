"""Links of several words: each word is a separate link while LibreOffice draws, and the PDF has them joined again.

LibreOffice makes a field of a linked run. It breaks fields between any two letters, sets their lines closer, and begins
a new line before one that does not fit. The blanks between words become plain text that looks like the link.

Two linked runs side by side would not do: LibreOffice draws the last in the color of the text. The deck itself keeps
its runs. A slide with three long links takes 3 ms.
"""

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Final, NamedTuple, cast

import pikepdf
from pikepdf import Array, Dictionary, Name

from meetdeck.present.deck.opc.xml import Element, MarkupError, local_name, parse, serialize, serialize_inside, without

_MARK: Final = b"hlinkClick"
# Places at which lines may break; not the spaces that exist to prevent it (U+00A0, U+2007, U+202F).
_BLANKS: Final = re.compile("([ \t\u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]+)")
_LINKS: Final = ("hlinkClick", "hlinkMouseOver")
_FILLS: Final = ("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill")
# Splitting may add this much to one part: a hostile one could have a long format on each of its words.
_MOST_ADDED_BYTES: Final = 8_000_000
# Shares of the line's height: the distance of words in one line, and the overlap of their heights.
_WIDEST_BLANK: Final = 1.0
_LEAST_SHARED: Final = 0.5


def split_links(content: bytes) -> bytes:
    """Return a part of XML with a run for each word of its links.

    A part without such links, or an unreadable one, is returned unchanged.
    """
    if _MARK not in content:
        return content
    try:
        root = parse(content)
    except MarkupError:
        return content
    left = _MOST_ADDED_BYTES
    for run in list(root.iter("{*}r")):
        pieces = _find_words(run)
        if len(pieces) < 2 or (size := len(pieces) * len(serialize_inside(run, root))) > left:  # noqa: PLR2004
            continue
        left -= size
        _split(run, pieces)
    return serialize(root) if left < _MOST_ADDED_BYTES else content


def _find_words(run: Element) -> list[str]:
    """Return the words and blanks of a linked run; none of any other run."""
    format_, text = run.find("{*}rPr"), run.find("{*}t")
    if format_ is None or text is None or format_.find("{*}hlinkClick") is None:
        return []
    return [piece for piece in _BLANKS.split(text.text or "") if piece]


def _split(run: Element, pieces: list[str]) -> None:
    """Replace a run by one for each of the pieces."""
    parent, tail = run.getparent(), run.tail
    if parent is None:
        return
    run.tail = None
    place = parent.index(run)
    for number, piece in enumerate(pieces):
        copy = deepcopy(run)
        text = copy.find("{*}t")
        if text is not None:
            text.text = piece
        if _BLANKS.fullmatch(piece):
            _unlink(copy)
        parent.insert(place + number, copy)
    parent.remove(run)
    last = list(parent)[place + len(pieces) - 1]
    last.tail = tail


def _unlink(run: Element) -> None:
    """Make a linked run plain text that looks like a link drawn by LibreOffice."""
    format_ = run.find("{*}rPr")
    if format_ is None:
        return
    keeps_color = any(one.get("val") == "tx" for one in format_.iter("{*}hlinkClr"))
    without(format_.iterchildren(), *_LINKS)
    if "u" not in format_.keys():  # noqa: SIM118 - an element's attributes
        format_.set("u", "sng")
    if not keeps_color:
        without(format_.iterchildren(), *_FILLS)
        namespace = format_.tag[1:].partition("}")[0]
        fill = parse(f'<a:solidFill xmlns:a="{namespace}"><a:schemeClr val="hlink"/></a:solidFill>'.encode())
        format_.insert(sum(local_name(child) == "ln" for child in format_.iterchildren()), fill)


class _Area(NamedTuple):
    """The rectangle of a link, in points."""

    left: float
    bottom: float
    right: float
    top: float

    def goes_on(self, other: "_Area") -> bool:
        """Return whether another area is the next word of a line."""
        height = min(self.top - self.bottom, other.top - other.bottom)
        shared = min(self.top, other.top) - max(self.bottom, other.bottom)
        apart = max(self.left, other.left) - min(self.right, other.right)
        return shared > _LEAST_SHARED * height and apart < _WIDEST_BLANK * height

    def around(self, other: "_Area") -> "_Area":
        """Return the area that contains both."""
        lower = min(self.left, other.left), min(self.bottom, other.bottom)
        return _Area(*lower, max(self.right, other.right), max(self.top, other.top))


def join_links(document: pikepdf.Pdf) -> bool:
    """Make the words of a link on one line one area, blanks included; return whether there are any."""
    changed = False
    for page in document.pages:
        annotations = [cast("Dictionary", one) for one in page.obj.get("/Annots", ())]
        joined = list(_join(annotations))
        if len(joined) < len(annotations):
            page.obj.Annots = Array(joined)
            changed = True
    return changed


def _join(annotations: Sequence[Dictionary]) -> Iterator[Dictionary]:
    """Yield the annotations; the next word of a link widens the area of the word before instead."""
    last: Dictionary | None = None
    for annotation in annotations:
        if last is not None and _target(last) and _target(annotation) == _target(last):
            before, area = _area(last), _area(annotation)
            if before.goes_on(area):
                last.Rect = Array(list(before.around(area)))
                continue
        last = annotation
        yield annotation


def _target(annotation: Dictionary) -> str:
    action = annotation.get("/A", Dictionary())
    is_link = annotation.get("/Subtype") == Name.Link and action.get("/S") == Name.URI
    return str(action.get("/URI", "")) if is_link else ""


def _area(annotation: Dictionary) -> _Area:
    x1, y1, x2, y2 = (float(edge) for edge in cast("Array", annotation.Rect))
    return _Area(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
