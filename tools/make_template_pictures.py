"""Make the pictures of docs/templates: `python tools/make_template_pictures.py [NAME...]`.

Each example is a template made here, filled by the deck engine with the data that its page shows, rendered by
LibreOffice.
"""

import asyncio
import sys
from collections.abc import Collection, Sequence

from PIL import Image
from template_pictures.catalogue import EXAMPLES
from template_pictures.example import PICTURES, Example, read_data, read_examples, read_page
from template_pictures.picture import arrange, draw_pages, mark_callouts, with_strip
from template_pictures.reading import read_addresses
from template_pictures.stage import Stage

from meetdeck.present.deck import read_notes, whole_deck
from meetdeck.present.render.office import OfficePool
from meetdeck.present.render.renderer import find_office
from meetdeck.present.render.svg import SvgDrawer


async def make_pictures(names: Collection[str]) -> None:
    """Write the pictures with these names, all of them when there are none."""
    office = find_office()
    if office is None:
        raise SystemExit("LibreOffice is not installed; the pictures cannot be made without it.")
    pool = OfficePool(office, size=1)
    try:
        for page, examples in EXAMPLES.items():
            about = read_examples(read_page(page))
            for example in examples:
                if not names or example.name in names:
                    await _make_picture(pool, example, read_data(about[example.name]))
    finally:
        await pool.close()


async def _make_picture(pool: OfficePool, example: Example, data: dict[str, object]) -> None:
    stage = Stage()
    example.draw(stage)
    template, shown = stage.save(), stage.save(show_hidden=True)
    deck = whole_deck(example.compile(template), data, contents=example.files, drawer=SvgDrawer()).content
    written, filled = draw_pages(await pool.to_pdf(shown)), draw_pages(await pool.to_pdf(deck))
    mark_callouts(written, stage.callouts)
    heading = "In the template (brown: alternative text)" if stage.callouts else "In the template"
    columns = [(heading, _with_unseen(written, shown)), ("In the deck", _with_unseen(filled, deck))]
    path = PICTURES / f"{example.name}.png"
    arrange(columns).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size:,} bytes")


def _with_unseen(slides: Sequence[Image.Image], presentation: bytes) -> list[Image.Image]:
    """Return the slides with their notes and the addresses of their links."""
    shown: list[Image.Image] = []
    for slide, notes, addresses in zip(slides, read_notes(presentation), read_addresses(presentation), strict=True):
        with_notes = with_strip(slide, "Notes", [line.text for line in notes]) if notes else slide
        shown.append(with_strip(with_notes, "Link to", addresses) if addresses else with_notes)
    return shown


if __name__ == "__main__":
    asyncio.run(make_pictures(sys.argv[1:]))
