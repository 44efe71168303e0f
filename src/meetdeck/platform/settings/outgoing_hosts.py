"""The hosts that a firm may name for calls, if the operator gave it a list of its own (docs/decisions/0164)."""

from collections.abc import Sequence

from meetdeck.platform.database import Connection


async def find_outgoing_hosts(connection: Connection) -> Sequence[str] | None:
    """Return the own list of the transaction's tenant; None: the installation's applies."""
    return await connection.fetchval("select outgoing_hosts from tenant")
