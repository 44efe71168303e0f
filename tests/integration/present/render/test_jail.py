"""A program in LibreOffice's jail, started by root or an ordinary account, reaches only its folder."""

import hashlib
import json
import os
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from meetdeck.present.render import confinement as confining
from meetdeck.present.render.confinement import Confinement, Wall, clean_environment, is_jailed
from meetdeck.present.render.renderer import Office
from support import jail_probe, seccomp
from support.canaries import Canaries

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is no jail but Linux's")

ORDINARY = 12_345
MEGABYTE = 2**20
BOTH: tuple[Wall, ...] = ("namespaces", "landlock")
ACCOUNTS = ["root", "ordinary"] if os.geteuid() == 0 else ["ordinary"]
# Landlock alone is not a wall around a network but TCP's, nor (before Linux 7) around the sockets that have a path.
LEFT_OPEN_BY: dict[tuple[Wall, ...], set[str]] = {BOTH: set(), ("namespaces",): set(), ("landlock",): {"udp", "unix"}}

Attempts = dict[str, tuple[str, str]]


@dataclass
class Cell:
    """A jail for one account, with the folder that it has."""

    office: Office
    folder: Path
    confinement: Confinement
    account: int | None
    """The program that starts the jail; None: this process."""
    refused: str = ""
    """System calls that the kernel refuses, parted by commas."""

    def run(self, program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a program in it to its end. What this process alone may read is copied for the others."""
        public = self.folder.with_name("programs")
        public.mkdir(mode=0o755)
        command = list(self.confinement.command(self.office, self.folder, program, *arguments))
        for place in (2, 4):
            command[place] = shutil.copy(command[place], public)
        if self.refused:
            command[:0] = [self.office.python, shutil.copy(seccomp.__file__, public), self.refused]
        try:
            return subprocess.run(  # noqa: S603 - the command is ours
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                cwd="/",
                env=clean_environment(self.folder),
                extra_groups=() if self.account else None,
                group=self.account,
                text=True,
                timeout=60,
                user=self.account,
            )
        finally:
            shutil.rmtree(public)

    def attempt(self, attempts: Attempts) -> set[str]:
        """Try things from inside; the names of what worked."""
        ended = self.run(Path(jail_probe.__file__), json.dumps(attempts))
        if "neither namespaces nor Landlock" in ended.stderr:
            pytest.skip(f"no {self.confinement.walls} here")
        assert ended.returncode == 0, ended.stderr
        return {name for name, said in json.loads(ended.stdout).items() if said is True}


@pytest.fixture(params=ACCOUNTS)
def account(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def make_cell(office: Office, temp_dir: Path, account: str) -> Iterator[Callable[..., Cell]]:
    """Make jails for the account, each with a folder of its own and a megabyte for a file."""
    folders = list[Path]()
    switched = ORDINARY if account == "ordinary" and os.geteuid() == 0 else None

    def make(name: str, walls: tuple[Wall, ...] = BOTH) -> Cell:
        own = Confinement.of_this_process(2**30).uid if account == "root" else None
        confinement = Confinement(2**30, own, walls=walls, optional=False, file_bytes=MEGABYTE)
        folder = temp_dir / name
        confinement.make_folder(folder)
        if switched:
            os.chown(folder, switched, switched)
        folders.append(folder)
        return Cell(office, folder, confinement, switched)

    yield make
    for folder in folders:
        shutil.rmtree(folder)


@pytest.fixture
def outside(canaries: Canaries, temp_dir: Path, account: str) -> Iterator[Attempts]:
    """Lend what is out there, and open to the account: files, folders, sockets, a process."""
    place = temp_dir / "outside"
    place.mkdir()
    place.chmod(0o777)
    own = place / "own.txt"
    own.write_text("The account's own.", encoding="utf-8")
    owner = ORDINARY if account == "ordinary" and os.geteuid() == 0 else os.geteuid()
    os.chown(own, owner, owner)
    named, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    with ExitStack() as open_things:
        open_things.enter_context(named).bind(str(place / "named"))
        (place / "named").chmod(0o777)
        open_things.enter_context(abstract).bind(f"\0{place}")
        for listener in (named, abstract):
            listener.listen()
        sleeper = subprocess.Popen(["/bin/sleep", "infinity"], user=owner)
        yield {
            "picture": ("read", str(canaries.picture)),
            "text": ("read", str(canaries.text)),
            "fifo": ("read", str(canaries.fifo)),
            "folder of canaries": ("visit", str(canaries.picture.parent)),
            "own file": ("read", str(own)),
            "write to own file": ("write", str(own)),
            "remove own file": ("remove", str(own)),
            "new file beside": ("write", str(place / "new")),
            "home": ("visit", "/home"),
            "temporary files": ("visit", str(place)),
            "processes": ("visit", "/proc"),
            "settings of the kernel": ("visit", "/sys"),
            "accounts": ("read", "/etc/passwd"),
            "a shell": ("run", "/bin/sh"),
            "TCP": ("connect", str(httpx.URL(canaries.http).port)),
            "udp": ("send", "9"),
            "unix": ("call", str(place / "named")),
            "abstract": ("call", f"@{place}"),
            "signal": ("signal", str(sleeper.pid)),
            "signal to the parent": ("signal", str(os.getpid())),
            "a file system": ("mount", "/usr"),
        }
        sleeper.kill()
        sleeper.wait()
    shutil.rmtree(place)


@pytest.mark.parametrize("walls", LEFT_OPEN_BY, ids="+".join)
def test_nothing_outside_is_reached(
    make_cell: Callable[..., Cell], outside: Attempts, canaries: Canaries, walls: tuple[Wall, ...]
) -> None:
    attempts = outside | {"new program": ("write", "/usr/lib/jail_probe"), "device": ("write", "/dev/full")}
    # Without Landlock, root's jail lets a user namespace be made in it, where nothing else is to be seen either.
    nested = {"a file system"} if walls == ("namespaces",) else set[str]()
    assert make_cell("process", walls).attempt(attempts) <= LEFT_OPEN_BY[walls] | nested
    assert canaries.reached == set()


def test_all_of_it_is_reached_without_a_jail(make_cell: Callable[..., Cell], outside: Attempts, account: str) -> None:
    cell = make_cell("process")
    free = subprocess.run(  # noqa: S603 - the command is ours
        [cell.office.python, "-I", jail_probe.__file__, json.dumps(outside)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        user=cell.account,
        group=cell.account,
        text=True,
    )
    refused = {name: said for name, said in json.loads(free.stdout).items() if said is not True}
    assert set(refused) <= ({"signal to the parent", "a file system"} if account == "ordinary" else set()), refused


def test_a_fifo_that_a_writer_holds_open_is_reached_too(canaries: Canaries) -> None:
    reading = os.open(canaries.fifo, os.O_RDONLY | os.O_NONBLOCK)  # without a reader nobody may write
    writing = os.open(canaries.fifo, os.O_WRONLY | os.O_NONBLOCK)
    assert jail_probe.attempt("read", str(canaries.fifo)) is True
    os.close(writing)
    os.close(reading)


@pytest.mark.parametrize("walls", LEFT_OPEN_BY, ids="+".join)
def test_it_can_use_its_own_folder_within_limits(make_cell: Callable[..., Cell], walls: tuple[Wall, ...]) -> None:
    cell = make_cell("process", walls)
    (cell.folder / "old").touch()
    script = cell.folder / "script"
    script.write_text("#!/bin/true\n", encoding="utf-8")
    script.chmod(0o755)
    worked = cell.attempt(
        {
            "write": ("write", str(cell.folder / "file")),
            "list": ("visit", str(cell.folder)),
            "large": ("write_two_megabytes", str(cell.folder / "large")),
            "remove": ("remove", str(cell.folder / "old")),
            "run": ("run", str(script)),
        }
    )
    assert worked == {"write", "list", "remove"}
    assert (cell.folder / "large").stat().st_size == MEGABYTE
    assert stat.S_IMODE((cell.folder / "file").stat().st_mode) == 0o600


@pytest.mark.parametrize("walls", LEFT_OPEN_BY, ids="+".join)
@pytest.mark.parametrize("refused", ["", "mount_setattr"], ids=["", "before Linux 5.12"])
def test_programs_are_not_written_by_their_owner_either(
    make_cell: Callable[..., Cell], temp_dir: Path, walls: tuple[Wall, ...], refused: str
) -> None:
    program = temp_dir / "own LibreOffice" / "program"
    program.mkdir(parents=True)
    soffice = program / "soffice.bin"
    soffice.touch()
    cell = make_cell("process", walls)
    owner = cell.account or cell.confinement.uid or os.geteuid()
    for path in (program.parent, program, soffice):
        path.chmod(0o755)
        os.chown(path, owner, owner)
    cell.office = Office(soffice, cell.office.python)
    cell.refused = refused
    worked = cell.attempt(
        {"read": ("read", str(soffice)), "write": ("write", str(soffice)), "add": ("write", str(program / "new"))}
    )
    shutil.rmtree(program.parent)
    assert worked == {"read"}


@pytest.mark.parametrize("walls", LEFT_OPEN_BY, ids="+".join)
def test_one_does_not_see_what_another_works_on(make_cell: Callable[..., Cell], walls: tuple[Wall, ...]) -> None:
    one, other = make_cell("one", walls), make_cell("other", walls)
    assert other.attempt({"its own": ("write", str(other.folder / "deck"))}) == {"its own"}
    reached = one.attempt(
        {
            "read": ("read", str(other.folder / "deck")),
            "write": ("write", str(other.folder / "deck")),
            "visit": ("visit", str(other.folder)),
            "visit all": ("visit", str(other.folder.parent)),
        }
    )
    # In a root of its own the way to its folder is there, with nothing else on it.
    assert reached <= {"visit all"} if "namespaces" in walls else reached == set()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has users to hand out")
def test_each_process_of_root_is_a_user_that_nothing_else_is() -> None:
    numbers = {Confinement.of_this_process(2**30).uid for _ in range(100)}
    assert len(numbers) == 100
    assert not numbers & {None, 0, 65534}


def test_a_jail_that_cannot_be_made_is_none(make_cell: Callable[..., Cell]) -> None:
    cell = make_cell("process")
    cell.confinement = Confinement(2**30, cell.confinement.uid, walls=(), optional=False)
    ended = cell.run(Path(jail_probe.__file__), "{}")
    assert ended.returncode == 1
    assert "neither namespaces nor Landlock" in ended.stderr


def test_the_jail_is_tried_before_it_is_believed(
    office: Office, temp_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_jailed(office, temp_dir)

    def without_jail(memory_bytes: int) -> Confinement:
        return Confinement(memory_bytes, None, walls=())

    monkeypatch.setattr(Confinement, "of_this_process", without_jail)
    assert not is_jailed(office, temp_dir)
    monkeypatch.setattr(confining, "_PROBE", temp_dir / "missing.py")
    with pytest.raises(subprocess.SubprocessError, match="No such file"):
        is_jailed(office, temp_dir)


LEND_RENDERER = """
import asyncio, sys
from meetdeck.platform.errors import SetupError
from meetdeck.platform.settings import read_settings
from meetdeck.present.render.lending import lend_renderer

async def main():
    async with lend_renderer(read_settings()) as renderer:
        print(len(await renderer.to_pdf(open(sys.argv[1], "rb").read())))

try:
    asyncio.run(main())
except SetupError as error:
    sys.exit(f"refused: {error}")
"""
PRODUCTION = {
    "MEETDECK_ENVIRONMENT": "production",
    "MEETDECK_ISSUER": "https://login.example.com",
    "MEETDECK_AUDIENCE": "meetdeck",
    "MEETDECK_ENCRYPTION_KEY": hashlib.sha256(b"a key of the tests").hexdigest(),
    "MEETDECK_DATABASE_URL": "postgresql://meetdeck_app@localhost/meetdeck",
    "MEETDECK_PUBLIC_URL": "https://meetdeck.example.com",
    "MEETDECK_OFFICE_PROCESSES": "1",
}
NO_JAIL = ("unshare", "landlock_create_ruleset")


@pytest.fixture
def lend_renderer(make_deck: Callable[..., bytes], tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Start the renderer as the service does, where the kernel refuses some system calls, and render a deck."""
    deck = tmp_path / "deck.pptx"
    deck.write_bytes(make_deck("Sealed"))

    def lend(refused: tuple[str, ...], **settings: str) -> subprocess.CompletedProcess[str]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("MEETDECK_")}
        return subprocess.run(  # noqa: S603 - this very Python
            [sys.executable, seccomp.__file__, ",".join(refused), sys.executable, "-c", LEND_RENDERER, str(deck)],
            capture_output=True,
            check=False,
            env=inherited | settings,
            text=True,
            timeout=120,
        )

    return lend


@pytest.mark.thorough
@pytest.mark.usefixtures("office")
@pytest.mark.parametrize("refused", [("unshare",), ("mount",), ("landlock_create_ruleset",)], ids="".join)
def test_one_wall_is_enough_for_production(
    lend_renderer: Callable[..., subprocess.CompletedProcess[str]], refused: tuple[str, ...]
) -> None:
    ended = lend_renderer(refused, **PRODUCTION)
    assert int(ended.stdout) > 1000, ended.stderr


@pytest.mark.thorough
@pytest.mark.usefixtures("office")
def test_production_refuses_a_system_without_a_jail_until_it_is_told_to(
    lend_renderer: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    ended = lend_renderer(NO_JAIL, **PRODUCTION)
    assert ended.stderr.startswith("refused: This system provides no jail for LibreOffice")
    assert "MEETDECK_GOTENBERG_URL" in ended.stderr
    assert "MEETDECK_OFFICE_UNCONFINED=true" in ended.stderr
    ended = lend_renderer(NO_JAIL, **PRODUCTION, MEETDECK_OFFICE_UNCONFINED="true")
    assert int(ended.stdout) > 1000, ended.stderr


@pytest.mark.thorough
@pytest.mark.usefixtures("office")
def test_a_test_installation_warns_of_a_system_without_a_jail(
    lend_renderer: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    ended = lend_renderer(NO_JAIL, MEETDECK_OFFICE_PROCESSES="1")
    assert int(ended.stdout) > 1000
    assert "no jail for LibreOffice" in ended.stderr
    ended = lend_renderer(NO_JAIL, MEETDECK_OFFICE_PROCESSES="1", MEETDECK_OFFICE_UNCONFINED="false")
    assert ended.stderr.startswith("refused: This system provides no jail")
