"""Markdown as tokens of markdown-it. Only `markdown` imports this, and only for a text: the library takes 1.5 MB."""

import re
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from meetdeck.present.deck.language.values import Unwritable, legal

# DrawingML has nine levels of lists, each of which takes two of the parser's. What opens at the last one stays empty.
_LEVELS: Final = 20
# An address with nothing to normalize, which would take 10 µs.
_USUAL_ADDRESS: Final = re.compile("(?:https?://|mailto:)[a-z0-9.@-]+(?:/[A-Za-z0-9/._~=&?#+-]*)?")


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: ARG002, N802 - the library's name and shape
        """Accept every address: the writer decides which are allowed in a deck."""
        return True

    def normalizeLink(self, url: str) -> str:  # noqa: N802 - as above
        """Return an address as a URI."""
        return url if _USUAL_ADDRESS.fullmatch(url) else super().normalizeLink(url)


# Without HTML its rules find nothing, but take a twentieth of the time.
_UNUSED: Final = ("code", "html_block", "html_inline")
_PARSER: Final = _Parser("commonmark", {"html": False, "maxNesting": _LEVELS}).enable("strikethrough").disable(_UNUSED)
_TABLE_PARSER: Final = _Parser("commonmark", {"html": False}).enable(["strikethrough", "table"]).disable(_UNUSED)


def parse(text: str) -> list[Token]:
    """Return the tokens of a text without tables. Raises `Unwritable` for one that is nested too deep."""
    tokens = _PARSER.parse(legal(text))
    if any(token.nesting > 0 and token.level == _LEVELS - 1 for token in tokens):
        raise Unwritable("its lists and quotes are nested too deep; write lists of at most nine levels.")
    return tokens


def parse_tables(text: str) -> list[Token]:
    """Return the tokens of a text with tables."""
    return _TABLE_PARSER.parse(legal(text))
