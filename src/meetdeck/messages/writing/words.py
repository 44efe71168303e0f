"""Meetdeck's own words of messages: texts and labels in each language, read from the files beside this one."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from meetdeck.messages.writing.kinds import TextKind

_FOLDER: Final = Path(__file__).parent / "words"


class Words(msgspec.Struct, frozen=True):
    """The words of a message, with placeholders for the meeting's facts."""

    subject: str
    """The line in lists of mails."""
    heading: str
    """The line above the message."""
    body: str
    """The paragraphs before the meeting's facts, separated by blank lines."""
    closing: str
    """The paragraphs after the facts; empty: none."""


class Vocabulary(msgspec.Struct, frozen=True):
    """All words of a language."""

    labels: Mapping[str, str]
    words: Mapping[TextKind, Words]


@cache
def get_vocabulary(language: str) -> Vocabulary:
    """Return the words of messages in a language."""
    read = tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    labels = msgspec.convert(read.pop("labels"), dict[str, str])
    words = {TextKind(kind): msgspec.convert(given, Words) for kind, given in read.items()}
    return Vocabulary(labels, words)
