"""The language that filled text says it is in (PowerPoint's proofing language), for spelling checks and screen readers.

A deck's language is said by `$locale` of the data, else by the tenant's locale where that is not the default. Then the
runs in which a tag stood carry it, and so do the document properties. Other runs keep what their author said.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, cast

from babel.core import get_global
from msgspec import Struct

from meetdeck.present.deck.fill import DEFAULT_LOCALE, Program, Scope, run
from meetdeck.present.deck.language.numbers import parse_locale
from meetdeck.present.deck.language.values import Unwritable, escape_attribute
from meetdeck.present.deck.marks import Marks
from meetdeck.present.deck.markup import A, Element, parse

LANGUAGE_TAG: Final = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
DC_LANGUAGE: Final = "{http://purl.org/dc/elements/1.1/}language"
_EMPTY_PROPERTIES: Final = f'<a:rPr xmlns:a="{A[1:-1]}"/>'.encode()
_EMPTY_LANGUAGE: Final = f'<dc:language xmlns:dc="{DC_LANGUAGE[1:-9]}"/>'.encode()
_RUNS: Final = (A + "r", A + "fld")
_LIKELY: Final = cast("Mapping[str, str]", get_global("likely_subtags"))


def said_language(data: Mapping[str, object], locale: str) -> str:
    """Return the language (BCP 47) that a slide's data, else its deck, says; empty when neither says one."""
    said = data.get("$locale")
    language = str(said) if said else "" if locale == DEFAULT_LOCALE else locale
    return _read_tag(language) if language else ""


@lru_cache(maxsize=256)
def _read_tag(locale: str) -> str:
    """Return a locale as a language tag, empty for what is none."""
    try:
        parse_locale(locale)
    except Unwritable:
        return ""
    tag = locale.replace("_", "-")
    return tag if LANGUAGE_TAG.fullmatch(tag) else ""


@lru_cache(maxsize=1_024)
def write_language(said: str, own: str) -> str:
    """Return the tag for a text whose author said `own`: `said`, but `en-GB` is good enough for `en`.

    A tag without a region gets the most likely one, since Office knows languages by their regions.
    """
    if not said or ("-" not in said and own.partition("-")[0].lower() == said.lower()):
        return own
    if "-" in said:
        return said
    _, _, region = _LIKELY.get(said, "").rpartition("_")
    return f"{said}-{region}" if region else said


class LanguageAttribute(Struct, frozen=True):
    """The attribute `lang` of a run's properties: the author's, `unsaid`, where nobody says another one than `own`."""

    own: str
    unsaid: bytes

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the attribute with a space before it; nothing when nobody says a language."""
        language = scope.language
        out.append(write_language_attribute(language, self.own) if language else self.unsaid)


@lru_cache(maxsize=1_024)
def write_language_attribute(said: str, own: str) -> bytes:
    """Return ` lang="da-DK"`, empty when nobody says a language."""
    language = write_language(said, own)
    return f' lang="{escape_attribute(language)}"'.encode() if language else b""


class LanguageText(Struct, frozen=True):
    """The deck's language as text, else the template's own."""

    own: str

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the tag."""
        out.append(escape_attribute(write_language(scope.language, self.own)).encode())


class IfLanguageIsSaid(Struct, frozen=True):
    """A stretch that the template does not have: it stands when the deck says a language."""

    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the stretch."""
        if scope.language:
            run(self.body, out, scope)


def mark_language(holder: Element, marks: Marks) -> None:
    """Mark a run or field with holes in its text with the deck's language."""
    properties = holder.find(A + "rPr")
    if properties is None:
        properties = parse(_EMPTY_PROPERTIES)
        holder.insert(0, properties)
        marks.wrap(properties, IfLanguageIsSaid)
    own = properties.get("lang", "") or ""
    properties.set("lang", marks.attribute(LanguageAttribute(own, write_language_attribute("", own))))


def mark_filled_runs(paragraph: Element, marks: Marks) -> None:
    """Mark the runs and fields of a paragraph that have holes in their text with the deck's language."""
    for holder in paragraph.iterchildren(*_RUNS):
        carrier = holder.find(A + "t")
        if carrier is not None and marks.has_hole(carrier.text or ""):
            mark_language(holder, marks)


def mark_document_language(properties: Element, marks: Marks) -> None:
    """Mark the core properties (Dublin Core's `language`) with the deck's language."""
    language = properties.find(DC_LANGUAGE)
    own = (language.text or "") if language is not None else ""
    if language is None:
        language = parse(_EMPTY_LANGUAGE)
        last = len(list(properties.iterchildren()))
        properties.insert(last, language)
        marks.wrap(language, IfLanguageIsSaid)
    language.text = marks.hole(LanguageText(own))
