from pathlib import Path

import pytest

from support.calendars.environment import make_environment


@pytest.fixture(scope="session")
def judges(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lend the Python of an environment with other software that reads and keeps calendars."""
    return make_environment(tmp_path_factory.mktemp("judges"))
