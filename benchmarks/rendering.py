"""The time that a PDF takes: Meetdeck beside unoserver and `soffice --convert-to`, in one run.

    python benchmarks/rendering.py [--rounds 15]

One at a time, everybody takes turns with the same presentation, and the medians count. For many callers, unoserver is
measured as it comes, with one LibreOffice, and with as many unoservers as there are cores, dealt out in turn. Our own
share is what a caller of ours waits for beyond LibreOffice's own loading and exporting, which a LibreOffice with the
same settings measures inside itself.
"""

import argparse
import asyncio
import hashlib
import io
import itertools
import operator
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID, uuid4

import numpy as np
from PIL import Image
from pptx import Presentation
from pptx.util import Inches
from render_peers.command import Command
from render_peers.floor import Floor
from render_peers.unoserver import VERSION, Unoserver, UnoserverMissingError, install

from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.migrations import migrate
from meetdeck.platform.database import Database
from meetdeck.platform.storage import Storage
from meetdeck.platform.work import Leases
from meetdeck.present.render.confinement import Confinement
from meetdeck.present.render.intake import check_presentation
from meetdeck.present.render.office import OfficePool
from meetdeck.present.render.office_process import OfficeProcess
from meetdeck.present.render.pages import PictureFormat, page_pictures
from meetdeck.present.render.renderer import INSTALL_HINT, Office, find_office
from meetdeck.present.renderings import Renderings, Source

SIZES: Final = (1, 10, 60)
CALLERS: Final = (1, 2, 4, 16)
PICTURE_WIDTH: Final = 1280
GOAL_OWN_SHARE: Final = 0.10
_TITLE_ONLY: Final = 5
_MEMORY_BYTES: Final = 4 * 2**30
_SLOW_ROUNDS: Final = 3  # of those who start LibreOffice each time
_DECKS_PER_CALLER: Final = {1: 12, 10: 6}

Convert = Callable[[bytes], Awaitable[bytes]]
Measure = Callable[[], Awaitable[float]]


class Candidates(NamedTuple):
    """The renderers, ready for work; without unoserver where it cannot be installed."""

    pool: OfficePool
    process: OfficeProcess
    floor: Floor
    fresh: Command
    used: Command
    unoservers: list[Unoserver]


# ---------------------------------------------------------------- presentations


def make_deck(slides: int, *, photo_pixels: int = 0) -> bytes:
    """Make a deck of text; with `photo_pixels`, each slide has a photo so many pixels wide."""
    presentation = Presentation()
    for number in range(1, slides + 1):
        slide = presentation.slides.add_slide(presentation.slide_layouts[_TITLE_ONLY])
        box = slide.shapes.add_textbox(Inches(1), Inches(2), Inches(8), Inches(4))
        box.text_frame.text = f"Slide {number}\n" + "A point that takes a line of the slide\n" * 6
        if photo_pixels:
            slide.shapes.add_picture(make_photo(number, photo_pixels), Inches(5), Inches(4), Inches(4))
    packed = io.BytesIO()
    presentation.save(packed)
    return packed.getvalue()


def make_photo(seed: int, width: int) -> io.BytesIO:
    """Make a JPEG that has the grain of a photo."""
    grain = np.random.default_rng(seed).normal(128, 40, (width * 3 // 4, width, 3)).clip(0, 255).astype(np.uint8)
    packed = io.BytesIO()
    Image.fromarray(grain).save(packed, "jpeg", quality=80)
    packed.seek(0)
    return packed


# ---------------------------------------------------------------- measuring


def timed(convert: Convert, deck: bytes) -> Measure:
    """Make a measurement, in seconds, of one conversion."""

    async def measure() -> float:
        begun = time.perf_counter()
        pdf = await convert(deck)
        seconds = time.perf_counter() - begun
        if not pdf.startswith(b"%PDF"):
            raise RuntimeError(f"{convert} made no PDF")
        return seconds

    return measure


async def take_turns(measures: Mapping[str, Measure], rounds: int) -> dict[str, list[float]]:
    """Measure everybody once in each round, after one that does not count; the seconds of each round by name."""
    seconds: dict[str, list[float]] = {name: [] for name in measures}
    for is_counted in [False, *[True] * rounds]:
        for name, measure in measures.items():
            taken = await measure()
            if is_counted:
                seconds[name].append(taken)
    return seconds


def medians(seconds: Mapping[str, list[float]]) -> dict[str, float]:
    """Give everybody's median."""
    return {name: statistics.median(taken) for name, taken in seconds.items()}


async def decks_per_second(convert: Convert, deck: bytes, callers: int, decks: int) -> float:
    """Convert the deck `decks` times in all, by `callers` at once."""
    left = iter(range(decks))

    async def call() -> None:
        for _ in left:
            await convert(deck)

    begun = time.perf_counter()
    await asyncio.gather(*(call() for _ in range(callers)))
    return decks / (time.perf_counter() - begun)


def deal_out(unoservers: list[Unoserver]) -> Convert:
    """Convert by each of them in turn, as a balancer would."""
    turns = itertools.cycle(unoservers)
    return lambda deck: next(turns).convert(deck)


# ---------------------------------------------------------------- what is compared


async def compare_one_at_a_time(them: Candidates, rounds: int) -> None:
    """Print the milliseconds of a deck of each size."""
    print("\nMilliseconds for one presentation, nothing else going on")
    print(f"{'slides':>6} {'soffice, new profile':>21} {'soffice':>9} {'unoserver':>10} {'Meetdeck':>9}")
    for slides in SIZES:
        deck = make_deck(slides)
        slow = {"fresh": timed(them.fresh.convert, deck), "used": timed(them.used.convert, deck)}
        warm = {"Meetdeck": timed(them.pool.to_pdf, deck)}
        if them.unoservers:
            warm["unoserver"] = timed(them.unoservers[0].convert, deck)
        took = medians(await take_turns(slow, _SLOW_ROUNDS) | await take_turns(warm, rounds))
        ours = took["Meetdeck"]
        print(
            f"{slides:>6} {_against(took['fresh'], ours):>21} {_against(took['used'], ours):>9} "
            f"{_against(took.get('unoserver'), ours):>10} {1e3 * ours:9.0f}"
        )
    print("(in brackets: how many times what Meetdeck takes)")


def _against(seconds: float | None, ours: float) -> str:
    return "-" if seconds is None else f"{1e3 * seconds:.0f} ({seconds / ours:.1f})"


async def compare_many_callers(them: Candidates) -> None:
    """Print the decks per second that so many callers get at once."""
    cores = len(them.unoservers)
    print("\nPresentations a second")
    print(f"{'slides':>6} {'callers':>7} {'Meetdeck':>9} {'unoserver':>12} {f'{cores} unoservers':>13}")
    for slides, each in _DECKS_PER_CALLER.items():
        deck = make_deck(slides)
        for callers in CALLERS:
            decks = max(24, callers * each) if slides == 1 else max(12, callers * each // 2)
            ours = await decks_per_second(them.pool.to_pdf, deck, callers, decks)
            one, all_of_them = "-", "-"
            if them.unoservers:
                theirs = await decks_per_second(them.unoservers[0].convert, deck, callers, decks)
                together = await decks_per_second(deal_out(them.unoservers), deck, callers, decks)
                one, all_of_them = f"{theirs:.1f} ({ours / theirs:.1f})", f"{together:.1f} ({ours / together:.1f})"
            print(f"{slides:>6} {callers:>7} {ours:9.1f} {one:>12} {all_of_them:>13}")
    print("(in brackets: how many times as many Meetdeck makes)")


async def measure_own_share(them: Candidates, rounds: int) -> None:
    """Print what a presentation takes inside LibreOffice, with our process around it, and for a caller."""
    print("\nOur own share: milliseconds in LibreOffice, with its driver and pipes, for a caller")
    decks = {f"{slides} slides": make_deck(slides) for slides in SIZES}
    photos = make_deck(10, photo_pixels=1600)
    decks[f"10 slides, photos of {len(photos) >> 20} MB"] = photos
    for name, deck in decks.items():
        package = check_presentation(deck).package
        measures: dict[str, Measure] = {
            "LibreOffice": lambda package=package: them.floor.measure(package),
            "process": timed(them.process.render, package),
            "Meetdeck": timed(them.pool.to_pdf, deck),
        }
        seconds = await take_turns(measures, rounds if deck is photos else 2 * rounds)
        took = medians(seconds)
        # Within a round, so that what else the machine does meanwhile is in both.
        ours = statistics.median(map(operator.sub, seconds["Meetdeck"], seconds["LibreOffice"]))
        share = ours / took["LibreOffice"]
        verdict = "" if share < GOAL_OWN_SHARE else f"  MISSED: goal below {GOAL_OWN_SHARE:.0%}"
        print(
            f"{name:>27} {1e3 * took['LibreOffice']:7.1f} {1e3 * took['process']:7.1f} {1e3 * took['Meetdeck']:7.1f}"
            f"   own share {share:6.1%}{verdict}"
        )


async def measure_pictures(pool: OfficePool) -> None:
    """Print how many pages a second become pictures, on one core."""
    pdf = await pool.to_pdf(make_deck(SIZES[-1]))
    print(f"\nPictures a second, {PICTURE_WIDTH} pixels wide, {SIZES[-1]} pages")
    formats: tuple[PictureFormat, ...] = ("png", "webp")
    for picture_format in formats:
        begun = time.perf_counter()
        sizes = [len(picture) for picture in page_pictures(pdf, width=PICTURE_WIDTH, picture_format=picture_format)]
        rate = len(sizes) / (time.perf_counter() - begun)
        print(f"{picture_format:>6} {rate:6.0f}   {statistics.mean(sizes) / 1e3:.0f} kB each")


async def measure_repeats(pool: OfficePool, folder: Path, rounds: int) -> None:
    """Print what the same presentation takes again: kept in memory, and by another process that finds it in storage."""
    tenant_id = uuid4()
    storage = Storage.open(url=None, folder=folder / "storage")
    with EmbeddedPostgres(folder / "postgres") as endpoint:
        await migrate(endpoint.owner)
        async with Database(endpoint.app, connections=2) as database:
            async with database.transaction(tenant_id) as connection:
                await connection.execute("insert into tenant (tenant_id, name) values (current_tenant(), 'Any')")
            print("\nMilliseconds for the same presentation: rendered, then from storage, then from memory")
            for slides in SIZES:
                first, other = (Renderings(pool, storage, Leases(database)) for _ in range(2))
                await asyncio.gather(first.get_version(), other.get_version())
                await print_repeats(first, other, tenant_id, slides, rounds)
                await asyncio.gather(first.close(), other.close())


async def print_repeats(first: Renderings, other: Renderings, tenant_id: UUID, slides: int, rounds: int) -> None:
    """Print a rendering by `first`, then `other`'s answers from storage and from memory."""
    deck = make_deck(slides)

    async def load() -> bytes:
        return deck

    source = Source(tenant_id, hashlib.sha256(deck).digest(), load)
    rendered = await timed(lambda _: first.get_pdf(source), deck)()
    find = timed(lambda _: other.get_pdf(source), deck)
    found = await find()
    kept = medians(await take_turns({"memory": find}, rounds))["memory"]
    print(f"{slides:>6} {1e3 * rendered:9.1f} {1e3 * found:9.2f} {1e3 * kept:9.3f}")


# ---------------------------------------------------------------- the run


async def start(office: Office, folder: Path, stack: AsyncExitStack) -> Candidates:
    """Start everybody; `stack` stops them."""
    pool = OfficePool(office)
    stack.push_async_callback(pool.close)
    process = await OfficeProcess.launch(office, folder / "process", Confinement.of_this_process(_MEMORY_BYTES))
    stack.push_async_callback(process.stop)
    await process.wait_until_ready()
    floor = await Floor.start(office, folder / "floor")
    stack.push_async_callback(floor.stop)
    unoservers: list[Unoserver] = []
    try:
        install(office)
        for number in range(os.cpu_count() or 1):
            unoservers.append(await Unoserver.start(office, folder / f"unoserver-{number}"))
            stack.push_async_callback(unoservers[-1].stop)
    except UnoserverMissingError as problem:
        print(f"unoserver is left out: {problem}", file=sys.stderr)
    fresh = Command(office, folder / "fresh", fresh_profile=True)
    return Candidates(pool, process, floor, fresh, Command(office, folder / "used", fresh_profile=False), unoservers)


async def main(office: Office, folder: Path, rounds: int) -> None:
    """Measure and print."""
    async with AsyncExitStack() as stack:
        them = await start(office, folder, stack)
        print(f"{_processor()}; Python {platform.python_version()}; {await them.pool.get_version()}; {VERSION}")
        await compare_one_at_a_time(them, rounds)
        await compare_many_callers(them)
        await measure_own_share(them, rounds)
        await measure_pictures(them.pool)
        await measure_repeats(them.pool, folder, rounds)


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines() if sys.platform == "linux" else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{names[0]}, {len(names)} cores" if names else platform.processor()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15, help="how often each has its turn (default 15)")
    arguments = parser.parse_args()
    found = find_office()
    if found is None:
        raise SystemExit(f"No LibreOffice here. {INSTALL_HINT}")
    with tempfile.TemporaryDirectory(prefix="meetdeck-bench-") as name:
        Path(name).chmod(0o755)  # LibreOffice may run as another user
        asyncio.run(main(found, Path(name), arguments.rounds))
