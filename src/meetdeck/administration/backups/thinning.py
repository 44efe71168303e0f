"""Deleting old backups of the same series: files whose names differ only in their date or number."""

import re
from pathlib import Path
from stat import S_ISREG
from typing import Final

from meetdeck.administration.archives.writing import STDOUT
from meetdeck.platform.errors import SetupError

_DATE: Final = r"(?<!\d)\d{4}-?\d\d-?\d\d(?:[T_.-]?\d\d[:.-]?\d\d(?:[:.-]?\d\d)?)?(?!\d)"
_LAST_NUMBER: Final = r"\d+(?!.*\d)"
_STAMP: Final = re.compile(f"(?P<date>{_DATE})|{_LAST_NUMBER}")


def read_series(path: Path) -> re.Pattern[str]:
    """Return a pattern for the names of all backups in the series of `path`; they differ in their date or last number.

    Everything else in the name must be equal: `bank1-2026-11-22.tar.gz` is not in the series of
    `bank2-2026-11-22.tar.gz`. Raises SetupError for a name without a date or number, and for stdout.
    """
    stamp = _STAMP.search(path.name)
    if path == STDOUT or stamp is None:
        raise SetupError(
            f"--keep needs a file with a date or number in its name, as 2026-11-22.tar.gz; {path} has none, so it is "
            "not known which files are older backups."
        )
    any_stamp = re.sub(r"\d", r"\\d", re.escape(stamp[0])) if stamp["date"] else r"\d+"
    return re.compile(re.escape(path.name[: stamp.start()]) + any_stamp + re.escape(path.name[stamp.end() :]), re.ASCII)


def delete_older(path: Path, keep: int) -> list[Path]:
    """Delete all but the `keep` newest backups in the series of `path`, itself the newest; return the deleted ones.

    Folders, links and files with other names are kept. Raises SetupError if one cannot be deleted.
    """
    series = read_series(path)
    try:
        others = [(each, each.lstat()) for each in path.parent.iterdir() if series.fullmatch(each.name)]
        backups = [(found.st_mtime_ns, each) for each, found in others if S_ISREG(found.st_mode)]
        older = [each for _, each in sorted(backups, reverse=True) if each.name != path.name][keep - 1 :]
        for each in older:
            each.unlink(missing_ok=True)
    except OSError as error:
        raise SetupError(
            f"{path} is complete, but older backups could not be deleted ({error}). Delete them yourself, and "
            f"check who "
            f"may write {path.parent}."
        ) from error
    return older
