"""The priority of this process among those of the machine."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

_NICENESS: Final = 10
_GROUP: Final = Path("/proc/self/autogroup")  # where Linux shares processors out by sessions, niceness counts in each


def give_way() -> None:
    """Lower the priority of this process, and of those that it starts: callers who wait for an answer come first."""
    with suppress(OSError):
        os.nice(_NICENESS)
    with suppress(OSError):
        _GROUP.write_text(str(_NICENESS), encoding="ascii")
