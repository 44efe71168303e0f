"""A real installation for each test, or for all of a file."""

from collections.abc import Generator

import pytest

from support.installation import Installation, install


@pytest.fixture
def installation() -> Generator[Installation]:
    """Lend an installation in a folder with a space and a letter beyond ASCII in its name."""
    with install() as installation:
        yield installation


@pytest.fixture(scope="module")
def shared_installation() -> Generator[Installation]:
    """Lend such an installation to all tests of a file, of which each takes care not to meet another."""
    with install() as installation:
        yield installation
