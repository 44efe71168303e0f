"""Fields for choosing one of many: a list if there are few, otherwise by typing (docs/decisions/0142).

Beside its value, such a field sends the typed text (`NAME.text`) and the text of its value (`NAME.was`): if they
differ, somebody has typed, and no script has found the meaning.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple
from urllib.parse import quote, urlencode

from meetdeck.pages.console.kit.api import ApiRefusal
from meetdeck.pages.console.kit.lists import read_search
from meetdeck.pages.console.kit.requests import ConsolePage
from meetdeck.pages.texts import mark

MOST_LISTED: Final = 50
"""The number of options that a list may have; more are found by typing."""
MOST_SUGGESTED: Final = 20


class Option(NamedTuple):
    """An option: its value, its name, what distinguishes it from others with that name, and the title of its kind."""

    value: str
    label: str
    hint: str = ""
    group: str = ""


class Picker(NamedTuple):
    """A field as pages show it.

    `options` are all options if it `is_listed`, otherwise those that a typed text may mean. `error` says what is wrong
    with that text.
    """

    name: str
    source: str
    value: str = ""
    text: str = ""
    options: Sequence[Option] = ()
    is_listed: bool = False
    error: str = ""

    @property
    def groups(self) -> Mapping[str, list[Option]]:
        """Return the options by the titles of their kinds."""
        groups: dict[str, list[Option]] = {}
        for one in self.options:
            groups.setdefault(one.group, []).append(one)
        return groups


class PickerKind(NamedTuple):
    """A kind of things: its title, the API's list of them, and the members with their values and names.

    `is_narrowed`: the API searches the list and answers parts of it; otherwise it is short enough to be read as a
    whole.
    """

    title: str
    path: str
    is_narrowed: bool = False
    value: str = "id"
    label: str = "name"
    hint: str = ""


KINDS: Final[Mapping[str, PickerKind]] = {
    "employee": PickerKind(mark("Employees"), "booking/employees", is_narrowed=True, hint="location"),
    "team": PickerKind(mark("Teams"), "booking/config/competence-groups"),
    "service-group": PickerKind(mark("Service groups"), "booking/config/service-groups"),
    "topic": PickerKind(mark("Meeting topics"), "booking/config/meeting-topics"),
    "room": PickerKind(mark("Rooms"), "booking/rooms", is_narrowed=True, hint="location"),
    "location": PickerKind(
        mark("Locations"), "booking/config/locations", value="location", label="location", hint="displayName"
    ),
}
SOURCES: Final[Mapping[str, tuple[str, ...]]] = {
    "employees": ("employee",),
    "rooms": ("room",),
    "competence-groups": ("team",),
    "service-groups": ("service-group",),
    "topics": ("topic",),
    "calendars": ("employee", "team", "room", "location"),
    "people-and-rooms": ("employee", "room"),
}
"""The kinds of things that a field offers; if there are several, values begin with the kind: `room.ID`."""


async def suggest(page: ConsolePage, source: str, text: str) -> list[Option]:
    """Return the options whose names contain a text, at most twenty, shared among the kinds."""
    found = [await _find(page, source, kind, text, MOST_SUGGESTED) for kind in SOURCES[source]]
    share = MOST_SUGGESTED // len(found)
    room = MOST_SUGGESTED - sum(min(len(options), share) for options in found)
    suggested: list[Option] = []
    for options in found:
        taken = options[: share + room]
        room -= max(0, len(taken) - share)
        suggested += taken
    return suggested


async def pick(page: ConsolePage, source: str, name: str, get: Callable[[str], str | None]) -> Picker:
    """Return the field for the values in an address or a form."""
    value, text, was = (read_search(get(f"{name}{part}")) for part in ("", ".text", ".was"))
    picker = Picker(name, source, value, text)
    listed = await _list_all(page, source)
    if listed is not None:
        is_known = any(one.value == value for one in listed)
        return picker._replace(value=value if is_known else "", options=listed, is_listed=True)
    if text == was:
        return await _name(page, picker)
    if not text:
        return picker._replace(value="")
    return await _search(page, picker)


async def show_value(page: ConsolePage, source: str, name: str, value: str) -> Picker:
    """Return the field for a value."""
    return await pick(page, source, name, {name: value}.get)


async def _name(page: ConsolePage, picker: Picker) -> Picker:
    """Return the field with the name of its value; empty if there is no such thing."""
    found = await find_option(page, picker.source, picker.value) if picker.value else None
    return picker._replace(value=found.value, text=found.label) if found else picker._replace(value="", text="")


async def _search(page: ConsolePage, picker: Picker) -> Picker:
    """Return the field with the one option that its text means, or else with those that it may mean."""
    found = await suggest(page, picker.source, picker.text)
    exactly = [one for one in found if one.label.casefold() == picker.text.casefold()]
    meant = exactly or found
    if len(meant) == 1:
        return picker._replace(value=meant[0].value, text=meant[0].label)
    translate = page.texts.translate
    error = translate("Several have this name: choose one of them.") if meant else translate("Nothing has this name.")
    return picker._replace(value="", options=meant, error=error)


async def _list_all(page: ConsolePage, source: str) -> list[Option] | None:
    """Return all options, None if there are too many for a list."""
    options: list[Option] = []
    for kind in SOURCES[source]:
        found = await _find(page, source, kind, "", MOST_LISTED + 1)
        if len(found) > MOST_LISTED:
            return None
        options += found
    return options


async def find_option(page: ConsolePage, source: str, value: str) -> Option | None:
    """Return an option by its value, None if it does not exist."""
    kinds = SOURCES[source]
    kind, _, key = value.partition(".") if len(kinds) > 1 else (kinds[0], "", value)
    if kind not in kinds:
        return None
    if KINDS[kind].value != "id":
        found = await page.api.get(KINDS[kind].path, list[dict[str, object]], **{KINDS[kind].value: key})
        return _make_option(page, source, kind, found[0]) if found else None
    try:
        thing = await page.api.get(f"{KINDS[kind].path}/{quote(key, safe='')}", dict[str, object])
    except ApiRefusal:
        return None
    return _make_option(page, source, kind, thing)


async def _find(page: ConsolePage, source: str, kind: str, text: str, most: int) -> list[Option]:
    """Return the options of a kind whose names contain all words of a text, up to a maximum."""
    if KINDS[kind].is_narrowed:
        found = await page.api.get(KINDS[kind].path, list[dict[str, object]], search=text or None, limit=most)
        return [_make_option(page, source, kind, one) for one in found]
    words = text.casefold().split()
    options = (
        _make_option(page, source, kind, one) for one in await page.api.get(KINDS[kind].path, list[dict[str, object]])
    )
    return [*islice((one for one in options if all(word in one.label.casefold() for word in words)), most)]


def _make_option(page: ConsolePage, source: str, kind: str, thing: Mapping[str, object]) -> Option:
    title, _, _, value, label, hint = KINDS[kind]
    key, name, more = (str(thing.get(member, "")) if member else "" for member in (value, label, hint))
    prefix, group = (f"{kind}.", page.texts.translate(title)) if len(SOURCES[source]) > 1 else ("", "")
    return Option(f"{prefix}{key}", name, more if more != name else "", group)


def write_address(path: str, query: Mapping[str, str], picker: Picker) -> str:
    """Return the address of a page whose field is filled in, without the texts that led to its value."""
    ours = {f"{picker.name}.text", f"{picker.name}.was"}
    kept = {name: value for name, value in query.items() if name not in ours}
    return f"{path}?{urlencode({**kept, picker.name: picker.value})}"
