"""The language attributes of filled text."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, cast

from babel.core import get_global
from msgspec import Struct

from meetdeck.present.deck.language.numbers import parse_locale
from meetdeck.present.deck.language.values import Unwritable, escape_attribute
from meetdeck.present.deck.program.scope import DEFAULT_LOCALE, Program, Scope, run

LANGUAGE_TAG: Final = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")


def find_language(data: Mapping[str, object], locale: str) -> str:
    """Return the language (BCP 47) of a slide's data, else of its deck; empty without one."""
    declared = data.get("$locale")
    language = str(declared) if declared else "" if locale == DEFAULT_LOCALE else locale
    return _read_tag(language) if language else ""


@lru_cache(maxsize=256)
def _read_tag(locale: str) -> str:
    """Return a locale as a language tag, empty for an invalid one."""
    try:
        parse_locale(locale)
    except Unwritable:
        return ""
    tag = locale.replace("_", "-")
    return tag if LANGUAGE_TAG.fullmatch(tag) else ""


@lru_cache(maxsize=1_024)
def write_language(language: str, own: str) -> str:
    """Return the language tag for a text: `language`, or the author's `own` of that language, like `en-GB` for `en`.

    A tag without a region gets the most likely one, since Office identifies languages by their regions.
    """
    if not language or ("-" not in language and own.partition("-")[0].lower() == language.lower()):
        return own
    if "-" in language:
        return language
    likely = cast("Mapping[str, str]", get_global("likely_subtags"))  # which babel reads when it is first asked
    _, _, region = likely.get(language, "").rpartition("_")
    return f"{language}-{region}" if region else language


class LanguageAttribute(Struct, frozen=True):
    """The attribute `lang` of a run's properties: the deck's language, else the author's."""

    own: str
    fallback: bytes

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the attribute with a space before it, if there is a language."""
        out.append(self.settle(scope.language))

    def settle(self, language: str) -> bytes:
        """Return the attribute for a deck's language."""
        return write_language_attribute(language, self.own) if language else self.fallback


@lru_cache(maxsize=1_024)
def write_language_attribute(language: str, own: str) -> bytes:
    """Return ` lang="da-DK"`, empty without a language."""
    language = write_language(language, own)
    return f' lang="{escape_attribute(language)}"'.encode() if language else b""


class LanguageText(Struct, frozen=True):
    """The deck's language as text, else the template's own."""

    own: str

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the tag."""
        out.append(escape_attribute(write_language(scope.language, self.own)).encode())


class IfLanguageIsSet(Struct, frozen=True):
    """A part of a program that is written only for a deck with a language of its own."""

    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the body when the deck has a language."""
        run(self.settle(scope.language), out, scope)

    def settle(self, language: str) -> Program:
        """Return the program to run for a deck's language."""
        return self.body if language else ()
