"""The parts of the console, in the groups and the order of its menu: each is shown to people who may open it."""

from typing import Final, NamedTuple

from meetdeck.pages.console.kit.roles import Role
from meetdeck.pages.console.kit.sessions.schemas import Firm
from meetdeck.pages.texts import Texts, mark

_MOST_COUNTED: Final = 99


class Entry(NamedTuple):
    """A part of the console: its words in English, its path below `/console`, its icon and its key after `g`."""

    title: str
    path: str
    icon: str
    key: str


class Group(NamedTuple):
    """Entries below one heading, which is empty in the first group."""

    title: str
    entries: tuple[Entry, ...]


class ShownEntry(NamedTuple):
    """An entry as the menu shows it; `is_current` marks the reader's page."""

    title: str
    path: str
    icon: str
    key: str
    is_current: bool
    waits: str = ""
    """The number of things that wait there; empty if none."""
    told: str = ""
    """The sentence about their number for screen readers."""


class ShownGroup(NamedTuple):
    """A group as the menu shows it."""

    title: str
    entries: list[ShownEntry]


GROUPS: Final = (
    Group(
        "",
        (
            Entry(mark("Overview"), "", "sun", "o"),
            Entry(mark("Calendar"), "calendar", "calendar-days", "c"),
            Entry(mark("Book"), "book", "calendar-plus", "b"),
            Entry(mark("Waiting list"), "wishes", "hourglass", "w"),
        ),
    ),
    Group(
        mark("Decks"),
        (
            Entry(mark("Build a deck"), "decks", "presentation", "d"),
            Entry(mark("Templates"), "templates", "layout-template", "t"),
        ),
    ),
    Group(
        mark("Firm"),
        (
            Entry(mark("Working hours"), "hours", "clock", "h"),
            Entry(mark("Absences"), "absences", "plane", "a"),
            Entry(mark("Reports"), "reports", "chart-no-axes-column", "r"),
            Entry(mark("Connections"), "connections", "network", "n"),
            Entry(mark("Settings"), "settings", "settings", "s"),
            Entry(mark("Audit log"), "audit-log", "history", "l"),
        ),
    ),
)


def list_groups(texts: Texts, role: Role, path: str, firm: Firm | None) -> list[ShownGroup]:
    """Return the menu for a person with a role at a path below `/console`, without empty groups."""
    here = path.strip("/")
    counts = _count(texts, role, firm) if firm is not None else {}
    groups = [
        ShownGroup(
            texts.translate(group.title) if group.title else "",
            [
                ShownEntry(
                    texts.translate(entry.title),
                    entry.path,
                    entry.icon,
                    entry.key,
                    _contains(entry.path, here),
                    *counts.get(entry.path, ()),
                )
                for entry in group.entries
                if role.may_open(entry.path)
            ],
        )
        for group in GROUPS
    ]
    return [group for group in groups if group.entries]


def _count(texts: Texts, role: Role, firm: Firm) -> dict[str, tuple[str, str]]:
    """Return the counts beside entries, by path: waiting customers, and what only administrators can fix."""
    counted = {"wishes": (firm.waiting, texts.translate_plural("{number} waits", "{number} wait", firm.waiting))}
    if role.may_open("settings/webhooks"):
        told = texts.translate_plural(
            "{number} message is not delivered", "{number} messages are not delivered", firm.undelivered
        )
        counted[""] = (firm.undelivered, told)
    return {path: (_write(number), words) for path, (number, words) in counted.items() if number}


def _write(number: int) -> str:
    return str(number) if number <= _MOST_COUNTED else f"{_MOST_COUNTED}+"


def _contains(entry: str, here: str) -> bool:
    return here == entry or (entry != "" and here.startswith(f"{entry}/"))
