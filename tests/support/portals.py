"""Portals over HTTP: creating, reading and changing them."""

from typing import Any

import httpx

from meetdeck.demo.firm import NORDLYS
from support.factories import Api

PORTALS = "v3/booking/config/portals"
Json = dict[str, Any]
NORDLYS_PORTAL = str(NORDLYS.id_of("portal", NORDLYS.name))


async def create(api: Api, name: str = "Book us", **members: Any) -> Json:
    """Make a portal."""
    answer = await api.post(PORTALS, {"name": name} | members)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def read(api: Api, portal_id: str, *, whole: bool = True) -> Json:
    """Return a portal; if `whole`, including its hidden fields."""
    answer = await api.get(f"{PORTALS}/{portal_id}", params={"includeHiddenFields": str(whole).lower()})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def patch(api: Api, portal: Json, *operations: Json, **arguments: Any) -> httpx.Response:
    """Change a portal."""
    return await api.request("PATCH", f"{PORTALS}/{portal['id']}", json=operations, **arguments)


def names_of(portals: list[Json]) -> list[str]:
    """Return the names of portals, or of fields."""
    return [portal["name"] for portal in portals]
