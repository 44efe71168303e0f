"""The parts of the console, in the order of its menu: each is shown to those who may open it."""

from typing import Final, NamedTuple

from meetdeck.pages.console.kit.roles import Role
from meetdeck.pages.texts import Texts, mark


class Entry(NamedTuple):
    """A part of the console: its words in English, and its path below `/console`."""

    title: str
    path: str


class ShownEntry(NamedTuple):
    """An entry as the menu shows it; the current one is where the reader is."""

    title: str
    path: str
    is_current: bool


ENTRIES: Final = (
    Entry(mark("Overview"), ""),
    Entry(mark("Calendar"), "calendar"),
    Entry(mark("Book"), "book"),
    Entry(mark("Waiting list"), "wishes"),
    Entry(mark("Build a deck"), "decks"),
    Entry(mark("Templates"), "templates"),
    Entry(mark("Working hours"), "hours"),
    Entry(mark("Absences"), "absences"),
    Entry(mark("Reports"), "reports"),
    Entry(mark("Settings"), "settings"),
    Entry(mark("Audit log"), "audit-log"),
)


def list_entries(texts: Texts, role: Role, path: str) -> list[ShownEntry]:
    """Return the menu of somebody with a role who is at a path below `/console`."""
    here = path.strip("/")
    return [
        ShownEntry(texts.say(entry.title), entry.path, _contains(entry.path, here))
        for entry in ENTRIES
        if role.may_open(entry.path)
    ]


def _contains(entry: str, here: str) -> bool:
    return here == entry or (entry != "" and here.startswith(f"{entry}/"))
