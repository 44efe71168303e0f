"""Keeps the letters, signs and numbers of values in place among text of the other writing direction.

Without a mark, text after a Hebrew name in an English sentence joins it, so that a number moves to its left; a
telephone number in an Arabic sentence loses its plus to the other side. The marks are U+200E and U+200F, which every
PowerPoint knows; isolates (U+2068) are newer.
"""

import re
from typing import Final

_LEFT: Final = "\u200e"
_RIGHT: Final = "\u200f"
# Hebrew, Arabic, Syriac, Thaana, N'Ko and their presentation forms; scripts beyond the first plane.
_RTL: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_LTR: Final = re.compile("[^\\W\\d_\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")


def reads_left_to_right(text: str) -> bool:
    """Return whether a text has letters, and all are read from left to right."""
    return _LTR.search(text) is not None and (text.isascii() or _RTL.search(text) is None)


def among_ltr(text: str) -> str:
    """Return a value for text that is read from left to right."""
    found = _RTL.search(text)
    if found is None:
        return text
    return text + _LEFT if _LTR.search(text, 0, found.start()) else _RIGHT + text + _RIGHT + _LEFT


def among_rtl(text: str) -> str:
    """Return a value for text that is read from right to left; numbers with signs and blanks are read like words."""
    if not text or text.isdigit():
        return text
    found, letter = _RTL.search(text), _LTR.search(text)
    if found is not None and (letter is None or found.start() < letter.start()):
        return text + _RIGHT if letter is not None else text
    return _LEFT + text + _LEFT + _RIGHT
