"""The garbage collector: off while many lasting objects are created, and rare where requests are answered."""

import gc
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

_YOUNG_OBJECTS: Final = 10_000
"""The new objects after which the collector runs. At 700, the default, a twentieth of the searches waited for it."""


@contextmanager
def no_garbage_collection() -> Generator[None]:
    """Disable the garbage collector for a while, unless it is off already."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def collect_rarely() -> None:
    """Exempt all objects that exist from garbage collection, and run it seldom from now on."""
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS, *gc.get_threshold()[1:])
