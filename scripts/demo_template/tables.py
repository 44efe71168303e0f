"""The tables of the template: what stands in them, and how they are set."""

from collections.abc import Sequence
from dataclasses import dataclass

from .design import emu
from .skeleton import TABLE_STYLE
from .tags import TAGS
from .text import paragraphs

TABLE_URI = "http://schemas.openxmlformats.org/drawingml/2006/table"


@dataclass(frozen=True)
class TableText:
    """A table: rows of cells, and the columns' widths as shares of the whole."""

    description: str
    rows: Sequence[Sequence[str]]
    shares: Sequence[int]
    numeric: frozenset[int] = frozenset()  # columns set flush right
    total: bool = False
    size: float = 14
    row_height: float = 0.42  # inches
    padding: float = 0.05  # inches above and below a cell's text


def _numbered(count: int, *cells: str) -> list[list[str]]:
    return [[f"{{{{{cell.replace('#', str(i))}}}}}" for cell in cells] for i in range(count)]


def _tag_tables(count: int) -> tuple[TableText, ...]:
    tags = [[f"{{{{{tag}}}}}", meaning] for tag, meaning in TAGS.items()]
    height = -(-len(tags) // count)
    return tuple(
        TableText(
            "Tags of the template, each with its meaning",
            [["Tag", "Description"], *tags[start : start + height]],
            shares=(38, 62),
            size=8,
            row_height=0.158,
            padding=0.01,
        )
        for start in range(0, len(tags), height)
    )


# By the slide's name, in the order of its placeholders.
TABLES = {
    "Your situation": (
        TableText(
            "Assets and debt, last year and this year",
            [
                ["Amounts in kroner", "Last year", "This year", "Change"],
                *_numbered(5, "balance.#.name", "balance.#.lastYear", "balance.#.thisYear", "balance.#.change"),
            ],
            shares=(46, 18, 18, 18),
            numeric=frozenset({1, 2, 3}),
            total=True,
            row_height=0.43,
        ),
    ),
    "Portfolio": (
        TableText(
            "The holdings with value, share of the portfolio and return",
            [
                ["Fund", "Value, DKK", "Share", "Return"],
                *_numbered(5, "holdings.#.name", "holdings.#.value", "holdings.#.share", "holdings.#.return"),
                ["Portfolio", "{{portfolio.total}}", "100%", "{{portfolio.return}}"],
            ],
            shares=(280, 240, 235, 245),
            numeric=frozenset({1, 2, 3}),
            total=True,
            size=13,
            row_height=0.45,
        ),
    ),
    "Next steps": (
        TableText(
            "Who does what, and by when",
            [["What", "Who", "By when"], *_numbered(4, "steps.#.action", "steps.#.who", "steps.#.when")],
            shares=(64, 20, 16),
            size=16,
            row_height=0.6,
        ),
    ),
    "_tags": _tag_tables(count=3),
}


def table_markup(text: TableText, width: float) -> str:
    """Return a:tbl, `width` inches wide, in the firm's table style."""
    flags = f'firstRow="1" lastRow="{int(text.total)}"'
    grid = "".join(f'<a:gridCol w="{emu(width * share / sum(text.shares))}"/>' for share in text.shares)
    lines = "".join(
        f'<a:tr h="{emu(text.row_height)}">{"".join(_cell(text, x, cell) for x, cell in enumerate(row))}</a:tr>'
        for row in text.rows
    )
    return (
        f"<a:tbl><a:tblPr {flags}><a:tableStyleId>{TABLE_STYLE}</a:tableStyleId></a:tblPr>"
        f"<a:tblGrid>{grid}</a:tblGrid>{lines}</a:tbl>"
    )


def _cell(text: TableText, x: int, content: str) -> str:
    # Colour and weight come from the table style; the size has no place there.
    run = f'<a:rPr lang="en-GB" sz="{round(text.size * 100)}"/>'
    lines = paragraphs(content, run, f'<a:pPr algn="{"r" if x in text.numeric else "l"}"/>')
    # The first column is flush with the grid, the last one too.
    right = 0 if x in text.numeric and x == len(text.shares) - 1 else emu(0.1)
    margins = f'marL="0" marR="{right}" marT="{emu(text.padding)}" marB="{emu(text.padding)}"'
    return f'<a:tc><a:txBody><a:bodyPr/><a:lstStyle/>{lines}</a:txBody><a:tcPr {margins} anchor="ctr"/></a:tc>'
