"""Fill a compiled part: run its program with one entry's data. This is the hot path; it never touches XML."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol
from urllib.parse import quote

from msgspec import Struct

from meetdeck.present.deck.errors import BadData
from meetdeck.present.deck.filters import apply_filters
from meetdeck.present.deck.findings import Finding, warning
from meetdeck.present.deck.syntax import Tag
from meetdeck.present.deck.values import (
    Unwritable,
    escape_attribute,
    escape_text,
    find_value,
    legal,
    needs_care,
    write_plain,
)

DEFAULT_LOCALE: Final = "en"


@dataclass(slots=True)
class Scope:
    """What a part is filled with.

    `slots` are bytes by name that only this slide's copy knows (file names, ids), `deck_slots` those that the whole
    deck shares (slide lists, counts); `dropped` names the ranges to leave out.
    """

    data: Mapping[str, object]
    slide: str
    position: int
    findings: list[Finding]
    locale: str = DEFAULT_LOCALE
    slots: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    deck_slots: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    dropped: frozenset[str] = frozenset()


class Piece(Protocol):
    """A hole or range of a program."""

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the bytes that stand here."""
        ...


Program = tuple[bytes | Piece, ...]


def fill(program: Program, scope: Scope) -> bytes:
    """Return the part's bytes. Raises `BadData` for a value that is no text."""
    out: list[bytes] = []
    run(program, out, scope)
    return b"".join(out)


def run(program: Program, out: list[bytes], scope: Scope) -> None:
    """Append a program's bytes."""
    for piece in program:
        if isinstance(piece, bytes):
            out.append(piece)
        else:
            piece.write(out, scope)


class Place(NamedTuple):
    """Where a tag stands, for messages: the shape's name, the paragraph's number in it, the kind of part."""

    shape: str
    paragraph: int
    part: str


def look_up(tag: Tag, place: Place, scope: Scope) -> str:
    """Return the text for a tag; empty, with a finding, when the data has none. Raises `BadData` for no text at all."""
    value = find_value(scope.data, tag.name, tag.path)
    try:
        if tag.filters:
            value = apply_filters(value, tag.filters, scope.locale)
        if isinstance(value, str):
            return value
        if value is None:
            scope.findings.append(_missing(tag, place, scope))
            return ""
        return write_plain(value)
    except Unwritable as problem:
        raise BadData(
            slide=scope.slide,
            shape=place.shape,
            tag=tag.source,
            path=tag.name,
            reason=str(problem),
            position_in_request=scope.position,
        ) from problem


def _missing(tag: Tag, place: Place, scope: Scope) -> Finding:
    return warning(
        "missing-value",
        f"The data has no value for {tag.source}; the text stays empty.",
        scope.slide,
        tag=tag.source,
        path=tag.name,
        shape=place.shape,
        paragraph=place.paragraph,
        part=place.part,
        position=scope.position,
    )


class TextHole(Struct, frozen=True):
    """A value inside `a:t`; `line_break` ends the run, breaks the line and begins a run of the same properties."""

    tag: Tag
    place: Place
    line_break: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the value's text."""
        text = look_up(self.tag, self.place, scope)
        if not needs_care(text):
            out.append(text.encode())
            return
        first, *others = legal(text).split("\n")
        out.append(escape_text(first).encode())
        for line in others:
            run(self.line_break, out, scope)
            out.append(escape_text(line).encode())


class AttributeHole(Struct, frozen=True):
    """A value inside an attribute, such as alternative text."""

    tag: Tag
    place: Place

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the value as attribute text."""
        out.append(escape_attribute(legal(look_up(self.tag, self.place, scope))).encode())


class AddressHole(Struct, frozen=True):
    """A value inside a hyperlink's address: a whole address keeps its punctuation, a part of one is percent-encoded."""

    tag: Tag
    place: Place
    whole: bool

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the value as part of a URI (RFC 3986)."""
        text = legal(look_up(self.tag, self.place, scope)).strip()
        safe = ":/?#[]@!$&'()*+,;=%-._~" if self.whole else "-._~"
        out.append(escape_attribute(quote(text, safe=safe)).encode())


class Slot(Struct, frozen=True):
    """Bytes that the deck provides under a name."""

    name: str

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the deck's bytes."""
        own = scope.slots.get(self.name)
        out.append(scope.deck_slots[self.name] if own is None else own)


class Range(Struct, frozen=True):
    """A stretch that is left out when the deck has dropped what it refers to."""

    name: str
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the stretch, unless it is dropped."""
        if self.name not in scope.dropped:
            run(self.body, out, scope)


class Alternative(Struct, frozen=True):
    """A stretch with a fallback for when the deck has dropped what the stretch refers to."""

    name: str
    body: Program
    fallback: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the stretch or its fallback."""
        run(self.fallback if self.name in scope.dropped else self.body, out, scope)
