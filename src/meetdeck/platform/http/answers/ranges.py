"""Parts of a file (RFC 9110, section 14): an interrupted download continues where it stopped."""

import re

from meetdeck.platform.errors import MeetdeckError

_ONE_RANGE = re.compile(r"bytes\s*=\s*(\d{0,18})-(\d{0,18})\s*", re.IGNORECASE)


class RangeNotSatisfiable(MeetdeckError):  # noqa: N818 - named as a state, like the kinds of error
    """The file has none of the requested bytes; it has `size_bytes`."""

    code = "range_not_satisfiable"

    def __init__(self, size_bytes: int) -> None:
        super().__init__(f"The file has {size_bytes} bytes: request a range within them, or the whole file.")
        self.size_bytes = size_bytes


def read_range(header: str | None, if_range: str | None, *, size_bytes: int, tag: str) -> range | None:
    """Return the bytes of a file that a `Range` requests, None for the whole file.

    The whole file is answered to several ranges, to other units and to invalid ranges, and when `If-Range` names
    another state of the file than `tag`. Raises RangeNotSatisfiable.
    """
    found = _ONE_RANGE.fullmatch(header or "")
    if found is None or (if_range is not None and if_range.strip() != tag):
        return None
    first, last = found.groups()
    if not first and not last:
        return None
    if first and last and int(last) < int(first):
        return None
    begin = int(first) if first else max(0, size_bytes - int(last))
    end = min(int(last) + 1, size_bytes) if first and last else size_bytes
    if begin >= end:
        raise RangeNotSatisfiable(size_bytes)
    return range(begin, end)
