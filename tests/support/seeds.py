"""Seeds of random tests: `make test` runs the first, `make thorough` the others."""

from typing import Any

import pytest


def list_seeds(count: int, first: int = 0) -> list[Any]:
    """Return parameters of a test, from `first` on; all but that one are thorough."""
    others = range(first + 1, first + count)
    return [first, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in others)]
