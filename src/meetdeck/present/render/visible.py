"""The files of this machine that a confined LibreOffice may read: its programs, their libraries, and fonts."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

_LIBRARIES: Final = (
    *("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib"),
    *("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime"),
)
# Folders in which distributions have parts of LibreOffice, and data of its drawing libraries.
_DATA: Final = (
    *("/etc/libreoffice", "/usr/share/libreoffice", "/var/lib/libreoffice", "/var/spool/libreoffice"),
    *("/usr/share/hunspell", "/usr/share/hyphen", "/usr/share/myspell", "/usr/share/mythes", "/usr/share/liblangtag"),
    *("/usr/share/icu", "/usr/share/locale", "/usr/share/zoneinfo"),
)
_FONTS: Final = (
    *("/etc/fonts", "/usr/share/fontconfig", "/var/cache/fontconfig"),
    *("/usr/share/fonts", "/usr/local/share/fonts"),
)
_FONTCONFIG: Final = Path("/etc/fonts/fonts.conf")
_PROGRAM_FOLDERS: Final = {"program", "MacOS"}


def list_visible(soffice: Path) -> list[str]:
    """Return the files and folders to show, in no order; some may not exist, be links, or be inside others."""
    return [*_LIBRARIES, *_DATA, *map(str, _installation(soffice)), *list_fonts(_FONTCONFIG, _FONTS)]


def list_libraries_and_fonts() -> list[str]:
    """Return the readable files for a program other than LibreOffice that draws text."""
    return [*_LIBRARIES, *list_fonts(_FONTCONFIG, _FONTS)]


def _installation(soffice: Path) -> Iterator[Path]:
    """Return the folder that LibreOffice is installed in, by the given name and by its own."""
    for executable in (soffice, soffice.resolve()):
        folder = executable.parent
        yield folder.parent if folder.name in _PROGRAM_FOLDERS else executable


def list_fonts(fontconfig: Path, usual: Iterable[str]) -> set[str]:
    """Return the usual folders of fonts, fontconfig's, and those that links in any of them lead to."""
    folders = {*usual, *_read_fontconfig(fontconfig)}
    links = (
        Path(parent, name)
        for folder in folders
        for parent, *names in os.walk(folder)
        for name in (*names[0], *names[1])
        if Path(parent, name).is_symlink()
    )
    return folders | {os.path.realpath(link) for link in links}


def _read_fontconfig(main: Path) -> set[str]:
    """Return the folders of fonts and caches, and the files of settings, in fontconfig's own settings."""
    named = set[str]()
    unread = [main]
    while unread:
        path = unread.pop()
        if str(path) in named:
            continue
        named.add(str(path))
        try:
            if path.is_dir():
                unread += path.glob("*.conf")
                continue
            settings = ET.parse(path).getroot()  # noqa: S314 - the administrator's own file
        except (OSError, ET.ParseError):  # fontconfig passes it over too
            continue
        texts = [(entry.tag, (entry.text or "").strip()) for entry in settings]
        named |= {text for tag, text in texts if tag in {"dir", "cachedir"} and text.startswith("/")}
        unread += [main.parent / text for tag, text in texts if tag == "include" and not text.startswith("~")]
    return named - {"/"}
