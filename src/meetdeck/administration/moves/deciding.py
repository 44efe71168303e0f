"""The decision of a move: one commit in the source after which the tenant lives in the target, whoever completes it.

`tenant.cell` says so in each database (docs/decisions/0233). The directory names the cell. There,

- null: the tenant lives there;
- the cell's own name: the tenant's rows arrive there, or have arrived, when the directory names the cell;
- another name: the tenant was moved to that cell. The directory has yet to say so.
"""

from meetdeck.administration.moves.sides import Side, Sides
from meetdeck.platform.errors import SetupError
from meetdeck.platform.identity import TenantNotFound


async def find_source(sides: Sides, first: Side) -> tuple[Side, bool]:
    """Return the database in which the tenant lives, and whether a move to it was decided and is completed now.

    Raises TenantNotFound.
    """
    known = await first.find_home()
    if known is None:
        raise TenantNotFound(first.tenant_id)
    cell = await sides.open(known.cell or sides.first)
    if cell.is_first:
        return cell, False
    home = await cell.find_home()
    if home is None:
        raise SetupError(f"The directory says that {known.name} lives in {cell.name}, which does not know it.")
    if home.cell is None:
        return cell, False
    target = await sides.open(home.cell)
    await complete(first, target)
    return target, True


async def complete(first: Side, target: Side) -> None:
    """Write into the directory and the target that the tenant lives in the target: a move was decided."""
    await first.set_home(None if target.is_first else target.name)
    if not target.is_first:
        await target.set_home(None)
