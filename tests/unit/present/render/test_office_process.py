"""A process of LibreOffice answers before it closes a presentation, and takes the next one after that."""

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from meetdeck.present.render.office_process import OfficeProcess

# A driver without LibreOffice, whose presentations are closed once there is a file of the name `closing`.
DRIVER = """
import pathlib, struct, sys, time
while head := sys.stdin.buffer.read(8):
    deck = sys.stdin.buffer.read(struct.unpack(">Q", head)[0])
    for kind, payload in ((b"P", b"PDF of " + deck), (b"C", b"")):
        sys.stdout.buffer.write(struct.pack(">cQ", kind, len(payload)) + payload)
        sys.stdout.buffer.flush()
        while kind == b"P" and not pathlib.Path(sys.argv[1]).exists():
            time.sleep(0.005)
"""


@pytest_asyncio.fixture
async def process(tmp_path: Path) -> AsyncIterator[OfficeProcess]:
    pipe = asyncio.subprocess.PIPE
    driver = await asyncio.create_subprocess_exec(
        *(sys.executable, "-S", "-c", DRIVER, str(tmp_path / "closing")),
        stdin=pipe,
        stdout=pipe,
        start_new_session=True,
    )
    with tempfile.TemporaryFile() as log:
        process = OfficeProcess(driver, tmp_path / "folder", log)
        yield process
        await process.stop()


async def test_a_presentation_is_answered_before_it_is_closed(process: OfficeProcess, tmp_path: Path) -> None:
    assert await process.render(b"one") == b"PDF of one"
    assert not process.is_idle
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await process.settle()
    assert not process.is_idle
    next_one = asyncio.create_task(process.render(b"two"))
    (tmp_path / "closing").touch()
    assert await next_one == b"PDF of two"
    await process.settle()
    assert process.is_idle
    assert process.jobs_done == 2
