"""Make the demo template: `python tools/make_demo_template.py [FILE]`. The same bytes each time.

The advisor's portrait in the sample data, which a person writes otherwise, is put there too.
"""

import re
import sys
from io import BytesIO
from pathlib import Path

from demo_template.package import add_sections, list_notes_master, save
from demo_template.portrait import portrait_uri
from demo_template.skeleton import build_skeleton
from demo_template.slides import add_slides
from pptx import Presentation

DEMO = Path(__file__).parents[1] / "src/meetdeck/demo"
TEMPLATE = DEMO / "annual-review.pptx"
SAMPLE_DATA = DEMO / "annual-review.json"
_PORTRAIT = re.compile('"portrait": "[^"]*"')


def make_demo_template() -> bytes:
    """Return the template as a PPTX file."""
    presentation = Presentation(BytesIO(build_skeleton()))
    add_slides(presentation)
    list_notes_master(presentation)
    add_sections(presentation)
    return save(presentation)


def with_portrait(sample_data: str) -> str:
    """Return the sample data with the advisor's portrait in it."""
    return _PORTRAIT.sub(f'"portrait": "{portrait_uri()}"', sample_data)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TEMPLATE
    size = target.write_bytes(make_demo_template())
    print(f"{target}: {size:,} bytes")
    SAMPLE_DATA.write_text(with_portrait(SAMPLE_DATA.read_text("utf-8")), "utf-8")
