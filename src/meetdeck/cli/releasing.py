"""Ending the hold of a restored installation: `meetdeck release`."""

from datetime import datetime

from meetdeck.cli.installation import run_on_database
from meetdeck.cli.output import print_json, show_moment
from meetdeck.cli.parameters import Flag
from meetdeck.platform.database import Database
from meetdeck.platform.process import clock
from meetdeck.platform.settings import Settings


def release(*, json: Flag = False) -> None:
    """Release an installation that was restored with `--held`: it sends mail, text messages, webhooks and calls again.

    Messages and events that are due are sent at once; outdated ones are dropped. Do not release a copy while the
    original runs.

    Parameters
    ----------
    json
        Print {heldSince, due}: since when it was held (null: it was not), and the number of background jobs due.
    """
    held_since, due = run_on_database(_release)
    if json:
        print_json({"heldSince": held_since, "due": due})
    elif held_since is None:
        print("This installation is not held.")
    else:
        print(
            f"Released; it was held since {show_moment(held_since)} UTC. {due:,} background jobs are due and start now."
        )


async def _release(database: Database, _: Settings) -> tuple[datetime | None, int]:
    from meetdeck.platform.settings.sending_hold import release_sending
    from meetdeck.platform.work import read_backlog

    held_since, due = list[datetime](), 0
    for cell in database.cells:
        async with cell.outside_tenants() as connection:
            due += sum(each.due for each in await read_backlog(connection, clock.now()))
            held_since += [held for held in [await release_sending(connection)] if held is not None]
    return min(held_since, default=None), due
