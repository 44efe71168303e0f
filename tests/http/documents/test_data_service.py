"""The data service of docs/documents.md, as it stands there."""

import asyncio
import os
import re
import subprocess
import sys
from base64 import b64encode
from collections.abc import Generator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from meetdeck.events.webhooks.service.signing import sign
from meetdeck.platform.process.clock import now as real_now
from support.meeting_documents import HOUR, Firm
from support.servers import find_free_port

pytestmark = pytest.mark.usefixtures("no_meetings")


async def test_the_pages_data_service_fills_a_deck_and_believes_nobody_else(firm: Firm, tmp_path: Path) -> None:
    await firm.at(real_now())
    page = (Path(__file__).parents[3] / "docs/documents.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python file=data_service.py\n(.*?)```", page, re.DOTALL)
    port = find_free_port()
    rule = await firm.rule(dataUrl=f"http://127.0.0.1:{port}/meetings")
    with run_program(program, tmp_path, SECRET=rule["secret"], PORT=str(port)):
        await wait_for(port)
        forged = sign([f"whsec_{b64encode(bytes(32)).decode()}"], uuid4(), firm.clock(), b"{}")
        async with httpx.AsyncClient() as http:
            assert (await http.post(rule["dataUrl"], content=b"{}", headers=forged)).status_code == 401
        soon = firm.clock() + timedelta(days=9)
        known, unknown = await firm.book(soon), await firm.book(soon + HOUR, customerId="C-2002")
        await firm.work()
    deck, _ = await firm.documents(known)
    assert (await firm.texts(deck))[0] == "Dear Freja Søndergaard"
    assert [one["problem"] for one in await firm.problems(unknown)] == [
        "The data service 127.0.0.1 refuses: it answers 404."
    ]


@contextmanager
def run_program(program: str, folder: Path, **environment: str) -> Generator[None]:
    """Run a program of a page until the block ends."""
    (folder / "program.py").write_text(program, encoding="utf-8")
    process = subprocess.Popen(  # noqa: S603 - a page of ours
        [sys.executable, folder / "program.py"], env=os.environ | environment, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        process.kill()
        process.wait()


async def wait_for(port: int) -> None:
    """Wait until something listens on a port of this machine."""
    async with asyncio.timeout(20):
        while True:
            with suppress(ConnectionError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                return
            await asyncio.sleep(0.02)
