"""The bytes of the console's pages: each is below 100 KB before it is compressed, whatever it shows."""

import re
from urllib.parse import urljoin, urlsplit

import pytest

from support.console import THOMAS, Browser, list_links
from support.factories import Api

LARGEST = 100_000
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\d")
_DEEPEST = 3


@pytest.mark.thorough
async def test_every_page_is_below_100_kilobytes(api: Api) -> None:
    """Walk from link to link, and open one page of each kind: addresses differ in more than ids and days."""
    browser = await Browser.open(api, THOMAS)
    sizes: dict[str, int] = {}
    found = ["/console", "/console/calendar?whose=location.Aarhus", "/console/book?type=Physical"]
    for _ in range(_DEEPEST):
        here, found = found, list[str]()
        for address in here:
            kind = _name_kind(address)
            if kind in sizes:
                continue
            page = await browser.http.get(address)
            sizes[kind] = 0
            if page.headers["Content-Type"].startswith("text/html"):
                sizes[kind] = len(page.content)
                found += [urljoin(str(page.url), link) for link in list_links(page)]
        found = [one for one in found if urlsplit(one).path.startswith("/console")]
    assert len(sizes) > 50, sorted(sizes)
    assert {kind: size for kind, size in sizes.items() if size > LARGEST} == {}


def _name_kind(address: str) -> str:
    """Return an address without ids, days and the values of its query."""
    parts = urlsplit(address)
    names = sorted(pair.partition("=")[0] for pair in parts.query.split("&"))
    view = re.search(r"view=\w+", parts.query)
    return _ID.sub("*", f"{parts.path}?{'&'.join(names)} {view[0] if view else ''}")
