"""Booking on the installation's own database: `meetdeck import`, `meetdeck import cal`, `meetdeck slots compare`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from cyclopts import App

from meetdeck.cli.installation import run_on_database
from meetdeck.cli.output import print_json
from meetdeck.cli.parameters import TENANT_MISSING, Flag, UsageError, show_examples
from meetdeck.platform.errors import SetupError

if TYPE_CHECKING:
    from meetdeck.booking.importing.rows import Source
    from meetdeck.booking.kinds import Kind

import_app = App(name="import")
slots_app = App(name="slots", help="Check the results of the slot search on this installation's database.")


@import_app.default
def import_files(
    *files: Path,
    tenant: UUID | None = None,
    kind: str | None = None,
    dry_run: Flag = False,
    json: Flag = False,
) -> None:
    """Import employees, rooms, schedules, groups … from CSV or JSON: all rows or none (docs/importing.md).

    Parameters
    ----------
    files
        Files named after their contents: employees.csv, customer-types.csv …; a .json file can contain several kinds.
    tenant
        The tenant's id.
    kind
        The contents of the files if their names do not say: employees, rooms …
    dry_run
        Only show what would change.
    json
        Print the outcome as JSON.
    """
    from meetdeck.booking.importing.files import open_files

    if not files:
        raise UsageError(
            "Name the files to import: `meetdeck import employees.csv --tenant ID`. See `meetdeck import --help`."
        )
    tenant_id, read_as = _require_tenant(tenant), _read_kind(kind)
    _import(open_files(files, read_as), tenant_id, dry_run=dry_run, json=json)


@import_app.command(
    help_epilogue=show_examples(
        "meetdeck import cal cal-answers --tenant 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --dry-run",
        "meetdeck import cal cal-answers --tenant 6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
    )
)
def cal(folder: Path, *, tenant: UUID | None = None, dry_run: Flag = False, json: Flag = False) -> None:
    """Import event types, hosts, schedules and future bookings from Cal.com (docs/moving-from-cal.md).

    Parameters
    ----------
    folder
        A folder with answers of Cal.com's API v2: users.json, event-types.json, schedules.json, bookings.json.
    tenant
        The tenant's id.
    dry_run
        Only show what would change, and what has no counterpart.
    json
        Print the outcome as JSON.
    """
    from meetdeck.booking.importing.cal.files import open_folder
    from meetdeck.platform.process import clock

    tenant_id = _require_tenant(tenant)
    _import([open_folder(folder, clock.now())], tenant_id, dry_run=dry_run, json=json)


@import_app.command(
    help_epilogue=show_examples(
        "meetdeck import easyappointments ea-tables --tenant 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --dry-run",
        "meetdeck import easyappointments ea-tables --tenant 6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
    )
)
def easyappointments(folder: Path, *, tenant: UUID | None = None, dry_run: Flag = False, json: Flag = False) -> None:
    """Import services, providers, plans and appointments from Easy!Appointments (docs/moving-from-easyappointments.md).

    Parameters
    ----------
    folder
        A folder with tables as CSV: ea_users.csv, ea_services.csv and others.
    tenant
        The tenant's id.
    dry_run
        Only show what would change, and what has no counterpart.
    json
        Print the outcome as JSON.
    """
    from meetdeck.booking.importing.easyappointments.files import open_folder
    from meetdeck.platform.process import clock

    tenant_id = _require_tenant(tenant)
    _import([open_folder(folder, clock.now())], tenant_id, dry_run=dry_run, json=json)


def _read_kind(name: str | None) -> "Kind | None":
    """Return the kind of a name, None for none. Raises UsageError."""
    from meetdeck.booking.importing.kinds import IMPORTED, find_kind

    kind = find_kind(name) if name is not None else None
    if name is not None and kind is None:
        raise UsageError(f"--kind {name}: it must be one of {', '.join(one.imported_as for one in IMPORTED)}.")
    return kind


def _require_tenant(tenant: UUID | None) -> UUID:
    if tenant is None:
        raise UsageError(TENANT_MISSING)
    return tenant


def _import(sources: "Sequence[Source]", tenant: UUID, *, dry_run: bool, json: bool) -> None:
    """Import opened files, and print the outcome. Raises SetupError when rows have problems."""
    from meetdeck.booking.importing.service import import_files as load
    from meetdeck.platform.process import clock
    from meetdeck.platform.process.progress import show_progress

    with show_progress() as progress:
        outcome = run_on_database(
            lambda database, _: load(database, tenant, sources, clock.now(), progress, dry_run=dry_run),
            undone="Nothing was imported:",
        )
    if json:
        print_json(outcome)
    for noted in () if json else (*outcome.warnings, *outcome.problems):
        print(noted, file=sys.stderr)
    if outcome.problems:
        raise SetupError(f"Nothing was imported: {outcome.count_problems()}. Fix the rows and import again.")
    if not json:
        print("\n".join(outcome.describe()))


@slots_app.command
def compare(
    file: Path,
    *,
    tenant: UUID | None = None,
    at: str | None = None,
    query: str | None = None,
    json: Flag = False,
) -> None:
    """Compare a list of known slots with the search; exit status 1 if they differ (docs/comparing-free-times.md).

    Parameters
    ----------
    file
        A response of the slot search (.json), or a spreadsheet with employee, start, end and meeting type (.csv).
    tenant
        The tenant's id.
    at
        When the list was made, such as 2026-03-02T09:00; without an offset, in the organization's time zone.
    query
        The query or address of the search, such as topic=…&isCustomerInitiated=true; default: the one in the file.
    json
        Print the comparison as JSON.
    """
    from meetdeck.booking.comparison.known_slots import read_known_slots
    from meetdeck.booking.comparison.service import SearchOptions, compare_slots
    from meetdeck.booking.comparison.tables import show_comparison
    from meetdeck.booking.importing.moments import read_moment
    from meetdeck.platform.process import clock
    from meetdeck.platform.process.progress import show_progress

    tenant_id = _require_tenant(tenant)
    try:
        options = SearchOptions(clock.now(), read_moment(at) if at is not None else None, query)
    except ValueError as error:
        raise UsageError(f"--at: {error}.") from None
    known = read_known_slots(file)
    if known.problems:
        for problem in (*known.warnings, *known.problems):
            print(problem, file=sys.stderr)
        rows = len({problem.line for problem in known.problems})
        raise SetupError(f"Nothing was compared: {len(known.problems):,} problems in {rows:,} rows. Fix them first.")
    with show_progress() as progress:
        found = run_on_database(
            lambda database, settings: compare_slots(
                database, tenant_id, known, options, progress, most=settings.search_most_slots
            ),
            undone="Nothing was compared:",
        )
    if json:
        print_json(found)
    else:
        for warning in found.warnings:
            print(warning, file=sys.stderr)
        show_comparison(found)
    if not found.is_equal:
        sys.exit(1)
