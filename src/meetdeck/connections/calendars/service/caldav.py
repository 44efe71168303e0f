"""Reading a collection of a CalDAV server (RFC 4791): its free and busy times, or else its events."""

from collections.abc import Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from lxml import etree

from meetdeck.connections.calendars.service.fetching import LIMITS, Fetched, Login, Unreadable, require_success
from meetdeck.connections.icalendar import Window
from meetdeck.platform.outgoing import OutgoingClient, OutgoingRefused, OutgoingReply, OutgoingRequest

_HEADERS: Final = {"Content-Type": "application/xml; charset=utf-8", "User-Agent": "Meetdeck-Calendars/1"}
_CALDAV: Final = "{urn:ietf:params:xml:ns:caldav}"
_SERVER: Final = "{http://calendarserver.org/ns/}"
_NOTHING: Final = b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"
_LONGEST_TAG: Final = 500

_DESCRIBE: Final = b"""<?xml version="1.0" encoding="utf-8"?>
<propfind xmlns="DAV:" xmlns:s="http://calendarserver.org/ns/"><prop><resourcetype/><s:getctag/></prop></propfind>"""
_FREE_BUSY: Final = """<?xml version="1.0" encoding="utf-8"?>
<c:free-busy-query xmlns:c="urn:ietf:params:xml:ns:caldav"><c:time-range start="{begin}" end="{end}"/>
</c:free-busy-query>"""
_EVENTS: Final = """<?xml version="1.0" encoding="utf-8"?>
<c:calendar-query xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns="DAV:"><prop><c:calendar-data/></prop><c:filter>
<c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"><c:time-range start="{begin}" end="{end}"/></c:comp-filter>
</c:comp-filter></c:filter></c:calendar-query>"""


class Collection(NamedTuple):
    """A collection of a server, and the client and credentials to call it with."""

    client: OutgoingClient
    address: str
    login: Login
    hosts: Sequence[str] | None

    async def read(self, window: Window, *, known: str | None) -> Fetched | None:
        """Return the owner's busy times in a window, as an iCalendar file; None when its tag is still `known`.

        Raises Unreadable.
        """
        described = await self._send("PROPFIND", _DESCRIBE, depth="0")
        require_success(described.status, described.headers.get("retry-after"))
        tree = _parse(described)
        if tree.find(f".//{_CALDAV}calendar") is None:
            raise Unreadable("NoCalendar")
        tag: str | None = (tree.findtext(f".//{_SERVER}getctag") or "")[:_LONGEST_TAG] or None
        if tag is not None and tag == known:
            return None
        return Fetched(await self._read_times(window), tag, None)

    async def _read_times(self, window: Window) -> bytes:
        """Return free and busy times; the events where the server does not answer them."""
        span = {"begin": _write(window.begins_at), "end": _write(window.ends_at)}
        answered = await self._send("REPORT", _FREE_BUSY.format(**span).encode(), depth="1")
        if answered.status == HTTPStatus.OK and answered.body.lstrip()[:15].upper() == b"BEGIN:VCALENDAR":
            return answered.body
        found = await self._send("REPORT", _EVENTS.format(**span).encode(), depth="1")
        require_success(found.status, found.headers.get("retry-after"))
        files: list[str] = [one.text or "" for one in _parse(found).iter(f"{_CALDAV}calendar-data")]
        return "\r\n".join(one.strip() for one in files).encode() or _NOTHING

    async def _send(self, method: str, body: bytes, *, depth: str) -> OutgoingReply:
        """Return the answer to a call. Raises Unreadable without one, or for one that is too large."""
        headers = _HEADERS | self.login.make_headers() | {"Depth": depth}
        try:
            reply = await self.client.send(OutgoingRequest(self.address, method, headers, body), LIMITS, self.hosts)
        except OutgoingRefused:
            raise Unreadable("NotAllowed") from None
        except OSError:
            raise Unreadable("NoAnswer") from None
        if not reply.is_whole:
            raise Unreadable("TooLarge")
        return reply


def _parse(reply: OutgoingReply) -> Any:  # noqa: ANN401 - lxml has no types
    """Return the XML of an answer; entities are not resolved. Raises Unreadable."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(reply.body, parser)
    except etree.XMLSyntaxError:
        raise Unreadable("NoCalendar") from None


def _write(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"
