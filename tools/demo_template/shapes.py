"""Shapes that come and go with the data: they stand on slides, for a layout knows no data."""

from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from .canvas import NO_FILL, body_properties, form
from .content import NEXT_MEETING
from .design import Box
from .layouts import BAND, GOAL_BADGE, PORTRAIT_RING
from .text import TextStyle, paragraphs, solid


@dataclass(frozen=True)
class SlideShape:
    """A shape of a slide: `description` is its alternative text, `lines` are its paragraphs, each with its style."""

    name: str
    description: str
    box: Box
    geometry: str
    fill: str = NO_FILL
    outline: str = NO_FILL
    lines: tuple[tuple[str, TextStyle], ...] = ()
    padding: float = 0


def _badge(name: str, directive: str, fill: str, color: str) -> SlideShape:
    style = TextStyle(12, color, bold=True, align="ctr", anchor="ctr")
    return SlideShape(name, directive, GOAL_BADGE, "pill", solid(fill), lines=((name, style),))


_BAND_LABEL = TextStyle(12, "accent3", bold=True, tracking=1.2, capitals=True, anchor="ctr")
_BAND_TEXT = TextStyle(18, "bg1", heading=True, anchor="ctr", space_before=3)

# By the slide's name.
SHAPES = {
    "Savings and goals": (
        _badge("On track", "{{if:onTrack}}", "accent1", "bg1"),
        _badge("Behind plan", "{{unless:onTrack}}", "accent4", "tx2"),
    ),
    "Next steps": (
        SlideShape(
            "Next meeting",
            "{{if:meeting.next}}",
            BAND,
            "roundRect",
            solid("tx2"),
            lines=(("We meet again", _BAND_LABEL), (f"{NEXT_MEETING}, at your place or ours", _BAND_TEXT)),
            padding=0.3,
        ),
    ),
    "Contact": (SlideShape("Ring", "{{if:advisor.portrait}}", PORTRAIT_RING, "ellipse", outline=solid("accent3", 60)),),
}


def shape_markup(shape: SlideShape, ident: int) -> str:
    """Return p:sp."""
    anchor = shape.lines[0][1] if shape.lines else TextStyle(12, anchor="ctr")
    text = "".join(paragraphs(line, style.run(), style.paragraph("pPr", bare=True)) for line, style in shape.lines)
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{ident}" name={quoteattr(shape.name)} descr={quoteattr(shape.description)}/>'
        f"<p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>{form(shape.geometry, shape.box)}{shape.fill}"
        f'<a:ln w="9525">{shape.outline}</a:ln></p:spPr>'
        f"<p:txBody>{body_properties(anchor, shape.padding)}<a:lstStyle/>{text or paragraphs('')}</p:txBody></p:sp>"
    )
