"""Fonts that nobody needs to install: every letter is half as wide as high, and lines are 1.2 times as far apart."""

import pytest

from support.fitting import EvenTypefaces


@pytest.fixture
def typefaces() -> EvenTypefaces:
    """Fonts in which it can be told without a computer what fits."""
    return EvenTypefaces()
