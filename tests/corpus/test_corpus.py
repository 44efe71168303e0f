"""Other people's presentations: each gives decks that are as sound as it is, say what it says, and can be drawn.

`make corpus` downloads them and runs this; `make corpus DECKS=folder` takes the folder's along.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from corpus.building import ALL, TWICE, Outcome, build_apart
from corpus.open_xml_sdk import find_problems
from corpus.sources import DECKS
from corpus.texts import read_slide_texts
from meetdeck.present.deck import TemplateError, convert_template
from meetdeck.present.render.renderer import RenderingFailed
from support.package_checker.soundness import assert_sound

_MOST_MIB = 300


def test_decks_of_a_presentation_are_sound(
    presentation: Path,
    tmp_path: Path,
    validator: Path | None,
    render: Callable[[bytes], bytes],
    keep_outcome: Callable[[Outcome], None],
    record_property: Callable[[str, object], None],
) -> None:
    outcome = build_apart(presentation, tmp_path)
    keep_outcome(outcome)
    assert outcome.peak_mib < _MOST_MIB
    if outcome.refusals:
        return
    source = presentation.read_bytes()
    texts = read_slide_texts(source)
    for name, expected in ((ALL, texts), (TWICE, [text for text in reversed(texts) for _ in range(2)])):
        deck = (tmp_path / name).read_bytes()
        assert_sound(deck, source)
        opened: Any = Presentation(str(tmp_path / name))
        # Tags without data leave other text, and may leave other slides.
        if not outcome.tags:
            assert read_slide_texts(deck) == expected
            assert len(opened.slides) == len(expected)
        if validator:
            _assert_valid(validator, tmp_path / name, presentation)
        if outcome.slides > outcome.hidden and not _draws(render, source, deck):
            record_property("undrawn", name)


def test_what_stands_in_square_brackets_is_text(presentation: Path) -> None:
    if DECKS not in presentation.parents:
        pytest.skip("one's own presentations may have tags in square brackets")
    try:
        conversion = convert_template(presentation.read_bytes(), "braces")
    except TemplateError:
        return
    assert conversion.changes == ()


def _assert_valid(validator: Path, deck: Path, presentation: Path) -> None:
    problems = find_problems(validator, deck)
    if problems:
        known = find_problems(validator, presentation)
        problems = {problem: place for problem, place in problems.items() if problem not in known}
    assert not problems, f"the Open XML SDK finds in {deck.name}: {problems}"


def _draws(render: Callable[[bytes], bytes], source: bytes, deck: bytes) -> bool:
    """Return whether LibreOffice draws a page for each shown slide of the deck; fail when it draws the source alone."""
    try:
        render(deck)
    except RenderingFailed as problem:
        try:
            render(source)
        except RenderingFailed:
            return False
        pytest.fail(f"LibreOffice draws the presentation and not the deck: {problem}")
    return True
