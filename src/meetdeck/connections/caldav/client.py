"""Calls of one CalDAV server, within the rules of outgoing calls."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Final
from urllib.parse import quote, urlsplit

from meetdeck.connections.caldav.documents import (
    DESCRIBE,
    DavResource,
    read_files,
    read_resources,
    write_events,
    write_free_busy,
    write_search,
)
from meetdeck.connections.failures import ServiceFailed, ServiceProblem, read_pause
from meetdeck.connections.icalendar import MOST_BYTES, Window
from meetdeck.connections.logins import Login
from meetdeck.platform.outgoing import Limits, OutgoingClient, OutgoingRefused, OutgoingReply, OutgoingRequest

_HEADERS: Final = {"Content-Type": "application/xml; charset=utf-8", "User-Agent": "Meetdeck-Calendars/1"}
_LIMITS: Final = Limits(seconds=30, most_bytes=MOST_BYTES + 1)
_LIST_LIMITS: Final = Limits(seconds=60, most_bytes=30_000_000)
"""For a list of all people of a firm."""
_NOTHING: Final = b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"
_SAFE: Final = "/%@:!$&'()*+,;=~-._"
_MOST_REDIRECTS: Final = 2
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_PROBLEMS: Final = {
    401: ServiceProblem.CREDENTIALS,
    403: ServiceProblem.DENIED,
    404: ServiceProblem.GONE,
    410: ServiceProblem.GONE,
}


class CalDavClient:
    """Calls one server; `hosts` are the hosts that its firm may name."""

    def __init__(self, outgoing: OutgoingClient, address: str, login: Login, hosts: Sequence[str] | None) -> None:
        self._outgoing = outgoing
        self._address = address
        self._login = login
        self._hosts = hosts
        parts = urlsplit(address)
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self.path = parts.path or "/"
        """The path of the address."""

    async def describe(self, path: str | None = None) -> DavResource:
        """Return the properties of the resource at a path, by default at the connection's address.

        Raises ServiceFailed.
        """
        found = self._read(await self._send("PROPFIND", path, DESCRIBE))
        if not found:
            raise ServiceFailed(ServiceProblem.UNEXPECTED)
        return found[0]

    async def find(self, path: str) -> DavResource:
        """Return the same, following redirects to other paths of the server. Raises ServiceFailed."""
        for _ in range(_MOST_REDIRECTS):
            reply = await self._call("PROPFIND", path, DESCRIBE)
            target = urlsplit(reply.headers.get("location", ""))
            if reply.status not in _REDIRECTS or target.hostname not in {None, urlsplit(self._origin).hostname}:
                break
            path = target.path or "/"
        return await self.describe(path)

    async def list_inside(self, path: str) -> list[DavResource]:
        """Return the resources in a collection; the collection itself may be among them. Raises ServiceFailed."""
        return self._read(await self._send("PROPFIND", path, DESCRIBE, "1", _LIST_LIMITS))

    async def search_people(self, path: str, email: str) -> list[DavResource]:
        """Return the principals below a path whose e-mail address contains this one. Raises ServiceFailed."""
        return self._read(await self._send("REPORT", path, write_search(email)))

    async def read_times(self, window: Window, path: str | None = None) -> bytes:
        """Return a calendar's busy times as an iCalendar file, or its events if the server does not report busy times.

        Raises ServiceFailed.
        """
        answered = await self._call("REPORT", path, write_free_busy(window), "1")
        if answered.status == HTTPStatus.OK and answered.body.lstrip()[:15].upper() == b"BEGIN:VCALENDAR":
            return answered.body
        found = await self._send("REPORT", path, write_events(window), "1")
        try:
            files = read_files(found.body)
        except ValueError:
            raise ServiceFailed(ServiceProblem.UNEXPECTED) from None
        return "\r\n".join(one.strip() for one in files).encode() or _NOTHING

    @staticmethod
    def _read(reply: OutgoingReply) -> list[DavResource]:
        try:
            return read_resources(reply.body)
        except ValueError:
            raise ServiceFailed(ServiceProblem.UNEXPECTED) from None

    async def _send(
        self, method: str, path: str | None, body: bytes, depth: str = "0", limits: Limits = _LIMITS
    ) -> OutgoingReply:
        """Return the reply if its status is 2xx. Raises ServiceFailed."""
        reply = await self._call(method, path, body, depth, limits)
        if reply.is_success:
            return reply
        pause = read_pause(reply.headers.get("retry-after", ""))
        if reply.status == HTTPStatus.TOO_MANY_REQUESTS or pause is not None:
            problem = ServiceProblem.THROTTLED
        elif reply.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            problem = ServiceProblem.UNREACHABLE
        else:
            problem = _PROBLEMS.get(reply.status, ServiceProblem.UNEXPECTED)
        raise ServiceFailed(problem, f"Status{reply.status}", pause)

    async def _call(
        self, method: str, path: str | None, body: bytes, depth: str = "0", limits: Limits = _LIMITS
    ) -> OutgoingReply:
        """Return the reply, whatever its status. Raises ServiceFailed if there is no complete reply."""
        if path is not None and not path.startswith("/"):  # after the server's name it would change the host
            raise ServiceFailed(ServiceProblem.UNEXPECTED)
        address = self._address if path is None else f"{self._origin}{quote(path, safe=_SAFE)}"
        headers = _HEADERS | self._login.make_headers() | {"Depth": depth}
        try:
            reply = await self._outgoing.send(OutgoingRequest(address, method, headers, body), limits, self._hosts)
        except OutgoingRefused:
            raise ServiceFailed(ServiceProblem.ADDRESS) from None
        except OSError:
            raise ServiceFailed(ServiceProblem.UNREACHABLE) from None
        if not reply.is_whole:
            raise ServiceFailed(ServiceProblem.TOO_LARGE)
        return reply
