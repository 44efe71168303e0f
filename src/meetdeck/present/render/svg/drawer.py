"""Draws the SVGs of a deck: each content once, with a time limit for all of them together."""

import hashlib
import time
from collections import OrderedDict
from threading import BoundedSemaphore, Lock
from typing import Final

from meetdeck.present.deck import NoPicture, Picture
from meetdeck.present.render.svg.drawing import draw_png
from meetdeck.present.render.svg.rewriting import make_safe

# The limits of one deck, and of one drawing: a busy machine gives its processor to others most of the time.
_DECK_SECONDS: Final = 30.0
_DRAWING_SECONDS: Final = 15.0
_AT_ONCE: Final = BoundedSemaphore(2)
_REMEMBERED_BYTES: Final = 32 * 2**20
_TOO_LONG: Final = f"the SVGs of this deck take longer than {_DECK_SECONDS:.0f} s to draw; give some of them as PNG."


class _Drawings:
    """The last drawings by the checksum of their content, bounded in bytes. Safe for threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: OrderedDict[bytes, Picture] = OrderedDict()
        self._bytes = 0

    def get(self, key: bytes) -> Picture | None:
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
            return self._known.get(key)

    def keep(self, key: bytes, picture: Picture) -> None:
        with self._lock:
            if key in self._known:
                return
            self._known[key] = picture
            self._bytes += _size_of(picture)
            while self._bytes > _REMEMBERED_BYTES:
                self._bytes -= _size_of(self._known.popitem(last=False)[1])


def _size_of(picture: Picture) -> int:
    return len(picture.content) + len(picture.svg)


_drawings: Final = _Drawings()


class SvgDrawer:
    """Draws the SVGs of one deck, see `Drawer`; drawings are cached for other decks."""

    def __init__(self) -> None:
        self._seconds_left = _DECK_SECONDS

    def draw(self, svg: bytes) -> Picture:
        """Return an SVG made safe, with its PNG. Raises `NoPicture`."""
        key = hashlib.sha256(svg).digest()
        picture = _drawings.get(key)
        if picture is None:
            picture = self._draw(svg)
            _drawings.keep(key, picture)
        return picture

    def _draw(self, svg: bytes) -> Picture:
        if self._seconds_left <= 0:
            raise NoPicture(_TOO_LONG)
        with _AT_ONCE:
            start = time.monotonic()
            try:
                safe = make_safe(svg)
                png, width, height = draw_png(safe, min(_DRAWING_SECONDS, self._seconds_left))
            finally:
                self._seconds_left -= time.monotonic() - start
        return Picture(png, "png", width, height, safe.content, safe.dropped)
