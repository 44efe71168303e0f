"""DrawingML shapes, collected as the markup of a master or a layout."""

from dataclasses import dataclass, field
from xml.sax.saxutils import quoteattr

from .design import Box, emu
from .text import TextStyle, paragraphs, run_of

NAMESPACES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
NO_FILL = "<a:noFill/>"
CORNER_RADIUS = 0.07
HAIRLINE_COLOR = '<a:solidFill><a:schemeClr val="bg2"><a:lumMod val="90000"/></a:schemeClr></a:solidFill>'


@dataclass
class Canvas:
    """Collects the shapes of one p:spTree and numbers them."""

    shapes: list[str] = field(default_factory=list[str])

    def draw(self, name: str, box: Box, fill: str, geometry: str = "rect", outline: str = NO_FILL) -> None:
        """Add a decorative shape. The geometry is a preset's name, or `pill` for ends that are round."""
        body = f'<a:bodyPr rtlCol="0" anchor="ctr"/><a:lstStyle/>{paragraphs("")}'
        self._add(name, "<p:cNvSpPr/>", f"{form(geometry, box)}{fill}<a:ln w='9525'>{outline}</a:ln>", body)

    def card(self, box: Box) -> None:
        """Add the white surface behind the content."""
        self.draw("Card", box, '<a:solidFill><a:schemeClr val="bg1"/></a:solidFill>', "roundRect", HAIRLINE_COLOR)

    def rule(self, box: Box) -> None:
        """Add a thin line."""
        self.draw("Rule", box, HAIRLINE_COLOR)

    def text(self, name: str, box: Box, text: str, style: TextStyle, badge: str = NO_FILL) -> None:
        """Add a text that belongs to the layout, on a round badge when that has a fill."""
        geometry = "rect" if badge == NO_FILL else "ellipse"
        lines = paragraphs(text, style.run(), f'<a:pPr algn="{style.align}"/>')
        body = f"{body_properties(style)}<a:lstStyle/>{lines}"
        self._add(name, '<p:cNvSpPr txBox="1"/>', f"{form(geometry, box)}{badge}", body)

    def placeholder(self, name: str, kind: str, box: Box, style: TextStyle, prompt: str = "") -> None:
        """Add a placeholder. `kind` is the attributes of p:ph, as in `type="body" idx="13"`."""
        geometry = "ellipse" if 'type="pic"' in kind else "rect"
        content = page_number() if 'type="sldNum"' in kind else run_of(prompt or name)
        self._add(
            name,
            '<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>',
            form(geometry, box),
            f"{body_properties(style)}<a:lstStyle>{style.paragraph('lvl1pPr')}</a:lstStyle><a:p>{content}</a:p>",
            f"<p:nvPr><p:ph {kind}/></p:nvPr>",
        )

    def tree(self) -> str:
        """Return p:spTree."""
        return (
            '<p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
            '<p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/>'
            f'<a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>{"".join(self.shapes)}</p:spTree>'
        )

    def _add(self, name: str, kind: str, form: str, body: str, use: str = '<p:nvPr userDrawn="1"/>') -> None:
        identity = f'<p:cNvPr id="{len(self.shapes) + 2}" name={quoteattr(name)}/>'  # 1 is the tree itself
        self.shapes.append(
            f"<p:sp><p:nvSpPr>{identity}{kind}{use}</p:nvSpPr><p:spPr>{form}</p:spPr><p:txBody>{body}</p:txBody></p:sp>"
        )


def page_number(number: str = "#") -> str:
    """Return the field that shows a slide's number; its id only has to be a GUID."""
    return (
        '<a:fld id="{6C1B7F0E-58F3-4B5B-9D0C-2C6B8C0C6E11}" type="slidenum">'
        f'<a:rPr lang="en-GB"/><a:t>{number}</a:t></a:fld>'
    )


def fading(color: str, top: int, bottom: int) -> str:
    """Return a fill of one colour whose opacity runs from `top` to `bottom` per cent, downwards."""
    return (
        '<a:gradFill rotWithShape="1"><a:gsLst>'
        f'<a:gs pos="0"><a:schemeClr val="{color}"><a:alpha val="{top * 1000}"/></a:schemeClr></a:gs>'
        f'<a:gs pos="100000"><a:schemeClr val="{color}"><a:alpha val="{bottom * 1000}"/></a:schemeClr></a:gs>'
        '</a:gsLst><a:lin ang="5400000" scaled="0"/></a:gradFill>'
    )


def transform(box: Box, tag: str = "a:xfrm") -> str:
    """Return a position and a size."""
    return f'<{tag}><a:off x="{emu(box.x)}" y="{emu(box.y)}"/><a:ext cx="{emu(box.w)}" cy="{emu(box.h)}"/></{tag}>'


def body_properties(style: TextStyle, padding: float = 0) -> str:
    """Return a:bodyPr with so many inches at the sides: normally none, for what is aligned to the grid is the text."""
    side = emu(padding)
    return (
        f'<a:bodyPr vert="horz" wrap="square" lIns="{side}" tIns="0" rIns="{side}" bIns="0" rtlCol="0" '
        f'anchor="{style.anchor}">'
        f"{'<a:normAutofit/>' if style.shrinks else ''}</a:bodyPr>"
    )


def form(preset: str, box: Box) -> str:
    """Return a position, a size and a geometry: a preset's name, or `pill`."""
    guides = ""
    if preset in {"roundRect", "pill"}:
        share = 50_000 if preset == "pill" else round(CORNER_RADIUS / min(box.w, box.h) * 100_000)
        preset, guides = "roundRect", f'<a:gd name="adj" fmla="val {share}"/>'
    return f'{transform(box)}<a:prstGeom prst="{preset}"><a:avLst>{guides}</a:avLst></a:prstGeom>'
