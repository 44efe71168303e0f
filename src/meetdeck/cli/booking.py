"""Booking on the installation's own database: `meetdeck import`, `meetdeck slots compare`."""

import sys
from pathlib import Path
from uuid import UUID

from cyclopts import App

from meetdeck.cli.installation import run_on_database
from meetdeck.cli.output import print_json
from meetdeck.cli.parameters import Flag
from meetdeck.platform.errors import SetupError

slots_app = App(name="slots", help="Check the results of the slot search on this installation's database.")

_TENANT_MISSING = (
    "--tenant is missing: the firm's id, a UUID that its tokens carry; the demo firms' ids stand in "
    "dev-credentials.json in the data folder."
)


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
    from meetdeck.booking.importing.service import import_files as load
    from meetdeck.platform.process import clock
    from meetdeck.platform.process.progress import show_progress

    if not files:
        raise SetupError("Name at least one file to import: `meetdeck import employees.csv --tenant …`.")
    if tenant is None:
        raise SetupError(_TENANT_MISSING)
    sources = open_files(files, kind)
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

    if tenant is None:
        raise SetupError(_TENANT_MISSING)
    try:
        options = SearchOptions(clock.now(), read_moment(at) if at is not None else None, query)
    except ValueError as error:
        raise SetupError(f"--at: {error}.") from None
    known = read_known_slots(file)
    if known.problems:
        for problem in (*known.warnings, *known.problems):
            print(problem, file=sys.stderr)
        rows = len({problem.line for problem in known.problems})
        raise SetupError(f"Nothing was compared: {len(known.problems):,} problems in {rows:,} rows. Fix them first.")
    with show_progress() as progress:
        found = run_on_database(
            lambda database, settings: compare_slots(
                database, tenant, known, options, progress, most=settings.search_most_slots
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
