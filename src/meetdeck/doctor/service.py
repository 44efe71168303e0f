"""All checks of an installation, in the order of the report."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial

from msgspec.structs import replace

from meetdeck.doctor import calendars, database, deliveries, machine, mail, people, secrecy
from meetdeck.doctor.outcome import CheckResult, Examination, Finding, Status, fault, gather, name_finding, ok, warning
from meetdeck.doctor.running import Check, run_checks
from meetdeck.embedded_postgres.cluster import DataFolder
from meetdeck.installation import database_addresses, find_cells, read_cells
from meetdeck.platform.database import Address, Cell
from meetdeck.platform.errors import SetupError
from meetdeck.platform.process.logging import configure_logging
from meetdeck.platform.settings import Settings, read_settings

_RENDERER_SECONDS = 90
_MEND_DATABASE = (
    "Check that the server runs and this machine reaches it; role, password and sslmode are in MEETDECK_DATABASE_URL."
)
_MEND_SCHEMA = "Upgrade the schema first; then check the server's message."


def examine() -> Examination:
    """Return the results of all checks. A running `serve` is not disturbed, and nothing new is left behind."""
    try:
        settings = read_settings()
    except SetupError as error:
        finding = fault(
            str(error), "Correct these settings, then run the doctor again: all other checks need the settings."
        )
        return gather([name_finding("settings", finding)])
    configure_logging(settings.log_format, logging.CRITICAL)  # the checks report what is wrong
    with _find_database(settings) as found:
        return asyncio.run(check_all(settings, found))


@contextmanager
def _find_database(settings: Settings) -> Generator[Address | Finding]:
    """Yield the application's address, or why there is none; an existing embedded database runs meanwhile."""
    if settings.database_url is None and not DataFolder(settings.data_dir / "postgres").pgdata.exists():
        yield warning("The embedded database does not exist yet.", "`meetdeck serve` creates it.")
        return
    with ExitStack() as stack:
        try:
            _, found = stack.enter_context(database_addresses(settings))
        except SetupError as error:
            found = fault(str(error), _MEND_DATABASE)
        yield found


async def check_all(settings: Settings, found: Address | Finding) -> Examination:
    """Return the results of all checks; `found` is the database, or why there is none."""
    if isinstance(found, Address):
        found = await _reach(found)
    address = found if isinstance(found, Address) else None
    told = await run_checks([*_list_checks(settings, address), *_list_checks_of_callers(settings)])
    told[1:1] = await _check_database(settings, found)
    told += await _check_cells(settings, address) if address is not None else []
    told += await run_checks([_make_renderer_check(settings)])  # alone: it uses all cores, and blocks
    return gather(told)


async def _reach(address: Address) -> Address | Finding:
    """Return the address if its server answers, otherwise why it does not."""

    async def knock() -> Finding:
        async with database.connect(address):
            return ok("It answers.")

    (told,) = await run_checks([Check("database", knock, _MEND_DATABASE)])
    return address if told.status is Status.OK else Finding(told.status, told.detail, told.advice)


async def _check_cells(settings: Settings, first: Address) -> list[CheckResult]:
    """Return the findings about MEETDECK_CELLS, and about each cell beside the first database."""
    if settings.cells is None:
        return []

    async def compare() -> Finding:
        await find_cells(settings, first)
        return ok("Each cell is a different database, and no firm lives elsewhere.")

    results = await run_checks([Check("cells", compare, "Correct MEETDECK_CELLS.")])
    with suppress(SetupError):  # which that check has told
        for cell in read_cells(settings, first).others:
            found = await _reach(cell.application)
            results += [
                replace(one, name=f"{one.name} of cell {cell.name}")
                for one in (
                    await _check_database(settings, found, cell)
                    if isinstance(found, Address)
                    else [name_finding("database", found)]
                )
            ]
    return results


async def _check_database(settings: Settings, found: Address | Finding, cell: Cell | None = None) -> list[CheckResult]:
    """Return the findings about the first database, or a cell; without one, that the rest was not checked."""
    checks: list[tuple[str, Callable[[Address], Awaitable[Finding]], str]] = [
        ("database", partial(database.check_database, settings), _MEND_DATABASE),
        ("schema", database.check_schema, "Run `meetdeck migrate`, or the version that fits the schema."),
        ("connections", partial(database.check_connections, settings), "Check the server's message."),
        (
            "standby",
            partial(database.check_standby, settings, cell),
            "Check that it runs: searches ask the primary meanwhile.",
        ),
        ("worker", partial(database.check_worker, settings), _MEND_SCHEMA),
        ("webhooks", deliveries.check_webhooks, _MEND_SCHEMA),
        ("calendars", calendars.check_calendars, _MEND_SCHEMA),
        ("calendar connections", calendars.check_connections, _MEND_SCHEMA),
        ("outgoing addresses", partial(deliveries.check_addresses, settings), _MEND_SCHEMA),
        ("messages", deliveries.check_messages, _MEND_SCHEMA),
        ("hold", database.check_hold, _MEND_SCHEMA),
        ("backup", partial(database.check_backup, settings), _MEND_SCHEMA),
        ("encryption key", partial(database.check_encryption_key, settings), _MEND_SCHEMA),
    ]
    if isinstance(found, Address):
        return await run_checks([Check(name, partial(check, found), advice) for name, check, advice in checks])
    missed = warning("It was not checked, because the database is unavailable.", "Fix the database first.")
    return [name_finding(name, found if name == "database" else missed) for name, _, _ in checks]


def _list_checks(settings: Settings, address: Address | None) -> list[Check]:
    return [
        Check("settings", partial(secrecy.check_settings, settings), "See docs/operations/settings.md."),
        Check(
            "database owner",
            partial(database.check_owner, settings),
            "Correct MEETDECK_DATABASE_OWNER_URL: `meetdeck migrate` needs it, serving does not.",
        ),
        Check(
            "storage",
            partial(machine.check_storage, settings),
            "Check that it answers, and its credentials; MEETDECK_STORAGE_URL names it.",
            seconds=30,
        ),
        Check("clock", partial(machine.check_clock, settings, address), "Check the database's message."),
        Check("disk", partial(machine.check_disk, settings), "Check that its disk is mounted and works."),
        Check("secrets", partial(secrecy.check_secrets, settings), "Check that the data folder can be read."),
    ]


def _list_checks_of_callers(settings: Settings) -> list[Check]:
    """Return the checks of callers; two documents are requested from an issuer, each within five seconds."""
    advice = "Check that it answers."
    return [
        Check("issuer", partial(people.check_issuer, settings), advice, seconds=15),
        Check("portal sign-in", partial(people.check_provider, settings.portal, settings), advice, seconds=15),
        Check("national id", partial(people.check_provider, settings.national_id, settings), advice, seconds=15),
        Check("console sign-in", partial(people.check_provider, settings.console, settings), advice, seconds=15),
        Check("public address", partial(people.check_public_address, settings), "Correct MEETDECK_PUBLIC_URL."),
        Check("mail", partial(mail.check_mail, settings), "Check that the mail server answers.", seconds=60),
        Check("proxies", partial(people.check_proxies, settings), "Correct MEETDECK_TRUSTED_PROXIES."),
    ]


def _make_renderer_check(settings: Settings) -> Check:
    advice = "See docs/operations/rendering.md."
    return Check("renderer", partial(machine.check_renderer, settings), advice, seconds=_RENDERER_SECONDS)
