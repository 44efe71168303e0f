"""The layout of messages: made of its MJML, and alone with what it says."""

import re
import subprocess
import sys
from pathlib import Path

from msgspec.structs import replace

from meetdeck.messages.writing.kinds import TextKind
from meetdeck.messages.writing.letters import write_letter
from meetdeck.messages.writing.placeholders import Placeholder, find_faults
from meetdeck.messages.writing.samples import make_sample
from meetdeck.messages.writing.words import get_vocabulary

LANGUAGES = ("en", "da")
_LAYOUTS = Path(__file__).parents[3] / "assets/layouts.py"


def test_the_html_is_what_the_mjml_says() -> None:
    command = [sys.executable, _LAYOUTS, "--check"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - our own script
    assert done.stderr == ""


def test_a_message_loads_nothing_from_anywhere() -> None:
    for language in LANGUAGES:
        words = get_vocabulary(language).words[TextKind.INVITATION]
        html = write_letter(make_sample(TextKind.INVITATION, language, words)).html
        assert re.findall(r"(?:src|url|@import|<link|<script)", html) == []
        assert {address for address in re.findall(r'https?://[^"\s<]+', html) if "w3.org" not in address} == {
            "https://example.com/p/nordlys"
        }


def test_every_language_has_words_for_every_kind_and_the_same_labels() -> None:
    first, second = (get_vocabulary(language) for language in LANGUAGES)
    assert set(first.words) == set(second.words) == set(TextKind)
    assert set(first.labels) == set(second.labels)
    for vocabulary in (first, second):
        for words in vocabulary.words.values():
            for text in (words.subject, words.heading, words.body, words.closing):
                assert list(find_faults(text, "")) == []


def test_a_value_is_not_read_again() -> None:
    words = get_vocabulary("en").words[TextKind.INVITATION]
    letter = make_sample(TextKind.INVITATION, "en", words)
    written = write_letter(replace(letter, values={**letter.values, Placeholder.NAME: "{{cpr}} {% x %} <i>"}))
    assert "Hello {{cpr}} {% x %} <i>," in written.text
    assert "<i>" not in written.html
