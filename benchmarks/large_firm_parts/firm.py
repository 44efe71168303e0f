"""A large firm in the database: written by SQL, in half a minute."""

from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Final
from uuid import UUID

from meetdeck.demo.credentials import TenantCredentials, make_tenant_credentials, store_tenant_credentials
from meetdeck.embedded_postgres import Endpoint
from meetdeck.platform.process import clock

TENANT: Final = UUID("5f0c7c0a-7d53-4b8e-9c35-0a6f6f1d2b11")
_SIZES: Final[Mapping[str, int]] = {
    "employees": 2000,
    "rooms": 300,
    "topics": 50,
    "groups": 25,
    "portals": 40,
    "labels": 400,
    "weeks": 52,
}


async def add_firm(endpoint: Endpoint, **sizes: int) -> TenantCredentials:
    """Write the only firm into a migrated database and return the credentials of its clients."""
    await write_firm(endpoint, TENANT, **sizes)
    credentials = make_tenant_credentials(TENANT, "A bank", "Meetdeck.Elevated")
    superuser = await endpoint.superuser.connect()
    await superuser.execute(f"set meetdeck.tenant = '{TENANT}'")
    await store_tenant_credentials(superuser, credentials, clock.now())
    await superuser.close()
    return credentials


async def write_firm(endpoint: Endpoint, tenant: UUID, **sizes: int) -> None:
    """Write a firm without credentials into a migrated database; `sizes` are other ones."""
    script = Template(Path(__file__).with_name("firm.sql").read_text()).substitute({**_SIZES, **sizes}, tenant=tenant)
    superuser = await endpoint.superuser.connect()
    await superuser.execute(script)
    await superuser.execute("analyze")
    await superuser.close()
