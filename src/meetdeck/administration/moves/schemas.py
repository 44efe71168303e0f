"""The report on a move, and its errors."""

from uuid import UUID

import msgspec

from meetdeck.platform.errors import SetupError


class MoveRefusedError(SetupError):
    """The tenant cannot be moved now, or not there; nothing was changed."""


class MoveReport(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The report on a finished move."""

    tenant_id: UUID
    name: str
    source: str
    target: str
    rows: int
    """All rows of the tenant, at its end."""
    seconds: float
    closed_seconds: float
    """The time for which the tenant's requests were refused; 0 for a decided move that was only completed."""
