"""The manual as files with relative links, which a browser opens from a disk."""

import shutil
from pathlib import Path

from meetdeck.pages.files import get_fonts
from meetdeck.pages.manual import made
from meetdeck.pages.manual.links import place_links, remove_links_to_installation
from meetdeck.platform.errors import SetupError


def export_manual(folder: Path, *, overwrite: bool = False) -> int:
    """Write all pages and their files into a folder, and return the number of pages. Raises SetupError.

    Links to the installation are left out. Browsers load no index from a disk, so none is written.
    """
    if not made.is_made():
        raise SetupError("The manual is not in this installation. In a clone, scripts/setup.sh run makes it.")
    if folder.exists() and not folder.is_dir():
        raise SetupError(f"{folder} is a file. Name a folder.")
    if folder.is_dir() and any(folder.iterdir()) and not overwrite:
        raise SetupError(f"{folder} is not empty. Name another folder, or add --force to write into it.")
    try:
        return _write(folder)
    except OSError as error:
        raise SetupError(f"The manual could not be written to {folder}: {error.strerror}.") from error


def _write(folder: Path) -> int:
    names = made.list_pages()
    for name in names:
        path = folder / f"{name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        html = remove_links_to_installation(made.read_page(name))
        path.write_text(place_links(html, f"{name}.html", _place), encoding="utf-8")
    shutil.copytree(made.MADE / "images", folder / "images", dirs_exist_ok=True)
    files = folder / "files"
    files.mkdir(exist_ok=True)
    for file in (*made.get_files().values(), *get_fonts().values()):
        (files / file.name).write_bytes(file.content)
    shutil.copyfile(made.ICON, files / "icon.svg")
    return len(names)


def _place(kind: str, name: str) -> str:
    """Return the place of a target of the manual's links in the folder."""
    if kind == "file":
        return f"files/{'icon.svg' if name == 'icon' else made.get_files()[name].name}"
    return {"page": f"{name}.html", "image": f"images/{name}"}.get(kind, "index.html")
