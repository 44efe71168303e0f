"""The demo firms' portals, to which the start page of a test environment links."""

from pathlib import Path
from uuid import UUID

import msgspec

_FILE = "dev-credentials.json"  # written by `serve --demo-data`


class DemoPortal(msgspec.Struct, frozen=True):
    """A portal of the demo data."""

    id: UUID
    name: str
    address: str | None = None

    @property
    def path(self) -> str:
        """Return the path of its page below the installation's root."""
        return f"p/{self.address or self.id}"


class _Tenant(msgspec.Struct, frozen=True):
    portals: list[DemoPortal] = []


class _DemoData(msgspec.Struct, frozen=True):
    tenants: list[_Tenant] = []


def list_demo_portals(data_dir: Path) -> list[DemoPortal]:
    """Return the portals of the demo data; empty if there is no demo data."""
    try:
        data = msgspec.json.decode((data_dir / _FILE).read_bytes(), type=_DemoData)
    except (OSError, msgspec.MsgspecError):
        return []
    return [portal for tenant in data.tenants for portal in tenant.portals]
