import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from meetdeck.platform.errors import SetupError
from meetdeck.platform.process import take_data_folder
from meetdeck.platform.process.data_folder import close_to_others


def modes_below(folder: Path) -> dict[str, str]:
    paths = [folder, *folder.rglob("*")]
    return {str(path.relative_to(folder.parent)): f"{stat.S_IMODE(path.lstat().st_mode):o}" for path in paths}


def write(path: Path, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"A deck.")
    path.chmod(mode)


def test_what_is_written_from_now_on_is_for_us_alone(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    take_data_folder(folder)
    (folder / "storage").mkdir()
    (folder / "storage" / "slides.pdf").touch()
    assert modes_below(folder) == {"var": "700", "var/storage": "700", "var/storage/slides.pdf": "600"}


@pytest.mark.parametrize("closed", ["", "var"], ids=["open", "closed at the top alone"])
def test_an_earlier_folder_is_closed_all_the_way_down(tmp_path: Path, closed: str) -> None:
    folder = tmp_path / "var"
    write(folder / "storage" / "tenant" / "files" / "slides.pdf")
    write(folder / "storage" / "tenant" / "run", mode=0o755)
    write(folder / "postgres" / "postgres.log")
    if closed:
        folder.chmod(0o700)
    take_data_folder(folder)
    assert modes_below(folder) == {
        "var": "700",
        "var/postgres": "700",
        "var/postgres/postgres.log": "600",
        "var/storage": "700",
        "var/storage/tenant": "700",
        "var/storage/tenant/files": "700",
        "var/storage/tenant/files/slides.pdf": "600",
        "var/storage/tenant/run": "700",
    }


def test_a_folder_above_it_stays_as_it_is(tmp_path: Path) -> None:
    take_data_folder(tmp_path / "srv" / "meetdeck")
    assert modes_below(tmp_path / "srv") == {"srv": "755", "srv/meetdeck": "700"}


def test_a_link_is_not_followed_out_of_it(tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    write(outside)
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "link").symlink_to(outside)
    take_data_folder(tmp_path / "var")
    assert stat.S_IMODE(outside.stat().st_mode) == 0o644


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has files of another account")
def test_files_of_another_account_are_left_to_it(tmp_path: Path) -> None:
    write(tmp_path / "var" / "postgres" / "pgdata" / "base")
    for name in ("postgres/pgdata", "postgres/pgdata/base"):
        os.chown(tmp_path / "var" / name, 65534, 65534)
    take_data_folder(tmp_path / "var")
    found = modes_below(tmp_path / "var")
    assert (found["var/postgres"], found["var/postgres/pgdata"]) == ("700", "755")


def test_a_file_that_goes_meanwhile_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "var" / "gone")
    (tmp_path / "var").chmod(0o755)

    def walk(root: Path) -> Iterator[tuple[str, list[str], list[str]]]:
        (tmp_path / "var" / "gone").unlink()
        yield str(root), [], ["gone"]

    monkeypatch.setattr(os, "walk", walk)
    close_to_others(tmp_path / "var")
    assert modes_below(tmp_path / "var") == {"var": "700"}


def test_a_folder_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    write(tmp_path / "var")
    with pytest.raises(SetupError, match="cannot be written"):
        take_data_folder(tmp_path / "var")
