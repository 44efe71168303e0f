"""Completing a decided move whose command was killed before all databases said so (docs/decisions/0233)."""

from collections.abc import Callable
from typing import Final
from uuid import UUID

from meetdeck.platform.database.pool import Database

_CLAIM: Final = "select pg_try_advisory_xact_lock(move_lock($1))"
_READ: Final = "select cell from tenant"
_WRITE: Final = "update tenant set cell = $1"


async def complete_move(directory: Database, open_cell: Callable[[str | None], Database], tenant_id: UUID) -> None:
    """Write the cell that a tenant's last move decided on into directory and cell; nothing while a command does that.

    `open_cell` returns databases whose transactions do not check where the tenant lives.
    """
    named = await _read(directory, tenant_id)
    cell = open_cell(named)
    async with cell.transaction(tenant_id) as connection:
        if not await connection.fetchval(_CLAIM, str(tenant_id)):
            return
        moved_to: str | None = await connection.fetchval(_READ)
        # Nobody moves the tenant out of this cell or into it while we have the claim.
        if cell.name == directory.name or await _read(directory, tenant_id) != named:
            return
        if moved_to == cell.name:
            await connection.execute(_WRITE, None)
        elif moved_to is not None:
            async with directory.transaction(tenant_id) as telling:
                await telling.execute(_WRITE, None if moved_to == directory.name else moved_to)
    if moved_to not in {None, cell.name}:
        await complete_move(directory, open_cell, tenant_id)


async def _read(directory: Database, tenant_id: UUID) -> str | None:
    async with directory.transaction(tenant_id) as connection:
        cell: str | None = await connection.fetchval(_READ)
        return cell
