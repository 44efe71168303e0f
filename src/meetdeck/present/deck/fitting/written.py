"""Running a program to measure its output, as bytes and as elements."""

from collections import defaultdict

from msgspec.structs import replace

from meetdeck.present.deck.opc.xml import Element, parse
from meetdeck.present.deck.program.media import NewRelationships
from meetdeck.present.deck.program.scope import Program, Scope, render
from meetdeck.present.deck.program.slide_parts import SlidePart, Tally


def join_static(body: Program) -> bytes:
    """Return a program's output that does not depend on the data."""
    return b"".join([node for node in body if isinstance(node, bytes)])


def write_whole(body: Program, tally: Tally, scope: Scope, dropped: frozenset[str]) -> bytes:
    """Return a whole story, however many slides it takes; its findings are left to these slides."""
    whole = replace(
        scope,
        findings=[],
        dropped=dropped,
        slots=defaultdict(bytes),
        deck_slots=defaultdict(bytes),
        relationships=NewRelationships(),
        animations=None,
        slide_part=SlidePart(tally=tally),
        grown={},
    )
    return render(body, whole)


def parse_inside(opening: bytes, written: bytes) -> Element:
    """Return the one element in written XML."""
    (element,) = parse(opening + written + b"</w>").iterchildren()
    return element
