"""The firms that are drawn beside the demo firm: with nothing, and with 3, 60 and 10,000 things of each kind."""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from string import Template
from typing import Final
from uuid import NAMESPACE_URL, UUID, uuid5

from large_firm_parts.firm import write_firm

from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.embedded_postgres.endpoint import Endpoint
from support.console import THOMAS
from support.installation import Installation

_THINGS: Final = {"empty": 0, "three": 3, "sixty": 60, "many": 10_000}
_MOST: Final = {"rooms": 1_000, "topics": 300, "groups": 60, "portals": 300, "labels": 1_000}
"""The kinds of which no firm has 10,000."""
_MORE: Final = Template(Path(__file__).with_name("firms.sql").read_text(encoding="utf-8"))


def name_admin(firm: str) -> str:
    """Return the address with which a firm's admin signs in."""
    return THOMAS if firm == "demo" else f"admin@{firm}.example"


def fill_firms(installation: Installation, names: Iterable[str]) -> None:
    """Add the firms of these names to a running installation, each with an admin."""
    for name in names:
        if name in _THINGS:
            _fill(installation, name, _THINGS[name])


def _fill(installation: Installation, name: str, things: int) -> None:
    tenant = uuid5(NAMESPACE_URL, f"urn:meetdeck:pictures:{name}")
    if not things:
        _run(installation, "tenant", "create", name, "--id", str(tenant))
    with EmbeddedPostgres(installation.data_dir / "postgres") as endpoint:
        asyncio.run(_write(endpoint, tenant, name, things))
    user = ("--name", "Thomas Vind", "--email", name_admin(name), "--role", "admin")
    _run(installation, "user", "create", "--tenant", str(tenant), *user)


async def _write(endpoint: Endpoint, tenant: UUID, name: str, things: int) -> None:
    if things:
        sizes = {kind: min(things, most) for kind, most in _MOST.items()}
        await write_firm(endpoint, tenant, employees=things, weeks=1, **sizes)
    superuser = await endpoint.superuser.connect()
    await superuser.execute(_MORE.substitute(tenant=tenant, name=name, number=things))
    await superuser.close()


def _run(installation: Installation, *arguments: str) -> None:
    done = installation.command(*arguments, "--json")
    if done.returncode:
        raise SystemExit(done.stderr)
