"""Checks of this machine: its disks and its clock, the storage, and the renderer of PDFs."""

import os
import tempfile
from collections.abc import AsyncGenerator
from datetime import datetime
from pathlib import Path
from typing import Final

from meetdeck.doctor.database import connect
from meetdeck.doctor.outcome import Finding, fault, ok, sum_up, warning
from meetdeck.doctor.running import run_blocking
from meetdeck.installation import find_storage, find_storage_folder
from meetdeck.platform.database import Address
from meetdeck.platform.errors import SetupError
from meetdeck.platform.outgoing import read_date
from meetdeck.platform.process import clock, count_free_bytes, require_no_restore
from meetdeck.platform.settings import Area, Settings
from meetdeck.platform.storage import RESERVE_BYTES
from meetdeck.present.render.confinement import find_gap
from meetdeck.present.render.lending import lend_renderer
from meetdeck.present.render.renderer import INSTALL_HINT, MissingRenderer, find_office
from meetdeck.present.render.typefaces import installed_typefaces
from meetdeck.present.render.warmup import warmup_deck

_LITTLE_BYTES: Final = 1024**3
_MOST_SECONDS_OFF: Final = 5.0
# The fonts of Office, and those whose letters have the same widths.
_FONTS: Final = (("Calibri", "Carlito"), ("Cambria", "Caladea"), ("Arial", "Liberation Sans"))


async def check_storage(settings: Settings) -> Finding:
    """Check that files can be written, read and deleted."""
    folder = find_storage_folder(settings).absolute()
    if settings.storage_url is None and not await run_blocking(folder.exists):
        return warning(
            f"The folder {folder} does not exist.",
            "If it had files, mount or restore it; otherwise `meetdeck serve` creates it.",
        )
    has_served = await find_storage(settings).try_out()
    place = settings.storage_url or f"the folder {folder}"
    if not has_served:
        return warning(
            f"A file could be written, read and deleted in {place}, from which nothing was ever served.",
            "Unless the installation is new, mount the right one, or correct MEETDECK_STORAGE_URL.",
        )
    return ok(f"A file could be written, read and deleted in {place}.")


async def check_disk(settings: Settings) -> Finding:
    """Check that the data folder is intact, and that it and the temporary folder are writable and have space."""
    folders = {"data folder": settings.data_dir, "folder of temporary files": Path(tempfile.gettempdir())}
    try:
        await run_blocking(lambda: require_no_restore(settings.data_dir))
    except SetupError as error:
        return fault(str(error), "Repeat the restore.")
    return await run_blocking(lambda: _check_free_space(folders))


def _check_free_space(folders: dict[str, Path]) -> Finding:
    problems: list[Finding] = []
    rooms: list[str] = []
    for called, folder in folders.items():
        if not folder.exists():
            problems.append(
                warning(f"The {called}, {folder.absolute()}, does not exist.", "`meetdeck serve` creates it.")
            )
            continue
        free = count_free_bytes(folder)
        rooms.append(f"the {called} has {free / 1024**3:.1f} GiB free")
        if not os.access(folder, os.W_OK | os.X_OK):
            problems.append(
                fault(f"The {called}, {folder.absolute()}, cannot be written.", "Make Meetdeck's account its owner.")
            )
        if free < _LITTLE_BYTES:
            weigh = fault if free < RESERVE_BYTES else warning
            problems.append(weigh(f"The {called} has {free >> 20} MiB free.", "Free space, or use a larger disk."))
    found = ", ".join(rooms)
    return sum_up(problems, f"{found[:1].upper()}{found[1:]}.")


async def check_clock(settings: Settings, database: Address | None) -> Finding:
    """Check that this machine's clock agrees with the database's and the issuer's."""
    problems: list[Finding] = []
    compared: list[str] = []
    async for called, seconds in _compare_clocks(settings, database):
        compared.append(called)
        if abs(seconds) > _MOST_SECONDS_OFF:
            problems.append(
                fault(
                    f"This machine's clock is {abs(seconds):.0f} seconds {'ahead of' if seconds > 0 else 'behind'} "
                    f"that of {called}.",
                    "Synchronize both by NTP: tokens and reservations depend on the time.",
                )
            )
    with_whom = f"It agrees with that of {' and '.join(compared)}" if compared else "There is none to compare it with"
    return sum_up(problems, f"{with_whom}: {clock.now():%Y-%m-%d %H:%M:%S} UTC.")


async def _compare_clocks(settings: Settings, database: Address | None) -> AsyncGenerator[tuple[str, float]]:
    """Yield each other clock's owner, and how many seconds ours is ahead of it."""
    if database is not None:
        async with connect(database) as connection:
            before = clock.now()
            theirs: datetime = await connection.fetchval("select clock_timestamp()")
            yield "the database", _count_ahead(before, theirs)
    if settings.issuer is not None:
        before = clock.now()
        try:
            theirs = await read_date(settings.issuer)
        except OSError:
            return  # another check reports that it does not answer
        yield "the token issuer", _count_ahead(before, theirs)


def _count_ahead(before: datetime, theirs: datetime) -> float:
    """Return how far our clock is ahead; the other was read between `before` and now."""
    after = clock.now()
    return (before - theirs).total_seconds() if theirs < before else min(0.0, (after - theirs).total_seconds())


async def check_renderer(settings: Settings) -> Finding:
    """Check that the renderer makes a PDF of a one-slide presentation."""
    if Area.PRESENT not in settings.only:
        return ok("None is needed: MEETDECK_ONLY leaves presentations to others.")
    alone = settings.model_copy(update={"workers": 1, "office_processes": 1})
    async with lend_renderer(alone) as renderer:
        if isinstance(renderer, MissingRenderer):
            return warning("LibreOffice is not installed: requests for PDFs and pictures get 503.", INSTALL_HINT)
        pdf = await renderer.to_pdf(warmup_deck())
        drawn = f"A slide became a PDF of {len(pdf)} bytes by {await renderer.get_version()}"
    if settings.gotenberg_url is not None:
        return ok(f"{drawn}.")
    return sum_up(await run_blocking(lambda: _check_office(settings)), f"{drawn}, which is jailed and has its fonts.")


def _check_office(settings: Settings) -> list[Finding]:
    problems: list[Finding] = []
    office = find_office(soffice=settings.office_path, python=settings.office_python)
    if office is not None and (gap := find_gap(office)):
        problems.append(
            warning(
                f"This system provides no jail for LibreOffice ({gap}): a presentation could draw files of this"
                " machine.",
                "Allow user namespaces or Landlock (docs/operations/rendering.md), or let Gotenberg render.",
            )
        )
    fonts = installed_typefaces()
    missing = [other for font, other in _FONTS if fonts is None or not (fonts.has(font) or fonts.has(other))]
    if missing:
        problems.append(
            warning(f"The fonts {', '.join(missing)} are missing: text is drawn wider or narrower.", INSTALL_HINT)
        )
    return problems
