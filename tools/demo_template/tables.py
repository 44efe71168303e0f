"""The tables of the template: their contents and layout."""

from collections.abc import Sequence
from dataclasses import dataclass

from .design import emu
from .skeleton import CARDS_STYLE, TABLE_STYLE
from .tags import TAGS
from .text import TextStyle, paragraphs, run_of

TABLE_URI = "http://schemas.openxmlformats.org/drawingml/2006/table"


# A cell's paragraphs, each of runs with their styles; a text alone looks as the table style says.
Line = tuple[tuple[str, TextStyle], ...]
Cell = str | tuple[Line, ...]


@dataclass(frozen=True)
class TableText:
    """A table: rows of cells, and the columns' widths as shares of the whole."""

    description: str
    rows: Sequence[Sequence[Cell]]
    shares: Sequence[int]
    numeric: frozenset[int] = frozenset()  # columns set flush right
    header: bool = True
    total: bool = False
    size: float = 14
    row_height: float = 0.42  # inches
    padding: float = 0.05  # inches above and below a cell's text
    margin: float = 0  # inches before the first column and behind the last
    style: str = TABLE_STYLE


def _tag_tables(count: int) -> tuple[TableText, ...]:
    tags = [[f"{{{{{tag}}}}}", meaning] for tag, meaning in TAGS.items()]
    height = -(-len(tags) // count)
    return tuple(
        TableText(
            "Tags of the template, each with its meaning",
            [["Tag", "Description"], *tags[start : start + height]],
            shares=(38, 62),
            size=10,
            row_height=0.27,
            padding=0.01,
        )
        for start in range(0, len(tags), height)
    )


_BULLET_HANG = 0.3125  # inches: how far the engine hangs bullets, so that the title stands above their text
_NUMBER = TextStyle(18, "accent1", heading=True, hang=_BULLET_HANG)
_ADVICE = TextStyle(15, "tx2", bold=True)
_REASON = TextStyle(14, "tx1", space_before=4)
_EFFECT = TextStyle(19, "accent1", heading=True)
_NOTE = TextStyle(12.5, "accent6", space_before=2)

# By the slide's name, in the order of its placeholders.
TABLES = {
    "Your situation": (
        TableText(
            "Assets and debt, last year and this year",
            [
                ["Amounts in kroner", "Last year", "This year", "Change"],
                [
                    "{{#balance}}{{name}}",
                    "{{lastYear | number}}",
                    "{{thisYear | number}}",
                    "{{change | number}}{{/balance}}",
                ],
                [
                    "Net worth",
                    "{{netWorth.lastYear | number}}",
                    "{{netWorth.thisYear | number}}",
                    "{{netWorth.change | number}}",
                ],
            ],
            shares=(25, 25, 25, 25),
            numeric=frozenset({1, 2, 3}),
            total=True,
            row_height=0.39,
        ),
    ),
    "Portfolio": (
        TableText(
            "The holdings with value, share of the portfolio and return",
            [
                ["Fund", "Value, DKK", "Share", "Return"],
                [
                    "{{#holdings}}{{name}}",
                    "{{value | number}}",
                    "{{share | percent}}",
                    "{{return | percent:1}}{{/holdings}}",
                ],
                ["Portfolio", "{{portfolio.value | number}}", "100%", "{{portfolio.return | percent:1}}"],
            ],
            shares=(28, 24, 20, 28),
            numeric=frozenset({1, 2, 3}),
            total=True,
            size=13,
            row_height=0.41,
        ),
    ),
    "Insurance": (
        TableText(
            "{{table:insurance.policies}} The insurances, each with what it covers",
            [["Insurance", "Cover"], ["Home", "{{. | number}}"]],
            shares=(50, 50),
            numeric=frozenset({1}),
            row_height=0.46,
        ),
    ),
    "Recommendations": (
        TableText(
            "The recommendations, each with its reason and what it is worth",
            [
                [
                    (
                        (("{{#advice}}{{@number}}\t", _NUMBER), ("{{title}}", _ADVICE)),
                        (("{{reason | markdown}}", _REASON),),
                    ),
                    ((("{{effect}}", _EFFECT),), (("{{effectNote}}{{/advice}}", _NOTE),)),
                ]
            ],
            shares=(74, 26),
            header=False,
            row_height=1.2,
            padding=0.12,
            margin=0.3,
            style=CARDS_STYLE,
        ),
    ),
    "Next steps": (
        TableText(
            "Who does what, and by when",
            [
                ["What", "Who", "By when"],
                ["{{#steps}}{{action}}", "{{who}}", '{{when | date:"d MMMM"}}{{/steps}}'],
            ],
            shares=(56, 22, 22),
            size=16,
            row_height=0.5,
        ),
    ),
    "_tags": _tag_tables(count=3),
}


def table_markup(text: TableText, width: float) -> str:
    """Return a:tbl, `width` inches wide, in the firm's table style."""
    flags = f'firstRow="{int(text.header)}" lastRow="{int(text.total)}"'
    grid = "".join(f'<a:gridCol w="{emu(width * share / sum(text.shares))}"/>' for share in text.shares)
    lines = "".join(
        f'<a:tr h="{emu(text.row_height)}">{"".join(_cell(text, x, cell) for x, cell in enumerate(row))}</a:tr>'
        for row in text.rows
    )
    return (
        f"<a:tbl><a:tblPr {flags}><a:tableStyleId>{text.style}</a:tableStyleId></a:tblPr>"
        f"<a:tblGrid>{grid}</a:tblGrid>{lines}</a:tbl>"
    )


def _cell(text: TableText, x: int, content: Cell) -> str:
    if isinstance(content, str):
        # Colour and weight come from the table style; the size has no place there.
        run = f'<a:rPr lang="en-GB" sz="{round(text.size * 100)}"/>'
        lines = paragraphs(content, run, f'<a:pPr algn="{"r" if x in text.numeric else "l"}"/>')
    else:
        lines = "".join(map(_line, content))
    # The first column is flush with the grid, a last one of numbers too.
    is_last = x == len(text.shares) - 1
    left = 0 if x else emu(text.margin)
    right = emu(text.margin) if is_last and (text.margin or x in text.numeric) else emu(0.1)
    margins = f'marL="{left}" marR="{right}" marT="{emu(text.padding)}" marB="{emu(text.padding)}"'
    return f'<a:tc><a:txBody><a:bodyPr/><a:lstStyle/>{lines}</a:txBody><a:tcPr {margins} anchor="ctr"/></a:tc>'


def _line(line: Line) -> str:
    runs = "".join(run_of(text, style.run()) for text, style in line)
    return f"<a:p>{line[0][1].paragraph('pPr', bare=True)}{runs}</a:p>"
