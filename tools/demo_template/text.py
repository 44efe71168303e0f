"""DrawingML text: styles, runs and paragraphs."""

from dataclasses import dataclass
from xml.sax.saxutils import escape

from .design import emu

# Places at which PowerPoint's spelling checker splits a text into runs.
CUT = "\u241f"


@dataclass(frozen=True)
class TextStyle:
    """The look of a text. Sizes are points, colours are names of the colour map or the scheme."""

    size: float
    color: str = "tx1"
    bold: bool = False
    heading: bool = False
    align: str = "l"
    anchor: str = "t"
    tracking: float = 0
    capitals: bool = False  # shown so; the text itself stays as a reader would say it
    line_spacing: int = 100
    space_before: float = 0
    tab_stop: float = 0
    hang: float = 0  # how far further lines, and what follows a tab, are indented
    shrinks: bool = False  # PowerPoint may set a longer text smaller

    def paragraph(self, tag: str, *, bare: bool = False) -> str:
        """Return the style as CT_TextParagraphProperties (a:lvl1pPr and its like), without bullet.

        `bare` leaves the characters' look to the runs.
        """
        tabs = f'<a:tabLst><a:tab pos="{emu(self.tab_stop)}" algn="l"/></a:tabLst>' if self.tab_stop else ""
        return (
            f'<a:{tag} marL="{emu(self.hang)}" indent="{-emu(self.hang)}" algn="{self.align}">'
            f'<a:lnSpc><a:spcPct val="{self.line_spacing * 1000}"/></a:lnSpc>'
            f'<a:spcBef><a:spcPts val="{round(self.space_before * 100)}"/></a:spcBef><a:buNone/>{tabs}'
            f"{'' if bare else self._characters('defRPr')}</a:{tag}>"
        )

    def run(self) -> str:
        """Return the style as the properties of one run, a:rPr."""
        return self._characters("rPr", ' lang="en-GB"')

    def _characters(self, tag: str, language: str = "") -> str:
        font = "+mj" if self.heading else "+mn"
        caps = ' cap="all"' if self.capitals else ""
        look = f'sz="{round(self.size * 100)}" b="{int(self.bold)}"{caps} spc="{round(self.tracking * 100)}"'
        return (
            f"<a:{tag}{language} {look}>"
            f'{solid(self.color)}<a:latin typeface="{font}-lt"/><a:ea typeface="{font}-ea"/>'
            f'<a:cs typeface="{font}-cs"/></a:{tag}>'
        )


PLAIN_RUN = '<a:rPr lang="en-GB"/>'


def solid(color: str, alpha: int = 100) -> str:
    """Return a fill of one theme colour, `alpha` per cent opaque."""
    inner = f'<a:alpha val="{alpha * 1000}"/>' if alpha < 100 else ""  # noqa: PLR2004 - per cent
    return f'<a:solidFill><a:schemeClr val="{color}">{inner}</a:schemeClr></a:solidFill>'


def paragraphs(text: str, run: str = PLAIN_RUN, properties: str = "") -> str:
    """Return one a:p for each line of the text, all of its runs with the properties `run`."""
    return "".join(f"<a:p>{properties}{_runs(line, run)}</a:p>" for line in text.split("\n"))


def _runs(line: str, run: str) -> str:
    pieces = [run_of(piece, run) if piece else "" for piece in line.split(CUT)]
    # The word between two cuts is the one that the checker underlines.
    pieces[1::2] = [piece.replace("<a:rPr ", '<a:rPr err="1" ', 1) for piece in pieces[1::2]]
    return "".join(pieces)


def run_of(text: str, run: str = PLAIN_RUN) -> str:
    """Return a:r."""
    return f"<a:r>{run}<a:t>{escape(text)}</a:t></a:r>"
