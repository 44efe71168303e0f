"""Markdown as paragraphs of runs: CommonMark with strikethrough, without HTML and without indented code.

Text that is merely indented (a form's field, a program's string) is not a code; fenced code is.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from meetdeck.present.deck.language.values import Unwritable

if TYPE_CHECKING:
    from markdown_it.token import Token

# About ten pages; beyond it, text written on purpose would keep the parser busy for seconds.
LONGEST_MARKDOWN: Final = 20_000
# Longer texts are not kept.
_LONGEST_KEPT: Final = 4_000

Bullet = Literal["", "bullet", "number", "continued"]


class Style(Struct, frozen=True, gc=False):
    """The format of a run beside the surrounding text; `address` is that of a link, empty for none."""

    bold: bool = False
    italic: bool = False
    strike: bool = False
    code: bool = False
    address: str = ""


class Run(Struct, frozen=True, gc=False):
    r"""Text of one style, line breaks as `\n`."""

    text: str
    style: Style


class Paragraph(Struct, frozen=True, gc=False):
    """A paragraph; in a list, `level` counts from 0, and items of one list share its first number, `start`.

    `bullet` is empty outside of lists; an item's further paragraphs are `continued`.
    """

    runs: tuple[Run, ...]
    bullet: Bullet = ""
    level: int = 0
    start: int = 1


def read_marked_rows(text: str) -> list[list[tuple[Run, ...]]]:
    """Return the rows of the first table in a text, the header first, each cell as its runs; none without a table.

    Raises `Unwritable` for a text that is too long.
    """
    if len(text) > LONGEST_MARKDOWN:
        raise Unwritable(
            f"it has {len(text):,} characters; markdown accepts at most {LONGEST_MARKDOWN:,} in one value."
        )
    from meetdeck.present.deck.language.markdown_parser import parse_tables  # noqa: PLC0415 - see `_read`

    rows: list[list[tuple[Run, ...]]] = []
    for token in parse_tables(text):
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline" and rows:
            rows[-1].append(_join_alike(_read_inline(token.children or (), Style())))
    return rows


def read_markdown(text: str) -> tuple[Paragraph, ...]:
    """Return the paragraphs of a text. Raises `Unwritable` for one that is too long or nested too deep."""
    if len(text) > LONGEST_MARKDOWN:
        raise Unwritable(
            f"it has {len(text):,} characters; markdown accepts at most {LONGEST_MARKDOWN:,} in one value."
        )
    return (_read_known if len(text) <= _LONGEST_KEPT else _read)(text)


def _read(text: str) -> tuple[Paragraph, ...]:
    from meetdeck.present.deck.language.markdown_parser import parse  # noqa: PLC0415 - it takes 1.5 MB: few need it

    reader = _Reader()
    for token in parse(text):
        reader.take(token)
    return tuple(reader.paragraphs)


# Terms and disclaimers are the same in many decks.
_read_known: Final = lru_cache(maxsize=256)(_read)


def plain_text(text: str) -> str:
    """Return a text without its Markdown; a line for each paragraph. Raises `Unwritable` as above."""
    return "\n".join("".join(run.text for run in paragraph.runs) for paragraph in read_markdown(text))


@dataclass(slots=True)
class _List:
    """A list that is being read. Numbers continue from paragraph to paragraph until anything else interrupts."""

    bullet: Bullet
    number: int
    start: int
    item_is_new: bool = False

    def begin_item(self) -> None:
        """Start the next item."""
        if self.item_is_new:
            # The one before had no text, so no paragraph was counted for it.
            self.start = self.number
        self.item_is_new = True

    def end_item(self) -> None:
        """End an item."""
        self.number += 1

    def place(self, runs: tuple[Run, ...], level: int) -> Paragraph:
        """Return a paragraph of the item; its first one has the bullet."""
        if self.item_is_new:
            self.item_is_new = False
            return Paragraph(runs, self.bullet, level, self.start)
        self.start = self.number + 1
        return Paragraph(runs, "continued", level)


class _Reader:
    """Converts the parser's block tokens into paragraphs."""

    def __init__(self) -> None:
        self.paragraphs: list[Paragraph] = []
        self._lists: list[_List] = []
        self._style = Style()

    def take(self, token: "Token") -> None:
        """Read the next token. Quotes and rules are ignored: a slide has no shape for them."""
        match token.type:
            case "bullet_list_open":
                self._lists.append(_List("bullet", 1, 1))
            case "ordered_list_open":
                start = int(token.attrGet("start") or 1)
                self._lists.append(_List("number", start, start))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._lists[-1].begin_item()
            case "list_item_close":
                self._lists[-1].end_item()
            case "heading_open":
                self._style = Style(bold=True)
            case "heading_close":
                self._style = Style()
            case "inline":
                self._add(_read_inline(token.children or (), self._style))
            case "fence":
                self._add([Run(token.content.rstrip("\n"), Style(code=True))])
            case _:
                pass

    def _add(self, runs: Iterable[Run]) -> None:
        joined = _join_alike(runs)
        if self._lists:
            self.paragraphs.append(self._lists[-1].place(joined, len(self._lists) - 1))
        else:
            self.paragraphs.append(Paragraph(joined))


def _join_alike(runs: Iterable[Run]) -> tuple[Run, ...]:
    return tuple(
        [Run("".join([run.text for run in same]), style) for style, same in groupby(runs, attrgetter("style"))]
    )


def _read_inline(tokens: "Iterable[Token]", style: Style) -> Iterator[Run]:
    """Yield the runs of a paragraph; a picture is its alternative text."""
    outer: list[Style] = []
    for token in tokens:
        if token.nesting > 0:
            outer.append(style)
            style = _restyle(style, token)
        elif token.nesting < 0:
            style = outer.pop()
        elif token.type == "image":
            yield from _read_inline(token.children or (), style)
        elif token.type in {"softbreak", "hardbreak"}:
            yield Run(" " if token.type == "softbreak" else "\n", style)
        elif token.content:
            yield Run(token.content, replace(style, code=True) if token.type == "code_inline" else style)


def _restyle(style: Style, token: "Token") -> Style:
    match token.type:
        case "strong_open":
            return replace(style, bold=True)
        case "em_open":
            return replace(style, italic=True)
        case "s_open":
            return replace(style, strike=True)
        case _:
            return replace(style, address=str(token.attrGet("href") or ""))
