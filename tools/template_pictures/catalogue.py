"""All examples, by the page of docs/templates that shows them."""

from collections.abc import Mapping, Sequence
from typing import Final

from .block_examples import BLOCKS
from .card_examples import CARDS
from .chapter_examples import CHAPTERS
from .chart_examples import CHARTS
from .color_examples import COLORS
from .condition_examples import CONDITIONS
from .drawing_examples import DRAWINGS
from .example import Example
from .expression_examples import EXPRESSIONS
from .fitting_examples import FITTING
from .picture_examples import PICTURES
from .place_examples import PLACES, SLIDES
from .rich_examples import RICH_TEXT
from .shared_examples import SHARED
from .table_examples import TABLES
from .text_examples import FILTERS, LANGUAGES, SQUARE_BRACKETS, TEXT

EXAMPLES: Final[Mapping[str, Sequence[Example]]] = {
    "text": TEXT,
    "filters": FILTERS,
    "expressions": EXPRESSIONS,
    "blocks": BLOCKS,
    "conditions": CONDITIONS,
    "chapters": CHAPTERS,
    "pictures": PICTURES,
    "colors": COLORS,
    "cards": CARDS,
    "drawings": DRAWINGS,
    "charts": CHARTS,
    "tables": TABLES,
    "rich-text": RICH_TEXT,
    "everywhere": PLACES,
    "fitting": FITTING,
    "slides": SLIDES,
    "shared-slides": SHARED,
    "languages": LANGUAGES,
    "square-brackets": SQUARE_BRACKETS,
}
