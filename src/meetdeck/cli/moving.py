"""`meetdeck tenant move`."""

from typing import TYPE_CHECKING
from uuid import UUID

from meetdeck.cli.installation import prepare
from meetdeck.cli.output import print_json
from meetdeck.cli.parameters import Flag
from meetdeck.platform.changes import name_operator
from meetdeck.platform.errors import MeetdeckError, SetupError
from meetdeck.platform.process import clock, signals, take_data_folder
from meetdeck.platform.process.progress import show_progress

if TYPE_CHECKING:
    from meetdeck.administration.moves.schemas import MoveReport


def move(id: UUID, /, *, to: str, json: Flag = False) -> None:
    """Move a tenant to another cell, while it is served.

    At the end its requests get 503 with `Retry-After` for some seconds. If it is interrupted, the tenant stays where it
    was, or has moved; run it again.

    Parameters
    ----------
    id
        The tenant's id.
    to
        The cell: a name of MEETDECK_CELLS.
    json
        Print {tenantId, name, source, target, rows, seconds, closedSeconds} as JSON.
    """
    report = _move(id, to)
    if json:
        print_json(report)
    elif report.source == report.target:
        print(f"{report.name} lives in {report.target}: the move that was interrupted is complete.")
    else:
        print(
            f"{report.name} moved from {report.source} to {report.target}: {report.rows:,} rows in "
            f"{report.seconds:,.0f} seconds. Its requests were refused for {report.closed_seconds:,.1f} seconds."
        )


def _move(tenant_id: UUID, to: str) -> "MoveReport":
    from meetdeck.administration.moves.service import move_tenant
    from meetdeck.installation import database_addresses, read_cells

    settings = prepare()
    take_data_folder(settings.data_dir)
    with database_addresses(settings) as (owner, application), show_progress(lines=True) as progress:
        cells = read_cells(settings, application)
        owners = {cells.first: owner} | {cell.name: cell.owner for cell in cells.others}
        work = move_tenant(owners, tenant_id, to, name_operator("tenant move"), clock.now, progress)
        try:
            return signals.run(work)
        except MeetdeckError as error:
            raise SetupError(error.detail) from error
