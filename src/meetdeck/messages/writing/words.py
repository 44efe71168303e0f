"""The words that messages come with: texts and labels in each language, read from the files beside."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from meetdeck.messages.writing.kinds import TextKind

_FOLDER: Final = Path(__file__).parent / "words"


class Words(msgspec.Struct, frozen=True):
    """The words of a message: placeholders stand for what the meeting says."""

    subject: str
    """The line in lists of mails."""
    heading: str
    """The line above the message."""
    body: str
    """The paragraphs before the meeting's facts, blank lines between them."""
    closing: str
    """The paragraphs after the facts; empty: none."""


class Vocabulary(msgspec.Struct, frozen=True):
    """All words of a language."""

    labels: Mapping[str, str]
    words: Mapping[TextKind, Words]


@cache
def get_vocabulary(language: str) -> Vocabulary:
    """Return the words of a language of messages."""
    read = tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    labels = msgspec.convert(read.pop("labels"), dict[str, str])
    words = {TextKind(kind): msgspec.convert(given, Words) for kind, given in read.items()}
    return Vocabulary(labels, words)
