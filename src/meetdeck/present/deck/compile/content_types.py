"""The content types that decide how a part is compiled, and the words for a part in messages."""

from typing import Final

_PRESENTATIONML: Final = "application/vnd.openxmlformats-officedocument.presentationml."
SLIDE: Final = _PRESENTATIONML + "slide+xml"
LAYOUTS_AND_MASTERS: Final = frozenset({_PRESENTATIONML + "slideLayout+xml", _PRESENTATIONML + "slideMaster+xml"})
THEME: Final = "application/vnd.openxmlformats-officedocument.theme+xml"
NOTES: Final = _PRESENTATIONML + "notesSlide+xml"
VIEW_PROPERTIES: Final = _PRESENTATIONML + "viewProps+xml"
SHOW_PROPERTIES: Final = _PRESENTATIONML + "presProps+xml"
MODERN_COMMENTS: Final = "application/vnd.ms-powerpoint.comments+xml"
EXTENDED_PROPERTIES: Final = "application/vnd.openxmlformats-officedocument.extended-properties+xml"
CORE_PROPERTIES: Final = "application/vnd.openxmlformats-package.core-properties+xml"
WORKBOOK: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
# Parts that only other programs understand, whose braces may not be our tags.
FOREIGN_DATA: Final = frozenset({"application/xml", _PRESENTATIONML + "tags+xml"})

_KINDS: Final = {
    "main": "presentation",
    "notesSlide": "notes",
    "diagramData": "diagram",
    "drawing": "diagram",
    "slideLayout": "layout",
    "slideMaster": "master",
    "notesMaster": "notes master",
    "handoutMaster": "handout master",
    "core-properties": "document properties",
    "custom-properties": "document properties",
    "extended-properties": "document properties",
}


def part_kind(content_type: str) -> str:
    """Return the word for a part of this type in messages: slide, notes, chart, layout."""
    name = content_type.rpartition(".")[2].removesuffix("+xml")
    return _KINDS.get(name, name)
