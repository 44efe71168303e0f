"""The characters that PowerPoint writes instead of plain ones: other quotation marks and hyphens, invisible ones."""

import re
from typing import Final

# Invisible: soft hyphen, zero-width space, marks of direction, word joiner, isolates, byte order mark.
_MARKS: Final = "\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff"
# Between letters that are not ASCII they are part of the spelling: in Persian, in Hindi, in emoji.
_JOINERS: Final = "\u200c\u200d"
# All of them, as a regular expression's class has them inside its brackets.
ZERO_WIDTH: Final = _MARKS + _JOINERS
_INVISIBLE: Final = re.compile(rf"[{_MARKS}]|(?<![^\x00-\x7f])[{_JOINERS}]|[{_JOINERS}](?![^\x00-\x7f])")
# Hyphens, figure, en and em dashes, minus.
_HYPHENS: Final = dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
# Curly, low and angled quotes, which PowerPoint writes instead of straight ones, or other languages use.
_QUOTES: Final = dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"') | dict.fromkeys(
    "\u2018\u2019\u201a\u201b\u2039\u203a", "'"
)
# Non-breaking ones.
_BLANKS: Final = str.maketrans(dict.fromkeys("\u00a0\u202f", " "))
HYPHENS: Final = str.maketrans(_HYPHENS)
STRAIGHT_QUOTES: Final = str.maketrans(_QUOTES)
_ALL: Final = str.maketrans(_HYPHENS | _QUOTES)


def straighten(text: str) -> str:
    """Return a text of the same length with straight quotes and plain hyphens."""
    return text.translate(_ALL)


def without_marks(text: str) -> str:
    """Return a text as it looks: without invisible characters, and with plain blanks."""
    return _INVISIBLE.sub("", text).translate(_BLANKS)


def tidy(body: str) -> str:
    """Return a tag without a text editor's changes: invisible characters, non-breaking spaces, line breaks."""
    return " ".join(_INVISIBLE.sub("", body).split())
