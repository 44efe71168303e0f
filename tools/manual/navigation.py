"""The manual's order: sections by task with their pages, and a path for each kind of reader (docs/manual.toml)."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec

_TAKEN: Final = frozenset({"api", "index", "search"})
"""Names below `/docs` of no page: the API page, the first page, the list of all pages."""


class Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Pages of a section about one thing."""

    title: str
    pages: list[str]


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pages of one kind of task, in order."""

    name: str
    title: str
    lead: str
    icon: str
    pages: list[str]
    groups: list[Group] = []

    def list_pages(self) -> list[str]:
        """Return the names of its pages in order."""
        return [*self.pages, *(name for group in self.groups for name in group.pages)]


class Reader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pages that one kind of reader begins with."""

    name: str
    title: str
    lead: str
    pages: list[str]


class Navigation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The order of all pages."""

    sections: list[Section]
    readers: list[Reader]
    left_out: dict[str, str]
    words: dict[str, str] = {}
    """Words that readers search for and pages do not have, by page."""

    def list_pages(self) -> list[str]:
        """Return the names of all pages in order."""
        return [name for section in self.sections for name in section.list_pages()]

    def find_group(self, page: str) -> str:
        """Return the title of a page's group, or else of its section."""
        section = self.find_section(page)
        return next((group.title for group in section.groups if page in group.pages), section.title)

    def find_section(self, page: str) -> Section:
        """Return the section of a page."""
        return next(section for section in self.sections if page in section.list_pages())


class WrongNavigation(ValueError):  # noqa: N818 - named as the state it reports
    """The navigation names a page that does not exist, lacks one, or has one twice."""


def read_navigation(docs: Path, generated: Mapping[str, Iterable[str]]) -> Navigation:
    """Return the navigation, with the `generated` pages by group in its last section. Raises WrongNavigation."""
    navigation = msgspec.toml.decode((docs / "manual.toml").read_bytes(), type=Navigation)
    navigation.sections[-1].groups.extend(Group(title, [*pages]) for title, pages in generated.items())
    written = {path.relative_to(docs).with_suffix("").as_posix() for path in docs.rglob("*.md")}
    written = {name for name in written if not name.startswith("decisions/")}
    _check(navigation, written.union(*generated.values()))
    return navigation


def _check(navigation: Navigation, existing: set[str]) -> None:
    listed = navigation.list_pages()
    named = {*listed, *navigation.left_out}
    faults = [
        *(f"{name} is the address of something else" for name in sorted(existing & _TAKEN)),
        *(f"{name} is listed, and there is no such page" for name in sorted(named - existing)),
        *(f"{name} is in no section" for name in sorted(existing - named)),
        *(f"{name} has words, and there is no such page" for name in sorted({*navigation.words} - existing)),
        *(f"{name} is listed twice" for name in sorted({name for name in listed if listed.count(name) > 1})),
        *(
            f"{name} is on the path of the {reader.name}, and in no section"
            for reader in navigation.readers
            for name in reader.pages
            if name not in listed
        ),
    ]
    if faults:
        raise WrongNavigation(f"docs/manual.toml: {'; '.join(faults)}.")
