from pathlib import Path

import pytest

from meetdeck.embedded_postgres.postmaster import PostmasterFile, find_postmaster_file

WHOLE = ["4711", "/data", "1790000000", "5432", "/run/meetdeck-pg-x", "", "  5  7", "ready   "]


def read(tmp_path: Path, lines: list[str]) -> PostmasterFile | None:
    (tmp_path / "postmaster.pid").write_text("\n".join(lines) + "\n")
    return find_postmaster_file(tmp_path)


def test_a_running_server_tells_its_number_and_its_socket(tmp_path: Path) -> None:
    socket_dir = Path("/run/meetdeck-pg-x")
    assert read(tmp_path, WHOLE) == PostmasterFile(pid=4711, socket_dir=socket_dir, ready=True)


@pytest.mark.parametrize("status", ["starting", "stopping", "standby "])
def test_a_server_is_ready_only_when_it_says_so(tmp_path: Path, status: str) -> None:
    written = read(tmp_path, [*WHOLE[:7], status])
    assert written
    assert not written.ready


def test_a_file_that_is_only_begun_names_no_socket(tmp_path: Path) -> None:
    assert read(tmp_path, WHOLE[:3]) == PostmasterFile(pid=4711, socket_dir=None, ready=False)


@pytest.mark.parametrize("lines", [[], [""], ["what?"], ["-1"]])
def test_a_file_without_a_number_tells_nothing(tmp_path: Path, lines: list[str]) -> None:
    assert read(tmp_path, lines) is None


def test_without_a_file_there_is_no_server(tmp_path: Path) -> None:
    assert find_postmaster_file(tmp_path) is None
