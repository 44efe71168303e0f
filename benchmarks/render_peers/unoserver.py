"""unoserver: a warm LibreOffice behind XML-RPC, installed beside the system's Python, which has `uno`."""

import asyncio
import socket
import subprocess
import sys
import xmlrpc.client
from pathlib import Path
from typing import Final, Self

from meetdeck.platform.process.threads import run_in_thread
from meetdeck.present.render.office_process import remove_traces
from meetdeck.present.render.renderer import Office

_HERE: Final = Path(__file__).parent
_VENV: Final = _HERE / ".venv"
_LOCK: Final = _HERE / "requirements.lock"
_INSTALLED_LOCK: Final = _VENV / _LOCK.name  # written last, so that an interrupted installation is begun anew
VERSION: Final = _LOCK.read_text(encoding="utf-8").split()[0].replace("==", " ")
_START_SECONDS: Final = 30.0
# The options with which we call LibreOffice: with unoserver's defaults, decks with pictures would take longer.
_OPTIONS: Final = ["ReduceImageResolution=false", "Quality=90"]


class UnoserverMissingError(Exception):
    """unoserver cannot be measured here; the message says why."""


def install(office: Office) -> None:
    """Install what requirements.lock says, once. Raises `UnoserverMissingError` without uv or a package index."""
    if _INSTALLED_LOCK.exists() and _INSTALLED_LOCK.read_bytes() == _LOCK.read_bytes():
        return
    uv = Path(sys.executable).with_name("uv")
    for command in (
        [uv, "venv", "--quiet", "--clear", "--system-site-packages", "--python", office.python, _VENV],
        [uv, "pip", "sync", "--quiet", "--require-hashes", "--python", _VENV / "bin" / "python", _LOCK],
    ):
        try:
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)  # noqa: S603 - ours
        except FileNotFoundError as problem:
            raise UnoserverMissingError(f"{problem.filename} is not there: `make setup`") from problem
        except subprocess.TimeoutExpired as problem:
            raise UnoserverMissingError("installing it takes longer than two minutes") from problem
        except subprocess.CalledProcessError as problem:
            raise UnoserverMissingError(problem.stderr.strip().splitlines()[-1]) from problem
    _INSTALLED_LOCK.write_bytes(_LOCK.read_bytes())


class Unoserver:
    """An unoserver with its LibreOffice. Files are handed over by path, the faster of its two ways."""

    def __init__(self, process: asyncio.subprocess.Process, port: int, folder: Path) -> None:
        self._process = process
        self._address = f"http://127.0.0.1:{port}"
        self._folder = folder
        self._jobs = 0

    @classmethod
    async def start(cls, office: Office, folder: Path) -> Self:
        """Start it with a profile in `folder`, made here, and wait until it answers."""
        await run_in_thread(folder.mkdir)
        port, uno_port = _free_port(), _free_port()
        process = await asyncio.create_subprocess_exec(
            _VENV / "bin" / "unoserver",
            *("--port", str(port), "--uno-port", str(uno_port), "--quiet"),
            *("--executable", office.soffice.with_name("soffice"), "--user-installation", folder / "profile"),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        started = cls(process, port, folder)
        try:
            await started.wait_until_ready()
        except BaseException:
            await started.stop()
            raise
        return started

    async def wait_until_ready(self) -> None:
        """Wait until it answers; raises `UnoserverMissingError` when it does not."""
        try:
            async with asyncio.timeout(_START_SECONDS):
                while True:
                    if self._process.returncode is not None:
                        raise UnoserverMissingError(f"unoserver ended with status {self._process.returncode}")
                    try:
                        await run_in_thread(lambda: self._server().info())
                    except OSError:
                        await asyncio.sleep(0.1)
                    else:
                        return
        except TimeoutError as problem:
            raise UnoserverMissingError(f"unoserver does not answer within {_START_SECONDS:g} s") from problem

    async def convert(self, pptx: bytes) -> bytes:
        """Write, convert, read."""
        self._jobs += 1
        source, target = self._folder / f"{self._jobs}.pptx", self._folder / f"{self._jobs}.pdf"

        def work() -> bytes:
            source.write_bytes(pptx)
            self._server().convert(str(source), None, str(target), "pdf", None, _OPTIONS, False)  # noqa: FBT003 - XML-RPC
            pdf = target.read_bytes()
            source.unlink()
            target.unlink()
            return pdf

        return await run_in_thread(work)

    async def stop(self) -> None:
        """Stop it; it stops LibreOffice."""
        if self._process.returncode is None:
            self._process.terminate()
        await self._process.wait()
        await run_in_thread(remove_traces, self._folder)

    def _server(self) -> xmlrpc.client.ServerProxy:
        """Open a connection; one cannot be used by two threads."""
        return xmlrpc.client.ServerProxy(self._address, allow_none=True)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]
