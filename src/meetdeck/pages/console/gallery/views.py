"""What the gallery's pages show of lists: those that match, a page of them, and findings by slide."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Generic, NamedTuple, TypeVar

from meetdeck.pages.console.gallery.templates import Entry, Finding, Slide

T = TypeVar("T")


class Part(NamedTuple, Generic[T]):
    """A page of a list, its number from 1, and how many pages and items there are."""

    items: Sequence[T]
    number: int
    pages: int
    total: int


def cut(items: Sequence[T], number: int, size: int) -> Part[T]:
    """Return the page of that number, or the last one."""
    pages = max(1, -(-len(items) // size))
    number = min(max(1, number), pages)
    return Part(items[(number - 1) * size : number * size], number, pages, len(items))


def read_number(text: str | None, default: int = 1) -> int:
    """Return the whole number from 1 in an address's query, else the default."""
    return int(text) if text and text.isdecimal() and len(text) < 10 and int(text) > 0 else default  # noqa: PLR2004 - an int4


def matches(template: Entry, wanted: str) -> bool:
    """Return whether each word that is looked for is in a template's name, labels or customer type."""
    text = " ".join([template.name, template.customer_type, *template.labels]).casefold()
    return all(word in text for word in wanted.casefold().split())


def group_by_section(slides: Sequence[Slide]) -> list[tuple[str, list[Slide]]]:
    """Return slides that follow one another in a section, with its name; empty for none."""
    return [(section, list(group)) for section, group in groupby(slides, key=lambda slide: slide.section)]


def join_findings(findings: Sequence[Finding]) -> Mapping[str, Sequence[Finding]]:
    """Return findings by the name of their slide, empty for the file."""
    joined: dict[str, list[Finding]] = {}
    for finding in findings:
        joined.setdefault(finding.location, []).append(finding)
    return joined
