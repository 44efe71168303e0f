"""Templates with a chart of Office 2016."""

import io
import runpy
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from pptx import Presentation
from pptx.util import Inches

CX: Final = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
_TOOL: Final = runpy.run_path(str(Path(__file__).parents[2] / "tools/template_pictures/extended_charts.py"))
_ROWS: Final[dict[str, Sequence[Sequence[object]]]] = {
    "waterfall": [["Start", 100], ["Gain", 20], ["Loss", -30], ["End", 90]],
    "funnel": [["Leads", 500], ["Calls", 300], ["Deals", 50]],
    "treemap": [["East", "A", 22], ["East", "B", 12], ["West", "C", 9]],
    "sunburst": [["East", "A", 22], ["East", "B", 12], ["West", "C", 9]],
}


def make_extended_template(layout: str, *, series: str = "") -> bytes:
    """Make a slide of one chart; `series` is what its series has beside name, data and layout."""
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    box = [*map(Inches, (1, 1, 8, 5))]
    _TOOL["add_extended_chart"](slide, layout, _ROWS[layout], "{{chart:sales}}", box, series=series)
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def read_extended_chart(deck: bytes) -> bytes:
    """Return the part of a deck's chart of Office 2016."""
    with zipfile.ZipFile(io.BytesIO(deck)) as archive:
        (name,) = (name for name in archive.namelist() if "chartEx" in name and "_rels" not in name)
        return archive.read(name)
