"""Links: relationship parts as programs, and hyperlinks that go when their target is not in the deck."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit

from meetdeck.present.deck.fill import AddressHole, Alternative, Piece, Place, Program, Range, Slot
from meetdeck.present.deck.marks import Marks
from meetdeck.present.deck.markup import MC, A, Element, R, insert_after, insert_before
from meetdeck.present.deck.plan import show_slot
from meetdeck.present.deck.relationships import HYPERLINK, Relationship
from meetdeck.present.deck.syntax import Problem, Tag, scan
from meetdeck.present.deck.values import escape_attribute

_HEAD: Final = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
)
_TAIL: Final = b"</Relationships>"
_LINKS: Final = (A + "hlinkClick", A + "hlinkHover", A + "hlinkMouseOver")
_SHOW_ACTION: Final = re.compile(r"ppaction://customshow\?(?:.*&)?id=(\d+)")
_ENCODED_BRACES: Final = re.compile("%7([bBdD])")


def write_relationship(relationship: Relationship, target: Program) -> Program:
    """Return one Relationship element around a target that may have holes."""
    identifier, kind = escape_attribute(relationship.id), escape_attribute(relationship.type)
    mode = ' TargetMode="External"' if relationship.external else ""
    opening = f'<Relationship Id="{identifier}" Type="{kind}" Target="'.encode()
    return join((opening, *target, f'"{mode}/>'.encode()))


def written_target(relationship: Relationship) -> Program:
    """Return the target as the template has it."""
    return (escape_attribute(relationship.target).encode(),)


def moved_target(relationship: Relationship, slot: str) -> Program:
    """Return the target with its file name from a slot: copies stay in their original's folder."""
    folder, slash, _ = relationship.target.rpartition("/")
    return (escape_attribute(folder + slash).encode(), Slot(slot))


def relationships_part(relationships: Iterable[Program]) -> Program:
    """Return a whole relationships part."""
    return join((_HEAD, *(piece for program in relationships for piece in program), _TAIL))


def join(pieces: Iterable[bytes | Piece]) -> Program:
    """Return the pieces with neighbouring bytes made one."""
    program: list[bytes | Piece] = []
    for piece in pieces:
        if isinstance(piece, bytes) and program and isinstance(program[-1], bytes):
            program[-1] += piece
        elif piece != b"":
            program.append(piece)
    return tuple(program)


def tagged_address(relationship: Relationship) -> str | None:
    """Return a hyperlink's address with its braces undone from percent-encoding; None when it holds no tag."""
    if relationship.type != HYPERLINK or not relationship.external:
        return None
    address = _ENCODED_BRACES.sub(lambda match: "{" if match[1] in "bB" else "}", relationship.target)
    return address if "{{" in address else None


def compile_address(address: str, report: Callable[[Place, Problem], None]) -> tuple[Program, list[Tag]]:
    """Return an address as a program, and its tags."""
    place = Place("", 0, "hyperlink address")
    pieces: list[bytes | Piece] = []
    tags: list[Tag] = []
    position = 0
    # PowerPoint writes the spaces inside the braces as %20.
    address = address.replace("%20", " ")
    for start, end, what in scan(address):
        if isinstance(what, Problem):
            report(place, what)
            continue
        pieces.append(_escape_address(address[position:start]))
        position = end
        if isinstance(what, Tag):
            tags.append(what)
            pieces.append(AddressHole(what, place, whole=start == 0))
    pieces.append(_escape_address(address[position:]))
    return join(pieces), tags


def _escape_address(text: str) -> bytes:
    return escape_attribute(text.replace(" ", "%20")).encode()


def is_safe_address(address: str) -> bool:
    """Say whether an address from the data may stand in a deck: web, mail and telephone, no scripts, no local files."""
    try:
        return urlsplit(address).scheme.lower() in {"http", "https", "mailto", "tel", "sms", ""}
    except ValueError:
        return False


def mark_links(root: Element, slots: Mapping[str, str], marks: Marks) -> None:
    """Make every hyperlink a range whose target may be missing from the deck; `slots` by relationship id."""
    for element in list(root.iter(*_LINKS)):
        action = _SHOW_ACTION.match(element.get("action", "") or "")
        slot = show_slot(action[1]) if action else slots.get(element.get(R + "id", "") or "")
        if slot is not None:
            marks.wrap(element, lambda body, slot=slot: Range(slot, body))


def mark_zooms(root: Element, slots: Mapping[str, str], marks: Marks) -> None:
    """Let a slide zoom become its fallback picture when its slide is missing; `slots` by p:sldId/@id."""
    for choice in list(root.iter(MC + "AlternateContent")):
        zoom = next(choice.iter("{*}sldZmObj"), None)
        slot = slots.get(zoom.get("sldId", "") or "") if zoom is not None else None
        if slot is not None:
            _mark_alternative(choice, slot, marks)


def _mark_alternative(choice: Element, slot: str, marks: Marks) -> None:
    fallbacks: list[Program] = []

    def keep_fallback(body: Program) -> Piece:
        fallbacks.append(body)
        return Range("", body)

    def make(body: Program) -> Piece:
        return Alternative(slot, body, fallbacks[0] if fallbacks else ())

    fallback = choice.find(MC + "Fallback")
    children = list(fallback.iterchildren()) if fallback is not None else []
    if children:
        opening, closing = marks.range(keep_fallback)
        insert_before(children[0], opening)
        insert_after(children[-1], closing)
    marks.wrap(choice, make)
