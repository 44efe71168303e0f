"""The audit log on the command line: `meetdeck audit-log`."""

import sys
from uuid import UUID

from meetdeck.cli.installation import run_on_database
from meetdeck.cli.output import print_json, print_table, show_moment
from meetdeck.cli.parameters import Flag, UsageError
from meetdeck.platform.database import Database
from meetdeck.platform.settings import Settings


def audit_log(*, tenant: UUID, limit: int = 50, csv: Flag = False, json: Flag = False) -> None:
    """List changes to a tenant's configuration, templates, keys and clients, newest first, and who made them.

    Parameters
    ----------
    tenant
        The tenant's id.
    limit
        The number of entries, from 1 to 1,000; --csv prints all.
    csv
        Print all entries as CSV.
    json
        Print {items, next}, as in GET /api/v3/audit-log.
    """
    from meetdeck.administration.audit_log.schemas import MOST_ON_A_PAGE, AuditPage, AuditQuery
    from meetdeck.administration.audit_log.service import read_all, read_page, write_csv
    from meetdeck.platform.identity import require_tenant

    if not 1 <= limit <= MOST_ON_A_PAGE:
        raise UsageError(f"--limit must be a number from 1 to {MOST_ON_A_PAGE:,}, not {limit}.")
    query = AuditQuery(limit=limit)

    async def read(database: Database, settings: Settings) -> AuditPage:
        del settings
        async with database.transaction(tenant) as connection:
            await require_tenant(connection, tenant)
            page = await read_page(connection, query)
        if csv:
            async for rows in write_csv(read_all(database, tenant, query)):
                sys.stdout.buffer.write(rows)
            sys.stdout.flush()
        return page

    page = run_on_database(read)
    if json and not csv:
        print_json(page)
    elif not csv:
        print_table(
            ("When (UTC)", "Who", "What", "Kind", "Name", "Id", "Members"),
            [
                (
                    show_moment(each.changed_at),
                    each.user_id or f"{each.operator}: {each.command}",
                    each.action.value,
                    each.kind.value,
                    each.resource_name,
                    each.resource_id,
                    ", ".join(change.member for change in each.changes),
                )
                for each in page.items
            ],
            empty="Nothing has been changed yet.",
        )
