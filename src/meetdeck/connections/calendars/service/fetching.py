"""Downloads a calendar from where it is kept, within the rules of outgoing calls."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Final, NamedTuple

from meetdeck.connections.icalendar import MOST_BYTES
from meetdeck.connections.logins import Login
from meetdeck.platform.outgoing import Limits, OutgoingClient, OutgoingRefused, OutgoingRequest

LIMITS: Final = Limits(seconds=30, most_bytes=MOST_BYTES + 1)
_HEADERS: Final = {"Accept": "text/calendar", "User-Agent": "Meetdeck-Calendars/1"}


class CalendarUnreadable(Exception):  # noqa: N818 - a state of the calendar
    """A calendar cannot be read; `problem` is a stable name, `retry_after` the pause that the server asks for."""

    def __init__(self, problem: str, retry_after: str | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.retry_after = retry_after


class FetchedCalendar(NamedTuple):
    """A downloaded calendar with its ETag and modification date."""

    data: bytes
    etag: str | None
    changed: str | None


async def fetch_file(
    client: OutgoingClient,
    address: str,
    login: Login,
    hosts: Sequence[str] | None,
    *,
    etag: str | None = None,
    changed: str | None = None,
) -> FetchedCalendar | None:
    """Return the file at an address; None if it is unchanged since `etag` and `changed`. Raises CalendarUnreadable."""
    conditions = {"If-None-Match": etag, "If-Modified-Since": changed}
    headers = _HEADERS | login.make_headers() | {name: value for name, value in conditions.items() if value}
    try:
        reply = await client.send(OutgoingRequest(address, headers=headers), LIMITS, hosts)
    except OutgoingRefused:
        raise CalendarUnreadable("NotAllowed") from None
    except OSError:
        raise CalendarUnreadable("NoAnswer") from None
    if reply.status == HTTPStatus.NOT_MODIFIED and (etag or changed):
        return None
    require_success(reply.status, reply.headers.get("retry-after"))
    if not reply.is_whole:
        raise CalendarUnreadable("TooLarge")
    return FetchedCalendar(reply.body, _keep(reply.headers.get("etag")), _keep(reply.headers.get("last-modified")))


def require_success(status: int, retry_after: str | None = None) -> None:
    """Raise CalendarUnreadable for a status other than 2xx."""
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        raise CalendarUnreadable("SignInRefused")
    if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        raise CalendarUnreadable(f"Status{status}", retry_after)


def _keep(header: str | None) -> str | None:
    """Return the header's value if it can be sent back in a request."""
    return header if header and len(header) <= 500 and header.isascii() and header.isprintable() else None  # noqa: PLR2004
