"""Nodes of text and structure: values, addresses, slots, blocks, and ranges that are dropped with a shape."""

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final
from uuid import UUID, uuid5

from msgspec import Struct

from meetdeck.present.deck.findings import Place, warning
from meetdeck.present.deck.language.addresses import encode_address, find_fault, finish_address
from meetdeck.present.deck.language.constructs import BlockStart, Directive, Tag
from meetdeck.present.deck.language.expressions.lists import join_place, places_of
from meetdeck.present.deck.language.values import (
    ABSENT,
    escape_attribute,
    escape_text,
    is_list,
    is_true,
    legal,
)
from meetdeck.present.deck.program.glyphs import report_undrawable
from meetdeck.present.deck.program.names import Item
from meetdeck.present.deck.program.scope import (
    Program,
    RepeatedProgram,
    Scope,
    data_path,
    render,
    report_missing,
    resolve,
    resolve_text,
    run,
)
from meetdeck.present.deck.program.text.direction import among_ltr, among_rtl

# A run or field as written, its prefix with the colon; it has no `a:rPr`.
_RUN_START: Final = re.compile(rb"<((?:[\w.-]+:)?)(r|fld)[ >]")
# The node for all items is made once, and pays off with the second item.
_FEWEST_TOGETHER: Final = 2
_COPIED_GUIDS: Final = UUID("3f0c52ab-6a0e-5f0d-8a4c-5a9f4f2d8e21")


class TextValue(Struct, frozen=True, gc=False):
    """A value inside the `a:t` of a run or field; `is_among_ltr`: among words that are read from left to right."""

    tag: Tag
    place: Place
    is_among_ltr: bool = False

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the value's text."""
        text = resolve_text(self.tag, self.place, scope)
        if not text.isascii():
            report_undrawable(text, self.place, scope)
            if self.is_among_ltr:
                text = among_ltr(text)
        if text.isprintable():
            out.append(escape_text(text).encode())
        else:
            _append_lines(text, out)


class RtlTextValue(Struct, frozen=True, gc=False):
    """A value inside the `a:t` of a run of a paragraph that is read from right to left."""

    tag: Tag
    place: Place

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the value's text."""
        text = resolve_text(self.tag, self.place, scope)
        if not text.isascii():
            report_undrawable(text, self.place, scope)
        _append_lines(among_rtl(text), out)


def _append_lines(text: str, out: list[bytes]) -> None:
    first, *others = legal(text).split("\n")
    line_break = _line_break_behind(out) if others else b""
    out.append(escape_text(first).encode())
    for line in others:
        out += (line_break, escape_text(line).encode())


def _line_break_behind(out: Sequence[bytes]) -> bytes:
    """Return the XML that breaks the line in the last run: its end, a break, and a run of the same properties.

    It is found in the output: few values have line breaks, and compiling one for each tag would cost more.
    """
    written = b""
    for piece in reversed(out):
        written = piece + written
        if starts := list(_RUN_START.finditer(written)):
            break
    else:
        return b" "
    start = starts[-1]
    prefix, name = start.groups(b"")
    if name == b"fld":
        # A field has one line.
        return b" "
    inside = written[start.end() - 1 :]
    properties = inside[inside.index(b">") + 1 : inside.rindex(b"<%st" % prefix)]
    line_end = b"<%sbr>%s</%sbr>" % (prefix, properties, prefix) if properties else b"<%sbr/>" % prefix
    return b"</%st></%sr>%s<%sr>%s<%st>" % (prefix, prefix, line_end, prefix, properties, prefix)


class PlainValue(Struct, frozen=True, gc=False):
    """A value inside an attribute, such as alternative text, or an element with nothing but text."""

    tag: Tag
    place: Place

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the value as attribute text."""
        out.append(escape_attribute(legal(resolve_text(self.tag, self.place, scope))).encode())


class LiteralValue(Struct, frozen=True):
    """A value inside of plain text that is not XML."""

    tag: Tag
    place: Place

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the value's text."""
        out.append(legal(resolve_text(self.tag, self.place, scope)).encode())


class AddressValue(Struct, frozen=True):
    """A value inside a hyperlink's address; `whole` when the address, or its part after `//`, begins with it."""

    tag: Tag
    place: Place
    whole: bool

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the value as part of a URI."""
        out.append(encode_address(legal(resolve_text(self.tag, self.place, scope)), whole=self.whole).encode())


class Hyperlink(Struct, frozen=True):
    """A hyperlink element whose address has tags: left out when the address is empty or unsafe.

    `slot` is the slot of the body's `r:id`.
    """

    slot: str
    address: Program
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the element, and add its relationship to the part."""
        noticed = len(scope.findings)
        address = finish_address(render(self.address, scope).decode())
        is_missing = len(scope.findings) > noticed and find_fault(address)
        if address and not is_missing and allow_address(address, scope):
            scope.slots[self.slot] = scope.relationships.add_address(address)
            run(self.body, out, scope)


def allow_address(address: str, scope: Scope) -> bool:
    """Return whether an address is allowed in a deck; report it when it is not."""
    fault = find_fault(address)
    if not fault:
        return True
    message = f"The address {address[:80]!r} {fault}; the link is left out."
    scope.findings.append(warning("unsafe-address", message, scope.slide, position=scope.position))
    return False


class Slot(Struct, frozen=True):
    """Bytes that the deck provides under a name."""

    name: str

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the deck's bytes."""
        own = scope.slots.get(self.name)
        out.append(scope.deck_slots[self.name] if own is None else own)


class CopiedGuid(Struct, frozen=True):
    """A GUID that must be unique in the file: the template's own on the slide itself, another on each copy.

    `slot` names the slide's id, which is `own` on the slide itself.
    """

    guid: str
    slot: str
    own: bytes

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the GUID, always the same for one copy."""
        slide_id = scope.slots[self.slot]
        other = f"{{{uuid5(_COPIED_GUIDS, f'{self.guid}/{slide_id.decode()}')}}}".upper()
        out.append((self.guid if slide_id == self.own else other).encode())


class Droppable(Struct, frozen=True):
    """A part of a program that is left out when the deck has dropped its target."""

    name: str
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the body, unless its target is dropped."""
        if self.name not in scope.dropped:
            run(self.body, out, scope)


class AnyTarget(Struct, frozen=True):
    """A part of a program that needs one of several targets, and the fallback for when all are dropped.

    `targets` are sets of names: a target is dropped when one of its names is.
    """

    targets: tuple[frozenset[str], ...]
    body: Program
    fallback: Program = ()

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the body or the fallback."""
        is_left = any(target.isdisjoint(scope.dropped) for target in self.targets)
        run(self.body if is_left else self.fallback, out, scope)


class Block(Struct, frozen=True):
    """A block: repeats per item of a list; for any other true value, once; inverted: only for a false value."""

    start: BlockStart
    place: Place
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the body once for each item."""
        value = resolve(self.start, scope, self.place)
        if self.start.inverted:
            if not is_true(value):
                run(self.body, out, scope)
            return
        if value is ABSENT and not self.start.is_condition:
            report_missing(self.start, self.place, scope, "the block is left out")
        elif value is True:
            # A condition; the surrounding item stays the current one.
            run(self.body, out, scope)
            return
        if is_list(value) and write_together(self.body, value, out, scope):
            return
        outer, items = scope.items, items_of(self.start, value, scope)
        for item in items:
            scope.calculation.step()
            scope.items = (item, *outer)
            run(self.body, out, scope)
        scope.items = outer


def write_together(body: Program, items: Sequence[object], out: list[bytes], scope: Scope) -> bool:
    """Append a program for all items of a list at once; False, appending nothing, when they are written one by one."""
    written = list_together(body, items, scope)
    if written is None:
        return False
    out += chain.from_iterable(written)
    return True


def list_together(body: Program, items: Sequence[object], scope: Scope) -> list[Iterable[bytes]] | None:
    """Return a program's bytes for each item of a list; None when they are written one by one."""
    if len(items) < _FEWEST_TOGETHER or not isinstance(body, RepeatedProgram):
        return None
    node = body.items_in(scope.language)
    written = node.list_items(scope, items) if node else None
    if written is not None:
        scope.calculation.step(len(items))
    return written


def items_of(expression: BlockStart | Directive, value: object, scope: Scope) -> list[Item]:
    """Return the items that a value repeats for: a list's own; for any other true value, the value itself."""
    if not is_true(value):
        return []
    path = data_path(expression, scope)
    if is_list(value):
        count, places = len(value), places_of(value)
        if path and isinstance(places, range):
            # As nearly all lists, and joining their paths would take half of the time.
            return [Item(member, f"{path}.{at}", at, count) for at, member in enumerate(value)]
        return [
            Item(member, join_place(path, place), at, count)
            for at, (member, place) in enumerate(zip(value, places, strict=True))
        ]
    return [Item(value, path, -1, 1)]


class WithFallback(Struct, frozen=True):
    """A part of a program that the schema does not allow to be empty: `fallback` replaces an empty one."""

    body: Program
    fallback: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the body, or the fallback."""
        inside = render(self.body, scope)
        if b"<" in inside:
            out.append(inside)
        else:
            run(self.fallback, out, scope)
