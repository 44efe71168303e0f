"""The tags of written tables."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

# Marks the place of a text in a cell that is parsed without its texts; no data holds it.
PLACE: Final = "\ue000"


class ClosedTagError(Exception):
    """A row or cell is closed in its first tag."""


class TableTags(NamedTuple):
    """The tags of a written table, with DrawingML's prefix."""

    row: bytes
    row_end: bytes
    cell: bytes
    cell_end: bytes
    text_start: bytes
    text_end: bytes
    numbered: bytes
    """A text by its number, and what follows it."""
    text: re.Pattern[bytes]
    height: re.Pattern[bytes]
    closed: re.Pattern[bytes]
    """A row or cell without content, in one tag."""

    def open_closed(self, written: bytes) -> bytes:
        """Return a written table whose rows and cells have an end tag each."""
        return self.closed.sub(rb"<\1\2></\1>", written)

    def require_ends(self, written: bytes) -> None:
        """Raise `ClosedTagError` if a row or cell has no end tag."""
        if self.closed.search(written):
            raise ClosedTagError

    def split_row(self, row: bytes) -> tuple[bytes, list[bytes]]:
        """Return a written row with a null byte in place of each text, and its texts."""
        first, *others = row.split(self.text_start)
        found = [piece.partition(self.text_end) for piece in others]
        texts = [text for text, _, _ in found]
        if b"<" in b"".join(texts):
            # Text with comments inside.
            pieces = self.text.split(row)
            return b"\0".join(pieces[::2]), pieces[1::2]
        return b"\0".join([first, *[behind for _, _, behind in found]]), texts


@lru_cache(maxsize=64)
def get_table_tags(prefix: bytes) -> TableTags:
    """Return the tags by DrawingML's prefix with its colon."""
    name = re.escape(prefix)
    return TableTags(
        row=b"<%str" % prefix,
        row_end=b"</%str>" % prefix,
        cell=b"<%stc" % prefix,
        cell_end=b"</%stc>" % prefix,
        text_start=b"<%st>" % prefix,
        text_end=b"</%st>" % prefix,
        numbered=b"<%st>%s%%d</%st>%%s" % (prefix, PLACE.encode(), prefix),
        text=re.compile(b"<%st>([^<]*)</%st>" % (name, name)),
        height=re.compile(b'<%str(?: [^<>]*)? h="([^"]*)"' % name),
        closed=re.compile(b"<(%st[cr])((?: [^<>]*)?)/>" % name),
    )
