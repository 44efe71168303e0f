"""The tags of written tables."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

# Marks the place of a text in a cell that is parsed without its texts; no data holds it.
PLACE: Final = "\ue000"


class TableTags(NamedTuple):
    """The tags of a written table, with DrawingML's prefix."""

    row: bytes
    row_end: bytes
    cell: bytes
    cell_end: bytes
    numbered: bytes
    """A text by its number, and what follows it."""
    text: re.Pattern[bytes]
    height: re.Pattern[bytes]
    closed: re.Pattern[bytes]
    """A row or cell without content, in one tag."""


@lru_cache(maxsize=64)
def get_table_tags(prefix: bytes) -> TableTags:
    """Return the tags by DrawingML's prefix with its colon."""
    name = re.escape(prefix)
    return TableTags(
        row=b"<%str" % prefix,
        row_end=b"</%str>" % prefix,
        cell=b"<%stc" % prefix,
        cell_end=b"</%stc>" % prefix,
        numbered=b"<%st>%s%%d</%st>%%s" % (prefix, PLACE.encode(), prefix),
        text=re.compile(b"<%st>([^<]*)</%st>" % (name, name)),
        height=re.compile(b'<%str(?: [^<>]*)? h="([^"]*)"' % name),
        closed=re.compile(b"<(%st[cr])((?: [^<>]*)?)/>" % name),
    )
