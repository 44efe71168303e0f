import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.platform.errors import SetupError
from support.databases import find_room


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """A data folder where clusters are made quickest; a server that a test left running in it is stopped afterwards."""
    with tempfile.TemporaryDirectory(prefix="meetdeck-tests-", dir=find_room()) as place:
        folder = Path(place) / "data"
        yield folder
        _stop_survivor(folder)


def _stop_survivor(folder: Path) -> None:
    if (folder / "pgdata" / "postmaster.pid").exists():
        survivor = EmbeddedPostgres(folder)
        with contextlib.suppress(SetupError):
            survivor.start()
        survivor.stop()
