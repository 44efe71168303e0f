"""Confinement of a process that reads hostile files: its user, visible files and limits, and proof that it works."""

import itertools
import json
import logging
import os
import secrets
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, Self

from meetdeck.platform.errors import SetupError
from meetdeck.present.render.renderer import Office
from meetdeck.present.render.visible import list_visible

Wall = Literal["namespaces", "landlock"]

_log = logging.getLogger(__name__)
_JAIL: Final = Path(__file__).with_name("office_jail.py")
_PROBE: Final = Path(__file__).with_name("office_probe.py")
_PROBE_SECONDS: Final = 30
_PROBE_MEMORY_BYTES: Final = 2**30
_FILE_BYTES: Final = 512 * 2**20  # twice the largest package, which is written before it is read
_OPEN_FILES: Final = 1024
_PROCESSES: Final = 256  # threads count

# Numbers that belong to nobody, by systemd's table of them (https://systemd.io/UIDS-GIDS): so many that two services
# do not meet, and the few that a container has whose numbers end at 65,535.
_NUMBERS: Final = (range(1_879_048_192, 2_147_352_576), range(60_578, 61_184))
_turn = itertools.count(secrets.randbits(30))


@dataclass(frozen=True, slots=True)
class Confinement:
    """The bounds of one such process: its memory in bytes and, when we are root, the user it runs as.

    `walls` are tried; one must hold, unless the process is `optional`ly confined (see `office_jail.py`).
    """

    memory_bytes: int
    uid: int | None
    walls: tuple[Wall, ...] = ("namespaces", "landlock")
    optional: bool = True
    file_bytes: int = _FILE_BYTES

    @classmethod
    def of_this_process(cls, memory_bytes: int, *, optional: bool = True) -> Self:
        """Return the bounds for a new process: under root with a new user of its own, else with our user."""
        return cls(memory_bytes, _next_number() if os.geteuid() == 0 else None, optional=optional)

    def make_folder(self, folder: Path) -> Path:
        """Create a folder that only the confined process (and root) can read; return its path without links."""
        folder.mkdir(mode=0o700)
        if self.uid is not None:
            os.chown(folder, self.uid, self.uid)
        return folder.resolve()  # in a jail there are no links to it

    def command(self, office: Office, folder: Path, program: Path, *arguments: str) -> Sequence[str | Path]:
        """Return the command that runs a Python program in the jail, with `folder` as its only writable place."""
        return self.command_of(office.python, list_visible(office.soffice), folder, program, *arguments)

    def command_of(
        self, python: Path, readable: Sequence[str], folder: Path, program: Path, *arguments: str
    ) -> Sequence[str | Path]:
        """Return the same command for a Python other than LibreOffice's; `readable` is what it may read."""
        spec = {
            "folder": str(folder),
            "readable": readable,
            "uid": self.uid,
            "walls": self.walls,
            "optional": self.optional,
            "limits": {
                "memory_bytes": self.memory_bytes,
                "file_bytes": self.file_bytes,
                "open_files": _OPEN_FILES,
                "processes": _PROCESSES,
            },
        }
        return [python, "-I", _JAIL, json.dumps(spec), program, *arguments]


def require_jail(office: Office, *, optional: bool) -> None:
    """Raise SetupError unless a jail works on this system; where it is `optional`, warn in the log."""
    reason = find_gap(office)
    if not reason:
        return
    if not optional:
        raise SetupError(
            f"This system provides no jail for LibreOffice ({reason}): a presentation could draw files of this machine."
            " Let Gotenberg render (MEETDECK_GOTENBERG_URL), allow user namespaces or Landlock "
            "(docs/operations/rendering.md), or take the risk with MEETDECK_OFFICE_UNCONFINED=true."
        )
    _log.warning("no jail for LibreOffice on this system (%s): a presentation could draw files of this machine", reason)


def find_gap(office: Office) -> str:
    """Return why no jail works on this system; empty when one does."""
    try:
        return "" if is_jailed(office) else "a program in it read a file of this machine"
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)


def is_jailed(office: Office, temp_dir: Path | None = None) -> bool:
    """Return whether a jailed process can read neither a file nor a folder that everybody may read.

    Raises OSError and SubprocessError when that cannot be tried.
    """
    confinement = Confinement.of_this_process(_PROBE_MEMORY_BYTES)
    with tempfile.TemporaryDirectory(prefix="meetdeck-probe-", dir=temp_dir) as made:
        around, outside = Path(made), Path(made, "outside")
        outside.mkdir()
        canary = outside / "canary"
        canary.write_text("No process in a jail reads this.", encoding="utf-8")
        for path, mode in ((around, 0o755), (outside, 0o755), (canary, 0o644)):
            path.chmod(mode)
        folder = confinement.make_folder(around / "process")
        tried = subprocess.run(  # noqa: S603 - the command is ours
            confinement.command(office, folder, _PROBE, str(canary), str(outside)),
            capture_output=True,
            check=False,
            cwd="/",
            env=clean_environment(folder),
            text=True,
            timeout=_PROBE_SECONDS,
        )
    if tried.returncode:
        raise subprocess.SubprocessError(" ".join(tried.stderr.strip().splitlines()[-1:]) or "the trial ended")
    return not json.loads(tried.stdout)


def clean_environment(folder: Path) -> dict[str, str]:
    """Return the environment of a confined process, without our secrets: it reads hostile files."""
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LANG": "C.UTF-8",
        "SAL_USE_VCLPLUGIN": "svp",
    }


def _next_number() -> int | None:
    """Return an unused user and group number; None if root cannot change user."""
    numbers = next((some for some in _NUMBERS if _are_mapped(some)), None)
    return None if numbers is None else numbers[next(_turn) % len(numbers)]


def _are_mapped(numbers: range) -> bool:
    """Return whether this process could become any of these users: a user namespace may have fewer."""
    try:
        lines = Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines()
    except OSError:  # no Linux
        return True
    spans = [(int(first), int(first) + int(count)) for first, _, count in map(str.split, lines)]
    return any(start <= numbers.start and numbers.stop <= stop for start, stop in spans)
