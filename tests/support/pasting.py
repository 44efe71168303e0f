"""The commands of the documents, pasted into a shell as a reader does: README's set-up first, then a page's blocks."""

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from support.installation import Installation
from support.servers import find_free_port

ROOT: Final = Path(__file__).parents[2]
ADDRESS: Final = "http://127.0.0.1:8080"
RECEIVER_PORT: Final = "9360"
"""The port of the pages' receivers on the reader's own machine."""

_FENCE: Final = re.compile(
    r"^(?:<!-- not pasted: (?P<reason>[^\n]+) -->\n)?```(?P<language>\w+)(?P<info>[^\n]*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_FILE: Final = re.compile(r" file=([\w.-]+)")
_FAILED: Final = re.compile(r"^(?:curl: .*|Traceback .*|\S+: line \d+: .*)$", re.MULTILINE)
_OF_THE_MACHINE: Final = re.compile(
    r"\b(?:apt|apt-get|brew|docker|helm|kubectl|nginx|runuser|sudo|systemctl|useradd)\b"
    r"|(?<![\w.])/(?:etc|opt|root|srv|usr/local|var|backups)\b"
)
_SECONDS: Final = 180


class Block(NamedTuple):
    """Commands of a page, and why they are not pasted; empty: they are."""

    page: str
    line: int
    commands: str
    reason: str

    def __str__(self) -> str:
        """Return where the block is."""
        return f"{self.page}:{self.line}"

    def require_harmless(self) -> None:
        """Raise AssertionError for commands that change the machine: no test may run them, marked or not."""
        found = _OF_THE_MACHINE.search(self.commands)
        assert found is None, f"{self}: {found} is for a machine of its own: begin with <!-- not pasted: reason -->"


def list_pages() -> list[str]:
    """Return the pages that have blocks of commands, README first."""
    paths = [ROOT / "README.md", *sorted(path for path in ROOT.glob("docs/**/*.md") if "decisions" not in path.parts)]
    return [page for path in paths if read_blocks(page := path.relative_to(ROOT).as_posix())]


def read_blocks(page: str) -> list[Block]:
    """Return the blocks of commands of a page; those with `file=` are files of the reader's."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [
        Block(page, text.count("\n", 0, found.start()) + 1, found["text"], found["reason"] or "")
        for found in _FENCE.finditer(text)
        if found["language"] == "sh" and "file=" not in found["info"]
    ]


def read_set_up() -> Block:
    """Return README's block that the commands of every page need."""
    (block,) = (block for block in read_blocks("README.md") if ADDRESS in block.commands and not block.reason)
    return block


class Desk:
    """A folder like a clone's beside a running service, in which pages are pasted: each into a new shell, and once."""

    def __init__(self, installation: Installation) -> None:
        self.folder = installation.data_dir.parent
        self._changed = {ADDRESS: installation.start(), RECEIVER_PORT: str(find_free_port())}
        self._printed: dict[tuple[str, str], str] = {}
        (self.folder / ".venv").symlink_to(sys.prefix)
        for name in ("deploy", "docs", "src"):
            (self.folder / name).symlink_to(ROOT / name)

    def paste(self, page: str, shell: str = "bash") -> str:
        """Return the output of a page's blocks. Raises AssertionError with the page and line of a failing block."""
        if (page, shell) not in self._printed:
            self._save_files(page)
            blocks = [block for block in read_blocks(page) if not block.reason]
            set_up = read_set_up()
            self._printed[page, shell] = self.run([set_up, *(each for each in blocks if each != set_up)], shell)
        return self._printed[page, shell]

    def _save_files(self, page: str) -> None:
        """Save the files of a page, as its readers do."""
        for found in _FENCE.finditer((ROOT / page).read_text(encoding="utf-8")):
            if named := _FILE.match(found["info"]):
                (self.folder / named[1]).write_text(self._adapt(found["text"]), encoding="utf-8")

    def run(self, blocks: list[Block], shell: str = "bash") -> str:
        """Return the output of blocks in a new shell. Raises AssertionError with the place of a failing one."""
        for block in blocks:
            block.require_harmless()
        script = "".join(f"printf '%s\\n' '== {block}' >&2\n{self._adapt(block.commands)}" for block in blocks)
        status, printed, told = _run_to_its_end([shell, "-euo", "pipefail", "-c", script], self.folder)
        assert status == 0, f"{shell}: {status} in {told.rpartition('== ')[2]}\n{printed[-2000:]}"
        assert not (failed := _FAILED.findall(told)), f"{shell}: {failed} in {told}"
        assert re.findall(r"^== (.*)$", told, re.MULTILINE) == [str(block) for block in blocks]
        return printed

    def _adapt(self, text: str) -> str:
        """Return a text with the test's own address and port in place of the page's."""
        for shown, real in self._changed.items():
            text = text.replace(shown, real)
        return text


def _run_to_its_end(command: list[str], folder: Path) -> tuple[str | int, str, str]:
    """Return a command's status and output; processes that it left running are ended."""
    with tempfile.TemporaryFile("w+") as printed, tempfile.TemporaryFile("w+") as told:
        process = subprocess.Popen(  # noqa: S603 - our own pages
            ["/usr/bin/env", *command],
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=told,
            start_new_session=True,
        )
        try:
            status = process.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            status = f"no end within {_SECONDS} seconds"
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for file in (printed, told):
            file.seek(0)
        return status, printed.read(), told.read()


def _environment() -> Mapping[str, str]:
    """Return the environment of a user who has set nothing of Meetdeck's."""
    return {name: value for name, value in os.environ.items() if not name.startswith("MEETDECK_")}
