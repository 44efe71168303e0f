"""Texts of resources in the language of a page. Pure."""

from collections.abc import Mapping
from typing import TypeVar

_Words = TypeVar("_Words", str, list[str])


def find_words(localized: Mapping[str, _Words], language: str) -> _Words | None:
    """Return the words for a language among those by language tag, None if there are none."""
    return next((words for tag, words in localized.items() if tag.split("-")[0].lower() == language), None)
