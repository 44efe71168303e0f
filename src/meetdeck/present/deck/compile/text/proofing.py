"""The language of filled text (PowerPoint's proofing language), for spelling checks and screen readers.

A deck's language is `$locale` of the data, else the tenant's locale if it is not the default. The runs that held a tag
carry it, and so do the document properties. Other runs keep their author's language.
"""

from functools import lru_cache
from typing import Final

from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.opc.xml import DC_LANGUAGE, A, Element, find_child, parse
from meetdeck.present.deck.program.text.language import (
    IfLanguageIsSet,
    LanguageAttribute,
    LanguageText,
    write_language_attribute,
)

_EMPTY_PROPERTIES: Final = f'<a:rPr xmlns:a="{A[1:-1]}"/>'.encode()
_EMPTY_LANGUAGE: Final = f'<dc:language xmlns:dc="{DC_LANGUAGE[1:-9]}"/>'.encode()
_RUNS: Final = (A + "r", A + "fld")
_TEXT: Final = A + "t"
_PROPERTIES: Final = A + "rPr"


def mark_language(holder: Element, markers: Markers) -> None:
    """Mark the language of a run or field that has values in its text."""
    properties = find_child(holder, _PROPERTIES)
    if properties is None:
        properties = parse(_EMPTY_PROPERTIES)
        holder.insert(0, properties)
        markers.wrap(properties, IfLanguageIsSet)
    _mark_properties(properties, markers)


def _mark_properties(properties: Element, markers: Markers) -> None:
    properties.set("lang", markers.attribute(_language_attribute(properties.get("lang", "") or "")))


@lru_cache(maxsize=256)  # a template has few languages
def _language_attribute(own: str) -> LanguageAttribute:
    return LanguageAttribute(own, write_language_attribute("", own))


def mark_filled_runs(paragraph: Element, markers: Markers) -> None:
    """Mark the language of a paragraph's runs and fields that have values in their text."""
    for holder in paragraph.iterchildren(*_RUNS):
        carrier = find_child(holder, _TEXT)
        if carrier is not None and markers.has_marker(carrier.text or ""):
            mark_language(holder, markers)


def mark_filled_run(carrier: Element, markers: Markers) -> None:
    """Mark the language of the run or field around an `a:t` with values."""
    before = carrier.getprevious()
    if before is not None and before.tag == _PROPERTIES:
        _mark_properties(before, markers)
        return
    holder = carrier.getparent()
    if holder is not None and holder.tag in _RUNS:
        mark_language(holder, markers)


def mark_document_language(properties: Element, markers: Markers) -> None:
    """Mark the language in the core properties (Dublin Core's `language`)."""
    language = properties.find(DC_LANGUAGE)
    own = (language.text or "") if language is not None else ""
    if language is None:
        language = parse(_EMPTY_LANGUAGE)
        last = len(list(properties.iterchildren()))
        properties.insert(last, language)
        markers.wrap(language, IfLanguageIsSet)
    language.text = markers.node(LanguageText(own))
