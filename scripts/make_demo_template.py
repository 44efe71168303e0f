"""Make the demo template: `python scripts/make_demo_template.py [FILE]`. The same bytes each time."""

import sys
from io import BytesIO
from pathlib import Path

from demo_template.package import add_sections, list_notes_master, save
from demo_template.skeleton import build_skeleton
from demo_template.slides import add_slides
from pptx import Presentation

TEMPLATE = Path(__file__).parents[1] / "src/meetdeck/demo/annual-review.pptx"


def make_demo_template() -> bytes:
    """Return the template as a PPTX file."""
    presentation = Presentation(BytesIO(build_skeleton()))
    add_slides(presentation)
    list_notes_master(presentation)
    add_sections(presentation)
    return save(presentation)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TEMPLATE
    size = target.write_bytes(make_demo_template())
    print(f"{target}: {size:,} bytes")
