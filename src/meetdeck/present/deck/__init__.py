"""The deck engine: pure, bytes in, bytes out.

`compile_template` reads a file once; `build_deck` and `whole_deck` make decks from it, from any thread.
`write_template` and `read_template` keep a compiled template as bytes.
"""

from meetdeck.present.deck.build.deck import Deck, SlideRequest, build_deck, whole_deck
from meetdeck.present.deck.compile.template import compile_template, validate_template
from meetdeck.present.deck.conversion.template import Change, Conversion, convert_template
from meetdeck.present.deck.errors import (
    Absence,
    BadData,
    DeckError,
    DeckTooLarge,
    EmptyDeck,
    MissingSharedSlide,
    TemplateError,
    UnknownSlide,
)
from meetdeck.present.deck.fields.tags import Occurrence, TagInfo
from meetdeck.present.deck.findings import Finding, has_errors
from meetdeck.present.deck.language.addresses import has_safe_scheme
from meetdeck.present.deck.language.shared_slides import Reference, SlideReference, Theme
from meetdeck.present.deck.language.spelling import Spelling
from meetdeck.present.deck.limits import DEFAULT_LIMITS, RENDERING_LIMITS, Limits
from meetdeck.present.deck.opc.strict import as_transitional
from meetdeck.present.deck.outline.outline import Chapter, Outline, read_outline
from meetdeck.present.deck.outline.slide_links import address_slide_links, find_slide_link
from meetdeck.present.deck.outline.speaker_notes import Notes, NotesParagraph, NotesSpan, read_notes
from meetdeck.present.deck.outline.spoken import SpokenSlide, read_spoken
from meetdeck.present.deck.presentation.alternatives import Alternative
from meetdeck.present.deck.presentation.names import split_section_name
from meetdeck.present.deck.program.images.pictures import Drawer, NoPicture, Picture
from meetdeck.present.deck.program.scope import DEFAULT_LOCALE
from meetdeck.present.deck.program.template import SectionInfo, SlideInfo, Template
from meetdeck.present.deck.program.typefaces import Typeface, Typefaces
from meetdeck.present.deck.records import DamagedRecordsError, UnwritableRecordsError, read_template, write_template
from meetdeck.present.deck.sharing.resolving import TemplateFile
from meetdeck.present.deck.sharing.sharing import SHARING_CODES, SharedTemplate, share_slides

__all__ = [
    "DEFAULT_LIMITS",
    "DEFAULT_LOCALE",
    "RENDERING_LIMITS",
    "SHARING_CODES",
    "Absence",
    "Alternative",
    "BadData",
    "Change",
    "Chapter",
    "Conversion",
    "DamagedRecordsError",
    "Deck",
    "DeckError",
    "DeckTooLarge",
    "Drawer",
    "EmptyDeck",
    "Finding",
    "Limits",
    "MissingSharedSlide",
    "NoPicture",
    "Notes",
    "NotesParagraph",
    "NotesSpan",
    "Occurrence",
    "Outline",
    "Picture",
    "Reference",
    "SectionInfo",
    "SharedTemplate",
    "SlideInfo",
    "SlideReference",
    "SlideRequest",
    "Spelling",
    "SpokenSlide",
    "TagInfo",
    "Template",
    "TemplateError",
    "TemplateFile",
    "Theme",
    "Typeface",
    "Typefaces",
    "UnknownSlide",
    "UnwritableRecordsError",
    "address_slide_links",
    "as_transitional",
    "build_deck",
    "compile_template",
    "convert_template",
    "find_slide_link",
    "has_errors",
    "has_safe_scheme",
    "read_notes",
    "read_outline",
    "read_spoken",
    "read_template",
    "share_slides",
    "split_section_name",
    "validate_template",
    "whole_deck",
    "write_template",
]
