"""Writes the bodies of CalDAV requests and parses the answers; pure.

Entities are not resolved and nothing is loaded. Only the properties needed for discovery and reading are parsed.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit
from xml.sax.saxutils import escape

from lxml import etree

from meetdeck.connections.icalendar import Window

_DAV: Final = "{DAV:}"
_CALDAV: Final = "{urn:ietf:params:xml:ns:caldav}"
_SERVER: Final = "{http://calendarserver.org/ns/}"
_NAMES: Final = 'xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://calendarserver.org/ns/"'
_HEAD: Final = '<?xml version="1.0" encoding="utf-8"?>'
_MAILTO: Final = "mailto:"
_LONGEST_TAG: Final = 500
_LONGEST_EMAIL: Final = 320
_GOOD: Final = " 200"

DESCRIBE: Final = (
    f"{_HEAD}<propfind {_NAMES}><prop><resourcetype/><s:getctag/><current-user-principal/><principal-collection-set/>"
    "<c:calendar-home-set/><c:calendar-user-address-set/><c:schedule-calendar-transp/>"
    "<c:supported-calendar-component-set/></prop></propfind>"
).encode()
_SEARCH: Final = (
    f"{_HEAD}<principal-property-search {_NAMES}><property-search><prop><c:calendar-user-address-set/></prop>"
    "<match>{email}</match></property-search><prop><c:calendar-home-set/><c:calendar-user-address-set/></prop>"
    "</principal-property-search>"
)
_FREE_BUSY: Final = (
    f'{_HEAD}<c:free-busy-query {_NAMES}><c:time-range start="{{begin}}" end="{{end}}"/></c:free-busy-query>'
)
_EVENTS: Final = (
    f"{_HEAD}<c:calendar-query {_NAMES}><prop><c:calendar-data/></prop><c:filter>"
    '<c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"><c:time-range start="{begin}" end="{end}"/>'
    "</c:comp-filter></c:comp-filter></c:filter></c:calendar-query>"
)


class DavResource(NamedTuple):
    """A resource of a server as it describes it; paths have no host."""

    path: str
    kinds: frozenset[str]
    """Names of its types: `calendar`, `principal` and so on."""
    tag: str | None
    """A tag that changes with the content; None if there is none."""
    principal: str | None
    """The path of the signed-in account."""
    collections: tuple[str, ...]
    """Paths of collections of principals."""
    homes: tuple[str, ...]
    """Paths of a principal's collections of calendars."""
    emails: tuple[str, ...]
    """A principal's e-mail addresses, in lower case."""
    takes_time: bool
    """True if its events block their owner's time."""


def write_search(email: str) -> bytes:
    """Return the body that searches principals by e-mail address."""
    return _SEARCH.format(email=escape(email)).encode()


def write_free_busy(window: Window) -> bytes:
    """Return the body that requests free and busy times."""
    return _FREE_BUSY.format(**_write_span(window)).encode()


def write_events(window: Window) -> bytes:
    """Return the body that requests events."""
    return _EVENTS.format(**_write_span(window)).encode()


def read_resources(body: bytes) -> list[DavResource]:
    """Return the resources in an answer. Raises ValueError if it is not XML."""
    tree = _parse(body)
    return [_read_resource(one) for one in tree.iter(f"{_DAV}response")]


def read_files(body: bytes) -> list[str]:
    """Return the iCalendar files in an answer. Raises ValueError if it is not XML."""
    return [one.text or "" for one in _parse(body).iter(f"{_CALDAV}calendar-data")]


def _parse(body: bytes) -> Any:  # noqa: ANN401 - lxml has no types
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(body, parser)
    except etree.XMLSyntaxError as error:
        raise ValueError(str(error)) from None


def _read_resource(response: Any) -> DavResource:  # noqa: ANN401 - as above
    path = _read_path(response.findtext(f"{_DAV}href"))
    found = {
        one.tag: one
        for told in response.iter(f"{_DAV}propstat")
        if _GOOD in (told.findtext(f"{_DAV}status") or _GOOD)
        for properties in told.iter(f"{_DAV}prop")
        for one in properties
        if isinstance(one.tag, str)
    }
    kinds = found.get(f"{_DAV}resourcetype")
    tag = found.get(f"{_SERVER}getctag")
    addresses = [*_list_hrefs(found.get(f"{_CALDAV}calendar-user-address-set"))]
    return DavResource(
        path=path,
        kinds=frozenset(one.tag.rpartition("}")[2] for one in kinds if isinstance(one.tag, str))
        if kinds is not None
        else frozenset(),
        tag=((tag.text or "")[:_LONGEST_TAG] or None) if tag is not None else None,
        principal=next(iter(_list_paths(found.get(f"{_DAV}current-user-principal"))), None),
        collections=tuple(_list_paths(found.get(f"{_DAV}principal-collection-set"))),
        homes=tuple(_list_paths(found.get(f"{_CALDAV}calendar-home-set"))),
        emails=_list_emails(addresses, path),
        takes_time=_takes_time(found),
    )


def _list_emails(addresses: list[str], path: str) -> tuple[str, ...]:
    """Return a principal's e-mail addresses; if it lists none, the last segment of its path when that is an address."""
    told = [unquote(one[len(_MAILTO) :]) for one in addresses if one.lower().startswith(_MAILTO)]
    told = told or [unquote(path.rstrip("/").rpartition("/")[2])]
    return tuple(
        one.strip().lower() for one in told if "@" in one and len(one) <= _LONGEST_EMAIL and one.strip().isprintable()
    )


def _takes_time(found: dict[str, Any]) -> bool:
    """Return whether a collection contains events that count as busy time (RFC 6638)."""
    shown = found.get(f"{_CALDAV}schedule-calendar-transp")
    if shown is not None and shown.find(f"{_CALDAV}transparent") is not None:
        return False
    components = found.get(f"{_CALDAV}supported-calendar-component-set")
    if components is None:
        return True
    return any(one.get("name", "").upper() == "VEVENT" for one in components.iter(f"{_CALDAV}comp"))


def _list_paths(element: Any) -> Iterator[str]:  # noqa: ANN401 - as above
    yield from (_read_path(one) for one in _list_hrefs(element))


def _list_hrefs(element: Any) -> Iterator[str]:  # noqa: ANN401 - as above
    if element is not None:
        yield from (one.text.strip() for one in element.iter(f"{_DAV}href") if one.text)


def _read_path(href: str | None) -> str:
    """Return the path of a link. The host is ignored: all calls go to the server of the connection."""
    try:
        return urlsplit((href or "").strip()).path
    except ValueError:
        return ""


def _write_span(window: Window) -> dict[str, str]:
    return {"begin": _write(window.begins_at), "end": _write(window.ends_at)}


def _write(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"
