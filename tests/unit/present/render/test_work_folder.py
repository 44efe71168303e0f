import os
from pathlib import Path

from meetdeck.present.render.work_folder import WorkFolder


def test_each_process_gets_a_folder_of_its_own_and_all_go_with_the_owner(tmp_path: Path) -> None:
    folder = WorkFolder(tmp_path)
    first, second = folder.next_process(), folder.next_process()
    assert first != second
    (first / "profile").mkdir(parents=True)
    folder.remove()
    assert list(tmp_path.iterdir()) == []


def test_what_a_dead_owner_left_is_swept_and_a_living_owner_is_spared(tmp_path: Path) -> None:
    living = WorkFolder(tmp_path)
    dead = tmp_path / "meetdeck-office-dead"
    (dead / "0" / "profile").mkdir(parents=True)
    young = tmp_path / "meetdeck-office-young"
    young.mkdir()
    other = tmp_path / "something-else"
    other.mkdir()
    for path in (living.path, dead, other):
        os.utime(path, (0, 0))
    sweeping = WorkFolder(tmp_path)
    sweeping.sweep()
    assert set(tmp_path.iterdir()) == {living.path, young, other, sweeping.path}
    living.remove()
    sweeping.remove()
