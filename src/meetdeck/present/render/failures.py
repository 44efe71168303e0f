"""Presentations that the renderer gave up recently, which are refused at once."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

from meetdeck.present.render.renderer import RenderingGivenUp

_SECONDS: Final = 15 * 60.0  # by then a machine that was only too busy has recovered
_MOST: Final = 1_000


class RecentFailures:
    """The recent failures by a presentation's key, each for `seconds`, the newest `most`; `clock` returns seconds."""

    def __init__(
        self, *, seconds: float = _SECONDS, most: int = _MOST, clock: Callable[[], float] | None = None
    ) -> None:
        self._seconds = seconds
        self._most = most
        self._clock = clock or (lambda: asyncio.get_running_loop().time())
        self._refusals: OrderedDict[Hashable, tuple[float, RenderingGivenUp]] = OrderedDict()

    def require_untried(self, key: Hashable) -> None:
        """Raise the same RenderingGivenUp again while the presentation is remembered."""
        since, refusal = self._refusals.get(key, (0.0, None))
        if refusal is None:
            return
        if self._clock() - since < self._seconds:
            raise RenderingGivenUp(refusal.detail)
        del self._refusals[key]

    def record(self, key: Hashable, refusal: RenderingGivenUp) -> None:
        """Remember a presentation; drop the oldest when there are too many."""
        self._refusals[key] = (self._clock(), refusal)
        self._refusals.move_to_end(key)
        if len(self._refusals) > self._most:
            self._refusals.popitem(last=False)
