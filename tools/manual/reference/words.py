"""Descriptions in code, which are Markdown, as HTML."""

from typing import Final

from markdown_it import MarkdownIt
from markupsafe import Markup

_PARSER: Final = MarkdownIt("commonmark", {"html": False}).enable("table")


def write_inline(text: str) -> Markup:
    """Return a description of one paragraph."""
    return Markup(_PARSER.renderInline(" ".join(text.split())))  # noqa: S704 - escaped by the parser


def write_blocks(text: str) -> Markup:
    """Return a description of several paragraphs, tables and lists."""
    return Markup(_PARSER.render(text))  # noqa: S704 - escaped by the parser
