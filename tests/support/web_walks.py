"""A walk through an installation's pages, as a search engine makes one: along every link, file and form of a GET."""

import re
from collections import deque
from collections.abc import Iterable
from urllib.parse import urldefrag, urljoin, urlsplit

import httpx
from lxml import html

_LINKED = ("href", "src", "action", "formaction")
_IN_STYLES = re.compile(r"url\([\"']?([^\"')]+)[\"']?\)")


def walk(http: httpx.Client, base: str, paths: Iterable[str], closed: Iterable[str] = (), *, most: int) -> set[str]:
    """Follow links from some pages, at most that many; return the answered addresses.

    Each must be below `base` and be answered, unless it is among the closed ones; targets of forms that post are not
    followed. Links that are meant to lead away, as their `rel` says, are left out.
    """
    waiting, left_out = deque(f"{base}{path}" for path in paths), {f"{base}{path}" for path in closed}
    seen: set[str] = set()
    while waiting and len(seen) < most:
        address = waiting.popleft()
        if address in seen:
            continue
        seen.add(address)
        answer = http.get(address, follow_redirects=True)
        assert answer.is_success, (address, answer.status_code)
        assert str(answer.url).startswith(base), (address, answer.url)
        for link, is_followed in _list_links(answer):
            target, _ = urldefrag(urljoin(str(answer.url), link))
            if urlsplit(target).scheme not in {"http", "https"}:
                continue
            assert target == base or target.startswith(f"{base}/"), (address, link)
            if is_followed and target not in left_out:
                waiting.append(target)
    return seen


def _list_links(answer: httpx.Response) -> list[tuple[str, bool]]:
    """Return the addresses in an answer, and whether they can be requested."""
    media_type = answer.headers["Content-Type"].partition(";")[0]
    if media_type == "text/css":
        return [(link, True) for link in _IN_STYLES.findall(answer.text)]
    if media_type != "text/html" or not answer.content:
        return []
    return [
        (str(element.get(name)), not (name == "formaction" or element.get("method", "get").lower() == "post"))
        for element in html.fromstring(answer.text).iter("*")
        if element.get("rel") != "noreferrer"
        for name in _LINKED
        if element.get(name) is not None
    ]
