"""Require of any input a refusal in words, or a deck that is as sound as its template."""

from collections.abc import Mapping
from typing import Final

from hypothesis import event

from meetdeck.present.deck import DeckError, SlideRequest, TemplateError, build_deck, compile_template
from support.fitting import EvenTypefaces
from support.package_checker.faults import new_faults
from support.package_checker.soundness import find_faults

# What no deck may have, however strange the XML of its template.
_NEVER: Final = frozenset({"zip", "broken-xml", "content-types", "relationships", "missing-part", "orphan", "slide-id"})
_STRANGE: Final = frozenset({"schema", "unknown-element"})


def build_all(template: bytes, data: Mapping[str, object]) -> bytes | None:
    """Build each slide twice, last to first, and check the deck; None when the engine refuses template or data.

    Any other exception than a DeckError, and a refused template without an Error, fails the test.
    """
    try:
        compiled = compile_template(template)
        requests = [SlideRequest(slide.name, data) for slide in reversed(compiled.slides) for _ in range(2)]
        deck = build_deck(compiled, requests, typefaces=EvenTypefaces()).content
    except DeckError as problem:
        refusal = problem
    else:
        event("built")
        _check(deck, template)
        return deck
    event(f"refused: {type(refusal).__name__}")
    assert str(refusal)
    if isinstance(refusal, TemplateError):
        assert any(finding.type == "Error" for finding in refusal.findings)
    return None


def _check(deck: bytes, template: bytes) -> None:
    """Assert that the deck has no fault of its own.

    Of markup that is against the schema nobody knows what it means: then the deck need only be a readable package.
    """
    known = find_faults(template)
    faults = new_faults(find_faults(deck), known)
    if any(fault.kind in _STRANGE for fault in known):
        faults = [fault for fault in faults if fault.kind in _NEVER]
    assert not faults, "\n".join(map(str, faults))
