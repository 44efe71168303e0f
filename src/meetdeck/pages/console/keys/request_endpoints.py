"""The page of the API's requests of the last hour, for whoever builds an integration."""

from datetime import datetime
from http import HTTPStatus
from typing import Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from litestar import Response, get

from meetdeck.pages.console.keys.rows import KEYS, Key
from meetdeck.pages.console.kit import ConsoleController, ConsolePage, CurrentPage, read_zone

_REQUESTS: Final = "administration/requests"
_STATUSES: Final = {
    str(int(one)): f"{int(one)} {one.phrase}"
    for one in (
        HTTPStatus.OK,
        HTTPStatus.CREATED,
        HTTPStatus.NO_CONTENT,
        HTTPStatus.NOT_MODIFIED,
        HTTPStatus.BAD_REQUEST,
        HTTPStatus.UNAUTHORIZED,
        HTTPStatus.FORBIDDEN,
        HTTPStatus.NOT_FOUND,
        HTTPStatus.CONFLICT,
        HTTPStatus.PRECONDITION_FAILED,
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.INTERNAL_SERVER_ERROR,
        HTTPStatus.SERVICE_UNAVAILABLE,
    )
}
"""The statuses that can be chosen, in the words of HTTP, which developers know in every language."""


class _Request(msgspec.Struct, frozen=True, rename="camel"):
    at: datetime
    method: str
    path: str
    status: int
    ms: float
    request_id: str
    key_id: UUID
    faults: list[str]


class _Page(msgspec.Struct, frozen=True):
    items: list[_Request]
    next: str | None = None


class Row(NamedTuple):
    """A request as the page shows it."""

    clock: str
    method: str
    path: str
    status: str
    color: str
    ms: str
    request_id: str
    key: str
    faults: list[str]


class RecentRequests(ConsoleController):
    """The API's requests of the last hour."""

    path = "/console/settings/requests"

    @get()
    async def show(self, page: CurrentPage) -> Response[bytes]:
        """Show the requests of a key and a status, or all, the newest first."""
        asked = page.request.query_params
        keys = {str(one.id): f"{one.name} …{one.ending}" for one in await page.api.get(KEYS, list[Key])}
        key, status = asked.get("key", ""), asked.get("status", "")
        chosen = {"key": key if key in keys else "", "status": status if status in _STATUSES else ""}
        query = {name: value or None for name, value in (*chosen.items(), ("after", asked.get("after", "")))}
        found = (await page.api.send("GET", _REQUESTS, query=query)).read(_Page)
        zone = await read_zone(page.api)
        return page.show(
            "recent-requests.html",
            rows=[_show(page, one, keys, zone) for one in found.items],
            keys=keys,
            statuses=_STATUSES,
            chosen=chosen,
            next=found.next,
        )


def _show(page: ConsolePage, request: _Request, keys: dict[str, str], zone: ZoneInfo) -> Row:
    clock = page.texts.show_clock(request.at, zone)
    return Row(
        clock=f"{clock}{clock[2]}{request.at.second:02}",
        method=request.method,
        path=request.path,
        status=str(request.status),
        color=_find_color(request.status),
        ms=f"{request.ms:.0f}" if request.ms >= 1 else "<1",
        request_id=request.request_id,
        key=keys.get(str(request.key_id), ""),
        faults=request.faults,
    )


def _find_color(status: int) -> str:
    """Return the color of a status: refusals stand out, failures of the service most."""
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return "danger"
    return "warning" if status >= HTTPStatus.BAD_REQUEST else "success"
