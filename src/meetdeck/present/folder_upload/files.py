"""The templates in a folder, and the name of each."""

import unicodedata
from collections import Counter
from pathlib import Path
from typing import Final

from msgspec import Struct

from meetdeck.platform.errors import SetupError

_TEMPLATES: Final = frozenset({".pptx", ".potx", ".ppsx"})
_OTHERS: Final = frozenset({".ppt", ".pot", ".pps", ".pptm", ".potm", ".ppsm"})


class TemplateFile(Struct, frozen=True):
    """A file: `path` to open it, `shown` its path below the folder, `name` the template's.

    `rivals` are files of the same name, elsewhere in the folder; none of them is uploaded.
    """

    path: Path
    shown: str
    name: str
    rivals: tuple[str, ...] = ()


class Folder(Struct, frozen=True):
    """The templates in a folder and below, by path, and the number of PowerPoint files that cannot be templates."""

    files: tuple[TemplateFile, ...]
    others: int


def read_folder(folder: Path) -> Folder:
    """Return the templates in a folder and below, without hidden files and PowerPoint's lock files.

    Raises SetupError for anything but a folder, and for one without templates.
    """
    if not folder.is_dir():
        raise SetupError(f"{folder} is not a folder.")
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not _is_hidden(path.relative_to(folder)))
    templates = [path for path in paths if path.suffix.lower() in _TEMPLATES]
    if not templates:
        raise SetupError(f"{folder} contains no .pptx, .potx or .ppsx file.")
    shown = {path: path.relative_to(folder).as_posix() for path in templates}
    # macOS separates letters and their accents.
    names = {path: unicodedata.normalize("NFC", path.stem) for path in templates}
    times = Counter(names.values())
    files = (
        TemplateFile(
            path,
            shown[path],
            names[path],
            tuple(shown[other] for other in templates if names[other] == names[path] and other != path)
            if times[names[path]] > 1
            else (),
        )
        for path in templates
    )
    return Folder(tuple(files), sum(path.suffix.lower() in _OTHERS for path in paths))


def _is_hidden(path: Path) -> bool:
    return any(step.startswith((".", "~$")) for step in path.parts)
