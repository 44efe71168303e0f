"""A warm LibreOffice as seen from the event loop: start, render one deck after the other, stop and clean up."""

import asyncio
import hashlib
import json
import os
import resource
import shutil
import signal
import struct
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO, Self

from meetdeck.platform.process.threads import run_in_thread
from meetdeck.present.render.confinement import Confinement, clean_environment
from meetdeck.present.render.renderer import Office, RenderingFailed

_DRIVER = Path(__file__).with_name("office_driver.py")
_ANSWER_HEAD = struct.Struct(">cQ")
_LAST_WORDS_BYTES = 4096
_MOST_ANSWERED_BYTES = 512 * 2**20  # as large as a file may be in there
_MOST_STARTS = 3  # of LibreOffice by its driver: with a fresh profile it wants a second one
_STOP_SECONDS = 3
_SOCKET_FOLDER = Path("/tmp")  # noqa: S108 - LibreOffice puts its sockets there, whatever TMPDIR says


class OfficeDied(Exception):  # noqa: N818 - an event, which the pool turns into an answer
    """LibreOffice or its driver ended; the message contains the last output of both."""


class OfficeProcess:
    """A driver and its LibreOffice, in a process group and a folder of their own."""

    def __init__(self, process: asyncio.subprocess.Process, folder: Path, log: IO[bytes]) -> None:
        if process.stdin is None or process.stdout is None:
            raise ValueError("the driver is spoken to through pipes")
        self._process = process
        self._stdin = process.stdin
        self._stdout = process.stdout
        self._folder = folder
        self._log = log
        self._in_job = False
        self._is_closing = False
        self.has_network = True
        self.jobs_done = 0
        self.resident_bytes = 0

    @property
    def pid(self) -> int:
        """The driver's process id, which is also that of the process group."""
        return self._process.pid

    @property
    def is_idle(self) -> bool:
        """Return whether it is alive and has no job; a process whose job was given up cannot be used again."""
        return self._process.returncode is None and not self._in_job

    @classmethod
    async def launch(cls, office: Office, folder: Path, confinement: Confinement) -> Self:
        """Start LibreOffice with `folder` (created here) as its only writable place; always `stop` it."""
        folder = confinement.make_folder(folder)
        work = {"soffice": str(office.soffice), "folder": str(folder), "pipe": _pipe_name(folder)}
        command = await run_in_thread(confinement.command, office, folder, _DRIVER, json.dumps(work))
        log = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `stop`
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                cwd="/",
                env=clean_environment(folder),
                start_new_session=True,
            )
        except BaseException:
            log.close()
            raise
        return cls(process, folder, log)

    async def wait_until_ready(self) -> None:
        """Wait until LibreOffice accepts jobs. Raises OfficeDied."""
        _, payload = await self._answer()
        self.has_network = json.loads(payload)["network"]
        # Without a private /tmp for LibreOffice, and without a name for its user, these are open to every account.
        for public in _list_sockets(self._folder):
            with suppress(PermissionError, FileNotFoundError):
                public.chmod(0o600)

    async def render(self, package: bytes) -> bytes:
        """Return the PDF of a checked deck, which is then closed: see `settle`.

        Raises OfficeDied, and RenderingFailed if LibreOffice refuses the deck.
        """
        await self.settle()
        self._in_job = True
        try:
            self._stdin.write(struct.pack(">Q", len(package)))
            self._stdin.write(package)
            await self._stdin.drain()
        except (BrokenPipeError, ConnectionResetError) as error:
            raise OfficeDied(self._last_words()) from error
        kind, payload = await self._answer()
        self._is_closing = True
        if kind == b"E":
            raise RenderingFailed(f"LibreOffice cannot render the presentation: {payload.decode(errors='replace')}")
        return payload

    async def settle(self) -> None:
        """Wait until the last deck is closed, a tenth of the time that it took. Raises OfficeDied."""
        if self._is_closing:
            await self._answer()
            self._is_closing = self._in_job = False
            self.jobs_done += 1
            self.resident_bytes = _measure_memory(self.pid)

    async def stop(self) -> None:
        """Kill LibreOffice and its driver, and remove their files. Safe to call twice."""
        self._stdin.close()  # the driver kills and reaps LibreOffice when its stdin ends
        try:
            async with asyncio.timeout(_STOP_SECONDS):
                await self._process.wait()
        except TimeoutError:
            pass
        finally:
            self._log.close()
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()
        await run_in_thread(remove_traces, self._folder)

    async def _answer(self) -> tuple[bytes, bytes]:
        try:
            kind, length = _ANSWER_HEAD.unpack(await self._stdout.readexactly(_ANSWER_HEAD.size))
            if length > _MOST_ANSWERED_BYTES:
                raise OfficeDied(f"its answer of {length >> 20} MiB is too large")
            return kind, await self._stdout.readexactly(length)
        except asyncio.IncompleteReadError as error:
            raise OfficeDied(self._last_words()) from error

    def _last_words(self) -> str:
        if self._log.closed:
            return "it was stopped"
        self._log.seek(max(0, self._log.seek(0, os.SEEK_END) - _LAST_WORDS_BYTES))
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        return " / ".join(lines[-3:]) or "it ended without a message"


def remove_traces(folder: Path) -> None:
    """Remove a process's folder, and the sockets that LibreOffice leaves behind when it is killed."""
    for left in _list_sockets(folder):
        left.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)


def _list_sockets(folder: Path) -> list[Path]:
    """Return the sockets of the LibreOffice that works in `folder`, unless they are in a /tmp of its own."""
    names = list[str]()
    for start in range(1, _MOST_STARTS + 1):
        profile = (folder.resolve() / f"profile.{start}").as_uri().encode("utf-16-le")
        digest = "".join(f"{byte:x}" for byte in hashlib.md5(profile, usedforsecurity=False).digest())
        names += [f"{_pipe_name(folder)}.{start}", f"SingleOfficeIPC_{digest}"]
    return [path for name in names for path in _SOCKET_FOLDER.glob(f"OSL_PIPE_*{name}")]


def _measure_memory(pid: int) -> int:
    """Return the resident memory of a process's descendants, in bytes; 0 if the system does not report it."""
    total = 0
    with suppress(OSError):
        for child in map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()):
            pages = int(Path(f"/proc/{child}/statm").read_text(encoding="ascii").split()[1])
            total += pages * resource.getpagesize() + _measure_memory(child)
    return total


def _pipe_name(folder: Path) -> str:
    """Return a pipe name that is unguessable and unique, as the pool's folder is."""
    return f"{folder.parent.name}-{folder.name}"
