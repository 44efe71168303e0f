"""An installation for tests: the program as an operator starts it, in a data folder of its own."""

import contextlib
import fcntl
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from pathlib import Path

import psutil

from support.databases import DATABASES, find_room
from support.logs import remember_lines

START_SECONDS = 300
STOP_SECONDS = 120
"""Limits for a machine that has other work; alone it takes a few seconds."""


class Installation:
    """A data folder, and at most one server running in it."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.process: subprocess.Popen[str] | None = None
        self.printed = ""
        self.address = ""
        """The address where it serves, since it was last started."""
        # A second process for the background work, and LibreOffice at each start, cost seconds of processor time: where
        # they are the subject.
        self.settings = {
            "MEETDECK_OFFICE_PROCESSES": "1",
            "MEETDECK_OFFICE_AT_START": "false",
            "MEETDECK_WORKER_PROCESS": "false",
        }
        """Environment variables of this installation."""
        self.python: str | Path = sys.executable
        """The Python whose Meetdeck it runs."""
        self.log_name = "serve.log"

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `meetdeck …` to its end."""
        return subprocess.run(  # noqa: S603 - our own program
            [self.python, "-m", "meetdeck", *arguments],
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=START_SECONDS,
            check=False,
        )

    def fill(self) -> None:
        """Fill an empty data folder as a first start with demo data does."""
        if not self.data_dir.exists():
            # With the owners, which shutil does not copy: the database's files are not root's.
            subprocess.run(["/bin/cp", "-a", _find_filled(), self.data_dir], check=True)  # noqa: S603 - of our own folder

    def start(self, *arguments: str, until: str = "`make demo`", port: int = 0, anew: bool = False) -> str:
        """Serve on a port, 0 for a free one; return the address once it serves, and has printed `until`.

        Without arguments it serves demo data, of a first start that was another's unless `anew`: that takes half of the
        time.
        """
        if not arguments and not anew:
            self.fill()
        serve = [self.python, "-m", "meetdeck", "serve", "--port", str(port)]
        path = self.data_dir.parent / self.log_name
        with path.open("w") as log:
            self.process = subprocess.Popen(  # noqa: S603 - our own program
                [*serve, *(arguments or ("--migrate", "--demo-data"))],
                env=self.environment(),
                stdout=log,
                stderr=subprocess.STDOUT,
                text=True,
            )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            self.printed = path.read_text(encoding="utf-8")
            if until in self.printed:
                self.address = re.findall(r"serves on (https?://\S+)", self.printed)[0]
                return self.address
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise AssertionError(f"the server did not start:\n{self.printed}")

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        """Send the signal a terminal would; return the exit status."""
        assert self.process is not None
        self.process.send_signal(number)
        status = self.process.wait(STOP_SECONDS)
        self.process = None
        return status

    def descendants(self) -> dict[psutil.Process, str]:
        """Return every process that the server started, and their own, by name."""
        assert self.process is not None
        names: dict[psutil.Process, str] = {}
        for process in psutil.Process(self.process.pid).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):  # some are gone as soon as they are seen
                names[process] = process.name()
        return names

    def list_workers(self, *names: str) -> list[psutil.Process]:
        """Return the worker processes of these names: those that serve, and the one with the background work."""
        started = self.descendants()
        return [
            process for process, name in started.items() if name in (names or ("meetdeck-server", "meetdeck-worker"))
        ]

    def environment(self) -> dict[str, str]:
        """Return the variables that its programs are started with."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("MEETDECK_")}
        return inherited | {"MEETDECK_DATA_DIR": str(self.data_dir)} | self.settings


def _find_filled() -> Path:
    """Return the data folder that was filled for all tests of this run; the first process to need it fills it."""
    folder = Path(os.environ[DATABASES]) / "filled"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        filled = folder / "var"
        if not filled.exists():
            with install() as installation:
                installation.start(anew=True)
                assert installation.stop() == 0
                installation.data_dir.rename(filled)
    return filled


@contextlib.contextmanager
def install() -> Generator[Installation]:
    """Lend an installation in a folder with a space and a letter beyond ASCII in its name."""
    place = tempfile.TemporaryDirectory(prefix="meetdeck-tests-", dir=find_room(), ignore_cleanup_errors=True)
    with place as folder:
        installation = Installation(Path(folder) / "Nordlys data æ" / "var")
        installation.data_dir.parent.mkdir()
        try:
            yield installation
        finally:
            if installation.process is not None:
                installation.stop(signal.SIGTERM)
        for log in installation.data_dir.parent.glob("*.log"):
            remember_lines(log.read_text(encoding="utf-8", errors="replace"))
