"""The terminal that a process was started from."""

import os
from typing import Final

_STDIN: Final = 0


class Terminal:
    """Distinguishes a hang-up (the terminal was closed, so SIGHUP came) from a SIGHUP that somebody sent."""

    def __init__(self) -> None:
        self._was_there = os.isatty(_STDIN)

    def is_gone(self) -> bool:
        """Return whether we were started from a terminal that has been closed since."""
        return self._was_there and not os.isatty(_STDIN)
