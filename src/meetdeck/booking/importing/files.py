"""Opening files of a given kind, or of the kind in their names."""

from collections.abc import Sequence
from pathlib import Path

from meetdeck.booking.importing.documents import Document
from meetdeck.booking.importing.kinds import IMPORTED, find_kind
from meetdeck.booking.importing.rows import Source
from meetdeck.booking.importing.spreadsheets import Spreadsheet
from meetdeck.booking.kinds import Kind
from meetdeck.platform.errors import SetupError


def open_files(paths: Sequence[Path], kind: Kind | None = None) -> list[Source]:
    """Return files of the given kind, or of the kinds in their names, opened. Raises SetupError."""
    return [_open(path, kind or find_kind(path.stem)) for path in paths]


def _open(path: Path, kind: Kind | None) -> Source:
    try:
        if path.suffix.lower() == ".json":
            return Document(path, path.read_bytes(), kind)
        path.open("rb").close()
    except OSError as error:
        raise SetupError(f"{path} cannot be read: {error.strerror}.") from None
    if path.suffix.lower() not in {".csv", ".tsv", ".txt"}:
        raise SetupError(f"{path} is neither .csv nor .json; save it as one of these.")
    if kind is None:
        names = ", ".join(f"{one.imported_as}.csv" for one in IMPORTED)
        raise SetupError(f"{path}: unknown contents. Name it like one of {names}, or use --kind.")
    return Spreadsheet(path, kind)
