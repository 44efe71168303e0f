"""Problems are reported in one line that tells the operator what to do."""

import os
import pwd
import shutil
from pathlib import Path

import pytest

from meetdeck.embedded_postgres import EmbeddedPostgres, binaries, cluster
from meetdeck.platform.errors import SetupError

IS_ROOT = os.geteuid() == 0


def refusal(data_dir: Path, bin_dir: Path | None = None) -> str:
    with pytest.raises(SetupError) as refused:
        EmbeddedPostgres(data_dir, bin_dir=bin_dir).start()
    assert "\n" not in str(refused.value)
    return str(refused.value)


def fake_programs(folder: Path, version: str) -> Path:
    folder.mkdir(parents=True)
    for name in binaries.PROGRAMS:
        (folder / name).write_text(f"#!/bin/sh\necho '{name} (PostgreSQL) {version}'\n")
        (folder / name).chmod(0o755)
    return folder


def cluster_of_another_major(data_dir: Path) -> Path:
    (data_dir / "pgdata").mkdir(parents=True)
    (data_dir / "pgdata" / "PG_VERSION").write_text("13\n")
    if IS_ROOT:
        os.chown(data_dir / "pgdata", 65534, 65534)
    return data_dir


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    assert f"{tmp_path / 'data'} is not a folder" in refusal(tmp_path / "data")
    assert "is not a folder" in refusal(tmp_path / "data" / "below")


@pytest.mark.skipif(IS_ROOT, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        assert f"may not use {tmp_path / 'data'}" in refusal(tmp_path / "data")
    finally:
        tmp_path.chmod(0o700)


def test_a_disk_without_room(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "NEEDED_BYTES", 1 << 60)
    assert f"The disk of {data_dir} is full" in refusal(data_dir)


def test_a_cluster_that_another_major_version_made(data_dir: Path) -> None:
    cluster_of_another_major(data_dir)
    (data_dir / "credentials.json").write_text('{"postgres": "a", "meetdeck_owner": "b", "meetdeck_app": "c"}')
    message = refusal(data_dir)
    assert "was made by PostgreSQL 13, and this is " in message
    assert "MEETDECK_PG_BIN" in message


def test_a_cluster_that_meetdeck_did_not_make(data_dir: Path) -> None:
    cluster_of_another_major(data_dir)
    assert "credentials.json beside it does not" in refusal(data_dir)


@pytest.mark.parametrize("content", ["", "{", '{"postgres": "a"}', '{"postgres": 1}', "[]", "\xff"])
def test_credentials_that_are_damaged(data_dir: Path, content: str) -> None:
    data_dir.mkdir()
    (data_dir / "credentials.json").write_text(content, encoding="latin-1")
    assert f"{data_dir / 'credentials.json'} is damaged" in refusal(data_dir)


def test_a_folder_that_is_no_cluster(data_dir: Path) -> None:
    cluster_of_another_major(data_dir)
    (data_dir / "pgdata" / "PG_VERSION").unlink()
    (data_dir / "credentials.json").write_text('{"postgres": "a", "meetdeck_owner": "b", "meetdeck_app": "c"}')
    assert "is not a PostgreSQL data folder" in refusal(data_dir)


def test_a_setting_that_names_no_programs(data_dir: Path, tmp_path: Path) -> None:
    assert f"MEETDECK_PG_BIN={tmp_path} does not hold" in refusal(data_dir, bin_dir=tmp_path)


def test_a_setting_that_names_programs_of_old(data_dir: Path, tmp_path: Path) -> None:
    old = fake_programs(tmp_path / "bin", "14.2")
    assert f"MEETDECK_PG_BIN={old} is PostgreSQL 14.2: 15 or later is needed" in refusal(data_dir, bin_dir=old)


def test_no_programs_at_all(data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binaries, "WHEEL", "no_such_wheel")
    monkeypatch.setattr(binaries, "SYSTEM_PATTERNS", ())
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "No PostgreSQL 15 or later was found: install" in refusal(data_dir)
    old = fake_programs(tmp_path / "old", "9.6.24")
    monkeypatch.setenv("PATH", str(old))
    assert "(found only 9.6.24)" in refusal(data_dir)


def test_a_configuration_that_the_server_refuses(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir):
        pass
    with (data_dir / "pgdata" / "postgresql.conf").open("a") as file:
        file.write("\nwork_mem = 'a lot'\n")
    message = refusal(data_dir)
    assert "PostgreSQL did not start" in message
    assert str(data_dir / "postgres.log") in message
    assert "/proc/self/fd" not in message


def test_a_server_that_was_started_by_hand(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as endpoint:
        lock = (data_dir / "server.lock").rename(data_dir / "held.lock")  # as if the server were none of ours
        assert 'lock file "postmaster.pid" already exists' in refusal(data_dir)
        lock.rename(data_dir / "server.lock")
    assert not endpoint.socket_dir.exists()


@pytest.mark.skipif(not IS_ROOT, reason="only root needs another account")
def test_root_without_the_unprivileged_account(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody_there(name: str) -> pwd.struct_passwd:
        raise KeyError(name)

    monkeypatch.setattr(pwd, "getpwnam", nobody_there)
    assert "the account 'nobody' does not exist: run Meetdeck as an ordinary user" in refusal(data_dir)


@pytest.mark.skipif(not IS_ROOT, reason="only root can take a cluster over")
def test_a_cluster_that_was_handed_to_root(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir):
        pass
    os.chown(data_dir / "pgdata", 0, 0)
    assert f"chown -R nobody '{data_dir / 'pgdata'}'" in refusal(data_dir)
    shutil.rmtree(data_dir)
