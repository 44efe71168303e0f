"""Switching off the garbage collector while many lasting objects are created: it would scan all of them repeatedly."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


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
