"""The slide master and the layouts, as (name, type, shapes)."""

from collections.abc import Callable
from dataclasses import dataclass

from .artwork import draw_brand, draw_northern_lights
from .canvas import Canvas
from .design import (
    CONTENT_HEIGHT,
    CONTENT_TOP,
    CONTENT_WIDTH,
    GUTTER,
    MARGIN,
    SLIDE_HEIGHT,
    SLIDE_WIDTH,
    Box,
    columns,
    rows,
)
from .text import TextStyle, solid

CONTENT = Box(MARGIN, CONTENT_TOP, CONTENT_WIDTH, CONTENT_HEIGHT)
CARD_PADDING = 0.3
CARDS_GAP = 0.2

# The area for a slide's own shapes.
BAND = Box(MARGIN, CONTENT_TOP + 3.4 + GUTTER, CONTENT_WIDTH, CONTENT_HEIGHT - 3.4 - GUTTER)
LEFT = CONTENT._replace(w=7.9)
RIGHT = Box(MARGIN + 7.9 + GUTTER, CONTENT.y, CONTENT_WIDTH - 7.9 - GUTTER, CONTENT.h)
GOAL_BADGE = Box(RIGHT.x + CARD_PADDING, RIGHT.y + 0.32, 1.3, 0.34)
PORTRAIT = Box(MARGIN, 1.95, 3.6, 3.6)
PORTRAIT_RING = PORTRAIT.inset(-0.1, -0.1)

KICKER = TextStyle(12, "accent1", bold=True, tracking=1.2, capitals=True, anchor="b")
TITLE = TextStyle(28, "tx2", heading=True, line_spacing=90, shrinks=True)
TITLE_BOX = Box(MARGIN, 0.94, CONTENT_WIDTH, 0.85)  # from the top: two lines reach to the content
TITLE_ON_DARK = TextStyle(34, "bg1", heading=True, line_spacing=95, shrinks=True)
FOOTER = TextStyle(11, "accent6", align="r", anchor="ctr")
PAGE_NUMBER = TextStyle(11, "accent6", align="r", anchor="ctr")
HEADING = TextStyle(15, "tx2", bold=True, anchor="ctr")
TEXT = TextStyle(15, "tx1", line_spacing=105, space_before=4, shrinks=True)
LABEL = TextStyle(12.5, "accent6")
FIGURE = TextStyle(28, "tx2", heading=True, anchor="ctr", shrinks=True)


@dataclass(frozen=True)
class Layout:
    """A slide layout. A dark one stands on the night colour and draws its own brand."""

    name: str
    kind: str  # ST_SlideLayoutType
    draw: Callable[[Canvas], None]
    dark: bool = False


def draw_master(canvas: Canvas) -> None:
    """Draw what every light slide carries: the brand line, and the placeholders that layouts inherit."""
    draw_brand(canvas, MARGIN, 6.86)
    canvas.placeholder("Title", 'type="title"', TITLE_BOX, TITLE, "Title")
    canvas.placeholder("Body", 'type="body" idx="1"', CONTENT, TEXT, "Text")
    _draw_footer(canvas, at="2", size=' sz="quarter"')


def _draw_footer(canvas: Canvas, at: str = "11", x: float = 4.8, size: str = ' sz="quarter"') -> None:
    number = str(int(at) + 1)
    footer = Box(x, 6.86, 12.0 - x, 0.3)
    canvas.placeholder("Footer", f'type="ftr"{size} idx="{at}"', footer, FOOTER, "Footer")
    page = Box(SLIDE_WIDTH - MARGIN - 0.5, 6.86, 0.5, 0.3)
    canvas.placeholder("Slide number", f'type="sldNum"{size} idx="{number}"', page, PAGE_NUMBER)


def _draw_head(canvas: Canvas) -> None:
    canvas.placeholder("Title", 'type="title"', TITLE_BOX, TITLE, "Title")
    canvas.placeholder("Kicker", _text(13), Box(MARGIN, 0.52, CONTENT_WIDTH, 0.28), KICKER, "Section")


def _text(index: int) -> str:
    return f'type="body" sz="quarter" idx="{index}"'


def _cover(canvas: Canvas) -> None:
    draw_northern_lights(canvas, Box(7.3, 0.35, SLIDE_WIDTH - 7.3, 6.8))
    draw_brand(canvas, MARGIN, 0.62, on_dark=True)
    title = TextStyle(46, "bg1", heading=True, anchor="b", line_spacing=92, shrinks=True)
    canvas.placeholder("Title", 'type="ctrTitle"', Box(MARGIN, 1.7, 6.6, 1.95), title, "Title")
    subtitle = TextStyle(20, "bg2", line_spacing=105, shrinks=True)
    canvas.placeholder("Subtitle", 'type="subTitle" idx="1"', Box(MARGIN, 3.9, 5.6, 1.1), subtitle, "Subtitle")
    kicker = TextStyle(13, "accent3", bold=True, tracking=1.5, capitals=True, anchor="b")
    canvas.placeholder("Kicker", _text(13), Box(MARGIN, 5.72, 6.6, 0.3), kicker, "Kicker")
    details = TextStyle(15, "bg2", line_spacing=115)
    canvas.placeholder("Details", _text(14), Box(MARGIN, 6.12, 6.6, 0.75), details, "Who, when, where")


def _agenda(canvas: Canvas) -> None:
    panel = Box(0, 0, 4.8, SLIDE_HEIGHT)
    canvas.draw("Panel", panel, solid("tx2"))
    draw_northern_lights(canvas, Box(0.05, 3.35, 4.75, 3.5))
    draw_brand(canvas, MARGIN, 6.86, on_dark=True)
    canvas.placeholder("Title", 'type="title"', Box(MARGIN, 1.0, 3.6, 1.15), TITLE_ON_DARK, "Title")
    kicker = TextStyle(12, "accent3", bold=True, tracking=1.2, capitals=True, anchor="b")
    canvas.placeholder("Kicker", _text(13), Box(MARGIN, 0.62, 3.6, 0.28), kicker, "Section")
    canvas.placeholder(
        "Details", _text(14), Box(MARGIN, 2.3, 3.6, 1.1), TextStyle(15, "bg2", line_spacing=110), "Where"
    )
    for i, row in enumerate(rows(Box(5.55, 0.75, SLIDE_WIDTH - MARGIN - 5.55, 5.75), 5, 0)):
        numeral = TextStyle(26, "accent1", heading=True, anchor="ctr")
        canvas.text("Number", row.part(0, 0.2, 0.6, row.h - 0.4), str(i + 1), numeral)
        topic = TextStyle(19, "tx2", bold=True, anchor="b")
        canvas.placeholder(f"Topic {i + 1}", _text(21 + i), row.part(0.75, 0.2, row.w - 0.75, 0.38), topic, "Topic")
        canvas.placeholder(f"About {i + 1}", _text(31 + i), row.part(0.75, 0.6, row.w - 0.75, 0.35), LABEL, "About")
        if i:
            canvas.rule(row.part(0, 0, row.w, 0.01))
    _draw_footer(canvas, x=5.55)


def _figures_and_table(canvas: Canvas) -> None:
    _draw_head(canvas)
    for i, card in enumerate(columns(CONTENT._replace(h=1.35), 3)):
        canvas.card(card)
        inner = card.inset(CARD_PADDING, 0)
        canvas.placeholder(f"Figure {i + 1}", _text(21 + i), inner.part(0, 0.2, inner.w, 0.55), FIGURE, "0")
        canvas.placeholder(f"Label {i + 1}", _text(31 + i), inner.part(0, 0.81, inner.w, 0.3), LABEL, "Label")
    card = Box(MARGIN, CONTENT_TOP + 1.35 + GUTTER, CONTENT_WIDTH, CONTENT_HEIGHT - 1.35 - GUTTER)
    canvas.card(card)
    canvas.placeholder("Table", 'type="tbl" idx="15"', card.inset(CARD_PADDING, 0.2), TEXT, "Table")


def _chart_and_goal(canvas: Canvas) -> None:
    _draw_head(canvas)
    _draw_chart_card(canvas, LEFT)
    canvas.card(RIGHT)
    inner = RIGHT.inset(CARD_PADDING, 0.32)
    figure = TextStyle(36, "tx2", heading=True, anchor="ctr", shrinks=True)
    canvas.placeholder("Figure", _text(31), inner.part(0, 0.5, inner.w, 1.0), figure, "0")
    canvas.placeholder("Label", _text(41), inner.part(0, 1.5, inner.w, 0.5), LABEL, "Label")
    canvas.rule(inner.part(0, 2.2, inner.w, 0.01))
    canvas.placeholder("Text", _text(51), inner.part(0, 2.4, inner.w, 1.6), TEXT, "Text")


def _draw_chart_card(canvas: Canvas, card: Box) -> None:
    """Draw a card with a heading and a chart."""
    canvas.card(card)
    inner = card.inset(CARD_PADDING, 0.25)
    canvas.placeholder("Chart heading", _text(61), inner.part(0, 0, inner.w, 0.35), HEADING, "Heading")
    canvas.placeholder("Chart", 'type="chart" idx="16"', inner.part(0, 0.45, inner.w, 3.7), TEXT, "Chart")


def _chart_and_table(canvas: Canvas) -> None:
    _draw_head(canvas)
    left, right = (
        CONTENT._replace(w=4.2),
        Box(MARGIN + 4.2 + GUTTER, CONTENT.y, CONTENT_WIDTH - 4.2 - GUTTER, CONTENT.h),
    )
    _draw_chart_card(canvas, left)
    canvas.card(right)
    inner = right.inset(CARD_PADDING, 0.25)
    canvas.placeholder("Table heading", _text(22), inner.part(0, 0, inner.w, 0.35), HEADING, "Heading")
    canvas.placeholder("Table", 'type="tbl" idx="15"', inner.part(0, 0.45, inner.w, 3.3), TEXT, "Table")
    canvas.placeholder("Note", _text(23), inner.part(0, 3.82, inner.w, 0.33), LABEL, "Note")


def _chart_and_facts(canvas: Canvas) -> None:
    _draw_head(canvas)
    _draw_chart_card(canvas, LEFT)
    canvas.card(RIGHT)
    for i, fact in enumerate(rows(RIGHT.inset(CARD_PADDING, 0.12), 4, 0)):
        figure = TextStyle(20, "tx2", heading=True, anchor="b", shrinks=True)
        canvas.placeholder(f"Figure {i + 1}", _text(21 + i), fact.part(0, 0.14, fact.w, 0.4), figure, "0")
        canvas.placeholder(f"Label {i + 1}", _text(31 + i), fact.part(0, 0.6, fact.w, 0.3), LABEL, "Label")
        if i:
            canvas.rule(fact.part(0, 0, fact.w, 0.01))


def _table_and_text(canvas: Canvas) -> None:
    _draw_head(canvas)
    canvas.card(LEFT)
    canvas.placeholder("Table", 'type="tbl" idx="15"', LEFT.inset(CARD_PADDING, 0.2), TEXT, "Table")
    canvas.card(RIGHT)
    inner = RIGHT.inset(CARD_PADDING, 0.25)
    canvas.placeholder("Heading", _text(21), inner.part(0, 0, inner.w, 0.35), HEADING, "Heading")
    canvas.placeholder("Text", _text(51), inner.part(0, 0.45, inner.w, 3.7), TEXT, "Text")


def _table(canvas: Canvas) -> None:
    _draw_head(canvas)
    canvas.placeholder("Table", 'type="tbl" idx="15"', CONTENT.inset(0, -CARDS_GAP / 2), TEXT, "Table")


def _table_above_band(canvas: Canvas) -> None:
    _draw_head(canvas)
    card = CONTENT._replace(h=BAND.y - GUTTER - CONTENT_TOP)
    canvas.card(card)
    canvas.placeholder("Table", 'type="tbl" idx="15"', card.inset(CARD_PADDING, 0.2), TEXT, "Table")


def _contact(canvas: Canvas) -> None:
    draw_northern_lights(canvas, Box(9.3, 2.4, SLIDE_WIDTH - 9.3, 4.9))
    draw_brand(canvas, MARGIN, 0.62, on_dark=True)
    x = 5.05
    title = TextStyle(36, "bg1", heading=True, anchor="b", shrinks=True)
    canvas.placeholder("Title", 'type="title"', Box(x, 1.75, 7.53, 0.75), title, "Title")
    canvas.placeholder("Subtitle", _text(18), Box(x, 2.58, 7.53, 0.4), TextStyle(18, "bg2"), "Subtitle")
    name = TextStyle(18, "accent3", bold=True, anchor="b")
    canvas.placeholder("Name", _text(21), Box(x, 3.42, 6.4, 0.36), name, "Name")
    canvas.placeholder("Role", _text(22), Box(x, 3.82, 6.4, 0.35), TextStyle(15, "bg2"), "Role")
    contact = TextStyle(16, "bg1", line_spacing=130, tab_stop=0.95)
    canvas.placeholder("Details", _text(14), Box(x, 4.4, 6.4, 1.3), contact, "Phone, e-mail, web")
    canvas.placeholder("Portrait", 'type="pic" idx="17"', PORTRAIT, TextStyle(12, "bg2", align="ctr"), "Portrait")


def _for_authors(canvas: Canvas) -> None:
    title = Box(MARGIN, 0.3, CONTENT_WIDTH, 0.45)
    canvas.placeholder("Title", 'type="title"', title, TextStyle(20, "tx2", heading=True, anchor="ctr"), "Title")
    for i, column in enumerate(columns(Box(MARGIN, 0.95, CONTENT_WIDTH, 5.7), 3)):
        canvas.placeholder(f"Table {i + 1}", f'type="tbl" idx="{41 + i}"', column, TEXT, "Table")


def _with_footer(draw: Callable[[Canvas], None]) -> Callable[[Canvas], None]:
    def draw_all(canvas: Canvas) -> None:
        draw(canvas)
        _draw_footer(canvas)

    return draw_all


LAYOUTS = (
    Layout("Cover", "title", _cover, dark=True),
    Layout("Agenda", "cust", _agenda),
    Layout("Figures and table", "cust", _with_footer(_figures_and_table)),
    Layout("Chart and goal", "cust", _with_footer(_chart_and_goal)),
    Layout("Chart and table", "cust", _with_footer(_chart_and_table)),
    Layout("Chart and facts", "cust", _with_footer(_chart_and_facts)),
    Layout("Table and text", "cust", _with_footer(_table_and_text)),
    Layout("Table", "cust", _with_footer(_table)),
    Layout("Table above a band", "cust", _with_footer(_table_above_band)),
    Layout("Contact", "cust", _contact, dark=True),
    Layout("For authors", "cust", _with_footer(_for_authors)),
)
