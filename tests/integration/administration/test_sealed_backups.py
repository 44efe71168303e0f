"""Backups that are encrypted to public keys, by the real program."""

import io
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import IO

import pytest

from meetdeck.administration.archives.schemas import ArchiveKind, FileTotals, Manifest
from meetdeck.administration.archives.sealing import opened, sealed
from meetdeck.administration.archives.writing import ArchiveWriter, open_target
from meetdeck.administration.backups.backup import check
from meetdeck.platform.errors import SetupError
from support.fakes import MONDAY_MORNING

pytestmark = pytest.mark.skipif(shutil.which("age") is None, reason="age is not installed")
SECRET = b"hunter2 " * 100_000


def make_key(file: Path) -> str:
    """Write a new private key; return the public one."""
    said = subprocess.run(["age-keygen", "-o", file], capture_output=True, text=True, check=True)  # noqa: S603, S607
    return said.stderr.rpartition(" ")[2].strip()


def seal(path: Path, recipients: Iterable[str]) -> None:
    with open_target(path) as file, sealed(file, [*recipients]) as target:
        target.write(SECRET)


def read_all(file: IO[bytes] | io.RawIOBase) -> None:
    while file.read(65_536):
        pass


def write_half(path: Path, recipient: str) -> None:
    with open_target(path) as file, sealed(file, [recipient]) as target:
        target.write(SECRET)
        raise ValueError("of the caller")


def test_each_recipient_can_open_it_and_nobody_else(tmp_path: Path) -> None:
    keys = [make_key(tmp_path / f"key{number}") for number in range(3)]
    seal(tmp_path / "a.age", keys[:2])
    assert b"hunter2" not in (tmp_path / "a.age").read_bytes()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.age", "key0", "key1", "key2"]
    for number in range(2):
        with opened(tmp_path / "a.age", tmp_path / f"key{number}") as file:
            assert file.read() == SECRET
    with (
        pytest.raises(SetupError, match="cannot be decrypted: no identity matched"),
        opened(tmp_path / "a.age", tmp_path / "key2") as file,
    ):
        file.read()
    with (
        pytest.raises(SetupError, match="is encrypted: name the file with the private key"),
        opened(tmp_path / "a.age", None),
    ):
        pass


def test_one_that_was_cut_off_or_altered_is_refused(tmp_path: Path) -> None:
    key = make_key(tmp_path / "key")
    seal(tmp_path / "a.age", [key])
    whole = (tmp_path / "a.age").read_bytes()
    for broken in (whole[:-1], whole[:300_000], whole[:-9] + b"x" + whole[-8:]):
        (tmp_path / "b.age").write_bytes(broken)
        with (
            pytest.raises(SetupError, match="cannot be decrypted"),
            opened(tmp_path / "b.age", tmp_path / "key") as file,
        ):
            read_all(file)


def test_a_recipient_that_is_none_is_refused_and_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"The backup cannot be encrypted: .*unknown recipient type"):
        seal(tmp_path / "a.age", ["nobody"])
    assert [*tmp_path.iterdir()] == []


def test_without_the_program_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetupError, match="age cannot be run"):
        seal(tmp_path / "a.age", ["age1"])


def test_what_fails_while_it_is_written_is_told_and_leaves_no_file(tmp_path: Path) -> None:
    key = make_key(tmp_path / "key")
    with pytest.raises(ValueError, match="of the caller"):
        write_half(tmp_path / "a.age", key)
    assert [each.name for each in tmp_path.iterdir()] == ["key"]


def test_a_sealed_archive_is_checked(tmp_path: Path) -> None:
    key = make_key(tmp_path / "key")
    with open_target(tmp_path / "a.age") as file, sealed(file, [key]) as target, ArchiveWriter(target, at=0) as writer:
        writer.add("keys/encryption-key", b"hunter2")
        totals = (FileTotals(), writer.members, writer.listed_sha256)
        writer.finish(Manifest(ArchiveKind.BACKUP, 1, "0.1", "0066", MONDAY_MORNING, {}, [], {}, [], *totals))
    report = check(tmp_path / "a.age", lambda _: None, tmp_path / "key")
    assert report.bytes == (tmp_path / "a.age").stat().st_size
    assert (tmp_path / "a.age").read_bytes().startswith(b"age-encryption.org/v1")
