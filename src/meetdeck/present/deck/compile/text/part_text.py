"""All text of a part: its stories, then plain text: names, tooltips, legacy comments, a chart's data."""

from typing import Final

from meetdeck.present.deck.compile.content_types import FOREIGN_DATA
from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.text.stories import mark_plain, mark_stories, report_foreign, shape_name
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.syntax import holds_tags
from meetdeck.present.deck.opc.xml import Element, query

# Plain text: names in a chart's data, legacy comments, document properties, the text of a formula.
_PLAIN_TEXTS: Final = query(
    "//text()[contains(., '{{') or contains(., '[tag:')]/parent::*[not(self::a:t/parent::*/parent::a:p) and not(*)]"
)
# Names of slides, shapes and custom shows; the tooltip of a hyperlink.
_TEXT_ATTRIBUTES: Final = ("name", "tooltip")
# Looked for by name: searching all attributes of a part takes twenty times as long.
_NAMED: Final = tuple(
    "{*}" + name for name in ("cNvPr", "cSld", "custShow", "hlinkClick", "hlinkHover", "hlinkMouseOver")
)


def mark_part_text(root: Element, context: PartContext) -> None:
    """Replace the tags and blocks in all text of a part except alternative texts."""
    tags = context.count_braces()
    if tags is None or context.part.content_type in FOREIGN_DATA:
        return
    if mark_stories(root, context) == tags:
        # Nothing else is there: the usual case. Searching for more takes longer than the rest.
        return
    for element in _PLAIN_TEXTS(root):
        place = Place(shape_name(element), 0, context.part.kind)
        element.text = mark_plain(element.text or "", place, context)
    # Last, since names tell where a tag is.
    for element in root.iter(*_NAMED):
        for attribute in _TEXT_ATTRIBUTES:
            text = element.get(attribute, "") or ""
            if holds_tags(text):
                place = Place(shape_name(element), 0, context.part.kind)
                element.set(attribute, mark_plain(text, place, context))


def report_foreign_tags(root: Element, context: PartContext) -> None:
    """Add a finding for each tag of another template language in a part of a slide."""
    if context.part.name in context.package.foreign:
        report_foreign(root, context)
