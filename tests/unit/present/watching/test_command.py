"""The command `template watch`: the address that it prints can be opened at once."""

import asyncio
import socket
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from pptx import Presentation

from meetdeck.platform.errors import SetupError
from meetdeck.present.watching.command import run


def _template(folder: Path) -> Path:
    path = folder / "review.pptx"
    Presentation().save(str(path))
    return path


async def test_the_address_takes_connections_when_it_is_printed(tmp_path: Path) -> None:
    addresses: list[str] = []

    def announce(address: str) -> None:
        parts = urlsplit(address)
        # Before the loop runs on: whoever reads the address may be this quick.
        with socket.create_connection((parts.hostname, parts.port), timeout=5):
            addresses.append(address)

    watching = asyncio.create_task(run(_template(tmp_path), None, port=0, announce=announce))
    # It goes on until somebody ends it; it ended by itself when the connection was refused.
    await asyncio.wait([watching], timeout=0.5)
    assert not watching.done(), watching.exception()
    async with httpx.AsyncClient() as client:
        page = await client.get(addresses[0])
    assert (page.status_code, "<html" in page.text) == (200, True)
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)


async def test_a_port_that_is_taken_is_refused_in_words(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(SetupError, match="cannot be used"):
            await run(_template(tmp_path), None, port=taken.getsockname()[1], announce=print)
