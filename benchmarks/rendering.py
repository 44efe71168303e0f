"""How long a PDF takes: the pool, LibreOffice alone (the floor), and `soffice --convert-to` (the usual recipe).

Run it with the project's Python: `python benchmarks/rendering.py`. It prints milliseconds and ratios, all of one run.
"""

import asyncio
import io
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from pptx import Presentation
from pptx.util import Inches

from meetdeck.present.render.intake import take_in
from meetdeck.present.render.office import OfficePool
from meetdeck.present.render.office_process import Confinement, OfficeProcess
from meetdeck.present.render.renderer import INSTALL_HINT, Office, find_office

_TITLE_ONLY = 5
_REPETITIONS = 7
_THROUGHPUT_DECKS = 40


def make_deck(slides: int) -> bytes:
    """Make a deck of text."""
    presentation = Presentation()
    for number in range(1, slides + 1):
        slide = presentation.slides.add_slide(presentation.slide_layouts[_TITLE_ONLY])
        box = slide.shapes.add_textbox(Inches(1), Inches(2), Inches(8), Inches(4))
        box.text_frame.text = f"Slide {number}\n" + "A point that takes a line of the slide\n" * 6
    packed = io.BytesIO()
    presentation.save(packed)
    return packed.getvalue()


async def measure(work: Callable[[], Awaitable[object]], repetitions: int = _REPETITIONS) -> float:
    """Measure the median duration of `work`, in milliseconds."""
    durations: list[float] = []
    for _ in range(repetitions):
        begun = time.perf_counter()
        await work()
        durations.append(1000 * (time.perf_counter() - begun))
    return statistics.median(durations)


async def convert_once(office: Office, folder: Path) -> None:
    """Convert the deck in `folder` the usual way: a new LibreOffice, with a profile that it has used before."""
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    process = await asyncio.create_subprocess_exec(
        office.soffice.with_name("soffice"),
        *("--headless", profile, "--convert-to", "pdf", "--outdir", folder, folder / "deck.pptx"),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    await process.wait()


async def compare(office: Office, pool: OfficePool, alone: OfficeProcess, folder: Path, slides: int) -> None:
    """Print one line: the same deck by all three."""
    deck = make_deck(slides)
    package = take_in(deck).package
    await asyncio.to_thread((folder / "deck.pptx").write_bytes, deck)
    await asyncio.gather(pool.to_pdf(deck), alone.render(package), convert_once(office, folder))
    floor = await measure(lambda: alone.render(package))
    ours = await measure(lambda: pool.to_pdf(deck))
    usual = await measure(lambda: convert_once(office, folder), repetitions=3)
    print(
        f"{slides:3} slides: pool {ours:5.0f} ms ({ours / floor:.2f}x LibreOffice alone, {floor:.0f} ms); "
        f"soffice --convert-to {usual:5.0f} ms ({usual / ours:.1f}x the pool)"
    )


async def main(office: Office, folder: Path) -> None:
    """Compare three sizes of deck, then print how many decks all cores make."""
    pool = OfficePool(office)
    alone = await OfficeProcess.launch(office, folder / "alone", Confinement.of_this_process(4 * 2**30))
    try:
        await alone.wait_until_ready()
        for slides in (1, 10, 60):
            await compare(office, pool, alone, folder, slides)
        for slides in (1, 10):
            deck = make_deck(slides)
            begun = time.perf_counter()
            await asyncio.gather(*(pool.to_pdf(deck) for _ in range(_THROUGHPUT_DECKS)))
            print(f"{slides:3} slides, all cores: {_THROUGHPUT_DECKS / (time.perf_counter() - begun):.1f} decks/s")
    finally:
        await asyncio.gather(pool.close(), alone.stop())


if __name__ == "__main__":
    found = find_office()
    if found is None:
        raise SystemExit(f"No LibreOffice here. {INSTALL_HINT}")
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)  # LibreOffice may run as another user
        asyncio.run(main(found, Path(name)))
