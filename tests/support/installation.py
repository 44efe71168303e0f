"""An installation of tests' own: the program as an operator starts it, in a data folder of its own."""

import contextlib
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

from support.databases import find_room
from support.logs import remember_lines

START_SECONDS = 90
STOP_SECONDS = 30


class Installation:
    """A data folder, and at most one server running in it."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.process: subprocess.Popen[str] | None = None
        self.printed = ""
        self.settings: dict[str, str] = {}
        """Environment variables of this installation."""
        self.python: str | Path = sys.executable
        """Whose Meetdeck it runs."""

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `meetdeck …` to its end."""
        return subprocess.run(  # noqa: S603 - our own program
            [self.python, "-m", "meetdeck", *arguments],
            env=self._environment(),
            capture_output=True,
            text=True,
            timeout=START_SECONDS,
            check=False,
        )

    def start(self, *arguments: str, until: str = "walks through everything", port: int = 0) -> str:
        """Serve on a port, 0 for a free one; return the address once it serves, and has printed `until`."""
        log = (self.data_dir.parent / "serve.log").open("w+")
        self.process = subprocess.Popen(  # noqa: S603 - our own program
            [
                sys.executable,
                "-m",
                "meetdeck",
                "serve",
                "--port",
                str(port),
                *(arguments or ("--migrate", "--demo-data")),
            ],
            env=self._environment(),
            stdout=log,
            stderr=subprocess.STDOUT,
            text=True,
        )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            self.printed = Path(log.name).read_text(encoding="utf-8")
            if until in self.printed:
                log.close()
                return re.findall(r"serves on (https?://\S+)", self.printed)[0]
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
        """Return every process that the server started, and theirs, by name."""
        assert self.process is not None
        names: dict[psutil.Process, str] = {}
        for process in psutil.Process(self.process.pid).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):  # some are gone as soon as they are seen
                names[process] = process.name()
        return names

    def _environment(self) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("MEETDECK_")}
        return inherited | {"MEETDECK_DATA_DIR": str(self.data_dir)} | self.settings


@contextlib.contextmanager
def install() -> Generator[Installation]:
    place = tempfile.TemporaryDirectory(prefix="meetdeck-tests-", dir=find_room(), ignore_cleanup_errors=True)
    with place as folder:
        installation = Installation(Path(folder) / "Nordlys data æ" / "var")
        installation.data_dir.parent.mkdir()
        yield installation
        if installation.process is not None:
            installation.stop(signal.SIGTERM)
        for log in installation.data_dir.parent.glob("*.log"):
            remember_lines(log.read_text(encoding="utf-8", errors="replace"))
