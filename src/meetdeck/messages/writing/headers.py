"""Texts in the headers of mails: folded (RFC 5322), and in encoded words (RFC 2047). Pure."""

from base64 import b64encode
from bisect import bisect_right
from email.header import Header
from itertools import accumulate
from string import ascii_letters, digits
from typing import Final

_LONGEST_LINE: Final = 78
_LONGEST_WORD: Final = _LONGEST_LINE - len("=?utf-8?q??=")
_PLAIN: Final = frozenset(ascii_letters + digits + "-!*+/")
_IN_BASE64: Final = 3, 4
"""So many bytes are so many characters in base64."""


def encode_header(text: str, name: str) -> str:
    """Return the text of a header, which is one line, folded.

    A text that is not ASCII, or looks like encoded words, is written in encoded words: `EmailMessage` loses blanks
    between those, and `Header` encodes each beginning of a text to find how much of it fits.
    """
    if not text.isascii() or "=?" in text:
        return "\r\n ".join(_list_words(text, _LONGEST_WORD - len(f"{name}: ")))
    if len(name) + len(": ") + len(text) <= _LONGEST_LINE:
        return text
    return Header(text, "us-ascii", header_name=name).encode(linesep="\r\n")


def _list_words(text: str, first_room: int) -> list[str]:
    """Return encoded words of whole characters, in the shorter of the two encodings.

    The first is at most so long, each further one fits on its line.
    """
    quoted = [_QUOTED.get(character) or _quote(character) for character in text]
    ends = [*accumulate(map(len, quoted))]
    bytes_each, characters_each = _IN_BASE64
    is_quoted = -(-len(text.encode()) // bytes_each) * characters_each >= ends[-1]
    if not is_quoted:
        ends = [*accumulate(len(character.encode()) for character in text)]
    words, begin, room = list[str](), 0, first_room
    while begin < len(text):
        most = room if is_quoted else room // characters_each * bytes_each
        end = bisect_right(ends, most + (ends[begin - 1] if begin else 0), lo=begin)
        if is_quoted:
            words.append(f"=?utf-8?q?{''.join(quoted[begin:end])}?=")
        else:
            words.append(f"=?utf-8?b?{b64encode(text[begin:end].encode()).decode('ascii')}?=")
        begin, room = end, _LONGEST_WORD - 1
    return words


def _quote(character: str) -> str:
    """Return a character in the encoding `Q` (RFC 2047, section 4.2)."""
    if character in _PLAIN:
        return character
    return "_" if character == " " else "".join(f"={byte:02X}" for byte in character.encode())


_QUOTED: Final = {chr(number): _quote(chr(number)) for number in range(256)}
"""The characters of Western languages: they are quoted once."""
