"""Markdown to the HTML of a page's body: headings with anchors, tables that scroll, highlighted code, checked links.

Links to other parts of the manual are written `manual:…` (meetdeck.pages.manual.links); what serves or exports a page
makes addresses of them.
"""

import posixpath
import re
from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from PIL import Image
from tools.manual.highlighting import highlight

_ANCHOR: Final = re.compile(r'<a id="([^"]+)">|</a>')
_COMMENT: Final = re.compile(r"<!--.*?-->\s*", re.DOTALL)
_NO_WORD: Final = re.compile(r"[^\w\- ]")
_COUNT_OF_PARAGRAPH: Final = 3
"""The tokens of a paragraph or heading: its beginning, its text, its end."""
_ABSOLUTE: Final = re.compile(r"[a-z]+:")
_OURS: Final = (
    *(f"{name}_{end}" for name in ("link", "heading", "table") for end in ("open", "close")),
    *("image", "fence", "code_block", "html_block", "html_inline"),
)
"""The tokens that are written differently from CommonMark's way."""
_OUTSIDE: Final = ' rel="noreferrer"'
_TABLE: Final = '<div class="table" role="region" aria-label="{}" tabindex="0"><table>\n'
"""Tables scroll by themselves on a narrow screen."""


class Heading(NamedTuple):
    """A heading of a page: its level, its plain text, its anchor."""

    level: int
    text: str
    anchor: str


class Body(NamedTuple):
    """A page's text: its title, the HTML below it, its first paragraph as plain text, and its headings and anchors."""

    title: str
    html: str
    lead: str
    headings: Sequence[Heading]
    anchors: frozenset[str]
    links: Sequence[str]
    """The links to other places of the manual: `page#anchor`."""
    anchor: str = ""
    """The anchor of the title."""
    wide: bool = False
    """True if the page uses the column in which other pages list their headings."""
    types: Sequence[str] = ()
    """The types of the API that the page describes."""


class UnknownMarkup(ValueError):  # noqa: N818 - named as the state it reports
    """A page contains HTML other than anchors and comments, or has no title."""


def make_slug(text: str, taken: Mapping[str, object]) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    slug = _NO_WORD.sub("", text.strip().lower()).replace(" ", "-")
    number, unique = 0, slug
    while unique in taken:
        number += 1
        unique = f"{slug}-{number}"
    return unique


class _Page:
    """The context of a page's tokens: its name and folder, its links and headings."""

    def __init__(self, name: str, docs: Path) -> None:
        self.name = name
        self.docs = docs
        self.links: list[str] = []
        self.headings: list[Heading] = []
        self._open_links: list[str] = []

    def resolve(self, href: str) -> str | None:
        """Return a link as one of the manual; None if it leads out of the manual, to files of the repository."""
        if _ABSOLUTE.match(href):
            return href
        path, _, anchor = href.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(self.name), path)) if path else f"{self.name}.md"
        name, hashed = target.removesuffix(".md"), f"#{anchor}" if anchor else ""
        if target.startswith(("..", "decisions/")) or not target.endswith(".md"):
            return None
        self.links.append(name + hashed)
        return hashed if name == self.name and anchor else f"manual:page/{name}{hashed}"

    def open_link(self, href: str) -> str:
        """Return the beginning of a link; of one that leads out of the manual only its text stays."""
        target = self.resolve(href)
        self._open_links.append("a" if target is not None else "span")
        if target is None:
            return "<span>"
        return f'<a href="{escape(target)}"{_OUTSIDE if _ABSOLUTE.match(href) else ""}>'

    def close_link(self) -> str:
        """Return the end of a link."""
        return f"</{self._open_links.pop()}>"


def _write_image(token: Token, page: _Page) -> str:
    """Return a picture in its size, so that the text does not move when it arrives."""
    name = posixpath.normpath(posixpath.join(posixpath.dirname(page.name), str(token.attrs["src"])))
    with Image.open(page.docs / name) as picture:
        width, height = picture.size
    target, alt = f"manual:image/{name.removeprefix('images/')}", escape(_read_plain(token))
    return f'<img src="{escape(target)}" alt="{alt}" width="{width}" height="{height}" loading="lazy">'


def _close_heading(token: Token) -> str:
    """Return the end of a heading, with a link to itself."""
    anchor, text = escape(str(token.meta["anchor"])), escape(str(token.meta["text"]))
    link = f'<a class="self" href="#{anchor}" aria-label="Link to this section: {text}" data-pagefind-ignore>#</a>'
    return f" {link}</{token.tag}>\n"


def _write_html(token: Token, page: _Page) -> str:
    """Return an anchor, unless a heading has the same; comments are left out. Raises UnknownMarkup."""
    left = _COMMENT.sub("", token.content)
    if _ANCHOR.sub("", left).strip():
        raise UnknownMarkup(f"{page.name}: {left.strip()!r}: pages contain only <a id> and comments as HTML.")
    taken = {heading.anchor for heading in page.headings}
    return _ANCHOR.sub(lambda anchor: "<a>" if anchor[1] in taken else anchor[0], left)


def _write(token: Token, page: _Page) -> str:
    """Return the HTML of a token that is written differently from CommonMark's way."""
    match token.type:
        case "link_open":
            html = page.open_link(str(token.attrs["href"]))
        case "link_close":
            html = page.close_link()
        case "image":
            html = _write_image(token, page)
        case "heading_open":
            html = f'<{token.tag} id="{escape(str(token.meta["anchor"]))}">'
        case "heading_close":
            html = _close_heading(token)
        case "table_open":
            html = _TABLE.format(escape(str(token.meta["label"])))
        case "table_close":
            html = "</table></div>\n"
        case "fence" | "code_block":
            html = highlight(token.content, token.info.partition(" ")[0])
        case _:
            html = _write_html(token, page)
    return html


def _make_parser(page: _Page) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])

    def rule(
        renderer: object,  # noqa: ARG001 - markdown-it's, as are the next three
        tokens: Sequence[Token],
        index: int,
        options: object,  # noqa: ARG001
        env: object,  # noqa: ARG001
    ) -> str:
        return _write(tokens[index], page)

    for name in _OURS:
        parser.add_render_rule(name, rule)
    return parser


def render(page: str, text: str, docs: Path) -> Body:
    """Return the body of a page from its Markdown. Raises UnknownMarkup."""
    place = _Page(page, docs)
    parser = _make_parser(place)
    tokens = parser.parse(text)
    headings, anchors = _name_headings(tokens)
    if not headings or headings[0].level != 1:
        raise UnknownMarkup(f"{page}: a page begins with its title, '# …'.")
    place.headings = headings
    _name_tables(tokens)
    tokens = _without_empty_heads(tokens)
    below = tokens[_COUNT_OF_PARAGRAPH:]
    if _only_leads_elsewhere(below):
        below = below[_COUNT_OF_PARAGRAPH:]
    html = parser.renderer.render(below, parser.options, {})
    return Body(headings[0].text, html, _find_lead(below), headings[1:], anchors, place.links, headings[0].anchor)


def _name_headings(tokens: Sequence[Token]) -> tuple[list[Heading], frozenset[str]]:
    """Give each heading its anchor, and return the headings and all anchors of the page."""
    taken: dict[str, Heading | None] = {}
    headings: list[Heading] = []
    for opening, inline, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opening.type == "heading_open":
            text = _read_plain(inline)
            heading = Heading(int(opening.tag[1]), text, make_slug(text, taken))
            taken[heading.anchor] = heading
            headings.append(heading)
            opening.meta = closing.meta = {"anchor": heading.anchor, "text": text}
    for token in tokens:
        for content in (token, *(token.children or [])):
            if content.type in {"html_block", "html_inline"}:
                taken |= dict.fromkeys(anchor for anchor in _ANCHOR.findall(content.content) if anchor)
    return headings, frozenset(taken)


def _name_tables(tokens: Sequence[Token]) -> None:
    """Name each table by the heading before it, each table of a page differently."""
    heading, number = "", 0
    for token in tokens:
        if token.type == "heading_open":
            heading, number = str(token.meta["text"]), 0
        elif token.type == "table_open":
            number += 1
            token.meta = {"label": heading if number == 1 else f"{heading}, table {number}"}


def _without_empty_heads(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens without the heads of tables that say nothing, such as a single empty cell."""
    kept: list[Token] = []
    for token in tokens:
        kept.append(token)
        if token.type == "thead_close":
            start = max(index for index, each in enumerate(kept) if each.type == "thead_open")
            if not any(each.content for each in kept[start:] if each.type == "inline"):
                del kept[start:]
        elif token.type == "th_close" and not kept[-2].content:
            token.tag = kept[-3].tag = "td"
    return kept


def _only_leads_elsewhere(tokens: Sequence[Token]) -> bool:
    """Return whether the first paragraph is only a link to another page, which the navigation replaces."""
    if len(tokens) < _COUNT_OF_PARAGRAPH or tokens[0].type != "paragraph_open":
        return False
    children = tokens[1].children or []
    return bool(children) and (children[0].type, children[-1].type) == ("link_open", "link_close")


def _find_lead(tokens: Sequence[Token]) -> str:
    """Return the first paragraph as plain text; empty if there is none."""
    leads = (_read_plain(inline) for opening, inline in pairwise(tokens) if opening.type == "paragraph_open")
    return next(filter(None, leads), "")


def _read_plain(inline: Token) -> str:
    return "".join(
        " " if child.type in {"softbreak", "hardbreak"} else child.content
        for child in inline.children or []
        if child.type in {"text", "code_inline", "softbreak", "hardbreak"}
    ).strip()
