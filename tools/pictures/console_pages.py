"""The pages of the console: those that are named here, and one of each kind that they link to."""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from pictures.drawing import Pictures
from support.console_browser import sign_in
from support.portal_sites import Site

_KINDS: Final = (
    "employees",
    "rooms",
    "locations",
    "topics",
    "customer-types",
    "competence-groups",
    "service-groups",
    "portals",
    "document-rules",
)
_NAMED: Final = (
    "",
    "/calendar",
    *(f"/calendar?view={view}" for view in ("day", "week", "list")),
    "/calendar/why",
    "/book?type=Online",
    "/decks",
    "/templates",
    "/templates/upload",
    "/hours",
    "/absences",
    "/absences/new",
    "/wishes",
    "/wishes/new",
    "/reports",
    "/reports/utilization?by=employee",
    "/reports/templates",
    "/reports/forecast",
    "/audit-log",
    "/find",
    "/find?q=a",
    "/settings?q=room",
    *(f"/settings/{kind}" for kind in _KINDS),
    *(f"/settings/{kind}/new" for kind in _KINDS),
    *(f"/settings/{page}" for page in ("organization", "closing-days", "messages", "messages/Invitation/en")),
    *(f"/settings/{page}" for page in ("languages", "labels", "keys", "directory", "webhooks", "webhooks/new")),
    "/connections",
    "/settings/rooms?saved=Room%20K",
    "/settings/nothing",
)
_PRESSED: Final = {"find-dialog": "Control+k", "keys-dialog": "?"}
_NO_PAGES: Final = re.compile(
    r"sign-|signed-|\.csv|\.json|\.ics|format=|month=|/picture|/made/|/line|/glance|language=|resume"
)
_IDS: Final = re.compile(r"(?<=messages/)\w+/\w+|[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d{2}-\d{2}|\d+")
_LINKS: Final = """() => [
    ...[...document.querySelectorAll("main a[href]")].map(link => link.href),
    ...[...document.querySelectorAll("select[name=whose] option")].map(one =>
        `${location.origin}/console/calendar?whose=${encodeURIComponent(one.value)}`)]"""
_STATES: Final = {"view", "by", "q", "type", "saved", "whose"}
"""Parts of a query with which a page is another one."""


def draw_console(pictures: Pictures, site: Site, user: str) -> None:
    """Draw the pages that are named, and then one of each kind that a drawn page links to."""
    sign_in(pictures.page, site, user=user)
    start = f"{site.address}/console"
    waiting = [start + path for path in _NAMED]
    seen = set[str]()
    while waiting:
        address = waiting.pop(0)
        name = name_page(address)
        if name in seen:
            continue
        seen.add(name)
        pictures.show(address)
        if pictures.wants(name):
            pictures.draw(name)
        waiting.extend(link for link in pictures.page.evaluate(_LINKS) if _is_page(link, start))
    for name, keys in _PRESSED.items():
        if pictures.wants(name):
            pictures.show(start)
            pictures.page.keyboard.press(keys)
            pictures.draw(name, is_whole=False)


def name_page(address: str) -> str:
    """Return the name of a page's picture, the same for all pages of its kind: without ids and days."""
    parts = urlsplit(address)
    words = [_IDS.sub("x", parts.path.removeprefix("/console")), *_read_query(parts.query)]
    return re.sub(r"[^A-Za-z0-9]+", "-", "-".join(words)).strip("-") or "overview"


def _read_query(query: str) -> Iterator[str]:
    for name, value in sorted(parse_qsl(query)):
        if name in _STATES:
            yield f"{name}-{value.split('.')[0]}"


def _is_page(link: str, start: str) -> bool:
    return link.startswith(start) and _NO_PAGES.search(link) is None
