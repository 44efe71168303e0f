import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from meetdeck.platform.embedded_postgres import EmbeddedPostgres
from meetdeck.platform.errors import SetupError


@pytest.fixture
def data_dir(tmp_path: Path) -> Iterator[Path]:
    """A data folder; a server that a test left running in it is stopped afterwards."""
    folder = tmp_path / "data"
    yield folder
    if (folder / "pgdata" / "postmaster.pid").exists():
        survivor = EmbeddedPostgres(folder)
        with contextlib.suppress(SetupError):
            survivor.start()
        survivor.stop()
