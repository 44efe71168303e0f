"""What integration tests are given beside what all tests are."""

from collections.abc import Generator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from s3server import S3Server


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Generator["S3Server"]:
    """Lend a server that speaks S3; the process has the variables that lead to it."""
    from s3server import S3Server  # noqa: PLC0415 - moto takes a second to import; few tests need it

    server = S3Server()
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    yield server
    server.stop()
