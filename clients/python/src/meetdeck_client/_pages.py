"""Lists in pages: the items of a page, and the call for the next one."""

from typing import Any, cast

import httpx

from meetdeck_client._calls import Call


def read_items(page: Any) -> list[Any]:  # noqa: ANN401 - any list, or an envelope with one
    """Return the items of a page."""
    return cast("list[Any]", page) if isinstance(page, list) else page.items


def find_next(call: Call[Any], response: httpx.Response) -> Call[Any] | None:
    """Return the call for the page after an answer; None: it was the last.

    Places in a list come as a `Link`, of the feed and the audit log as `next`; other lists have numbers.
    """
    if link := response.links.get("next", {}).get("url"):
        return call.change(url=link, params=None)
    parameters: dict[str, Any] = call.request.get("params") or {}
    body: Any = response.json()
    if isinstance(body, list):
        found = len(cast("list[Any]", body))
        if "offset" in parameters and found == parameters.get("limit"):
            return call.change(params=parameters | {"offset": parameters["offset"] + found})
        return None
    envelope = cast("dict[str, Any]", body)
    if envelope.get("next"):
        return call.change(params=parameters | {"after": envelope["next"]})
    number = envelope.get("pageNumber", 0) + 1
    return call.change(params=parameters | {"pageNumber": number}) if number < envelope.get("totalPages", 0) else None
