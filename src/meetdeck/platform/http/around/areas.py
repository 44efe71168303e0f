"""Processes that serve only some addresses: the others answer 404, with the reason."""

import re
from collections.abc import Set as AbstractSet
from http import HTTPStatus
from typing import Any, Final, cast

from litestar.types import ASGIApp, Receive, Scope, Send

from meetdeck.platform.http.answers import PROBLEM_JSON, write_problem
from meetdeck.platform.process.log_facts import find_logged_request_id
from meetdeck.platform.settings import Area

_AREA_OF_PATH: Final = re.compile(r"/api/[^/]+/(?P<api>present|booking)(?:/|$)|/(?P<pages>p)(?:/|$)")


class ServedAreas:
    """Refuses addresses of areas that this process does not serve; `areas` are those that it does."""

    def __init__(self, app: ASGIApp, areas: AbstractSet[Area]) -> None:
        self._app = app
        self._areas = areas

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or refuse it."""
        area = _find_area(scope["path"])
        if area is None or area in self._areas:
            await self._app(scope, receive, send)
            return
        body = self._explain(area, cast("dict[str, Any]", scope)["raw_path"].decode("latin-1"))
        headers = [(b"content-type", PROBLEM_JSON.encode()), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": HTTPStatus.NOT_FOUND, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def _explain(self, area: Area, path: str) -> bytes:
        served = ", ".join(sorted(self._areas))
        return write_problem(
            HTTPStatus.NOT_FOUND,
            "not_served",
            f"This process does not serve {area} (MEETDECK_ONLY is {served}). Send the request to one that does.",
            instance=path,
            request_id=find_logged_request_id(),
        )


def _find_area(path: str) -> Area | None:
    found = _AREA_OF_PATH.match(path)
    if found is None:
        return None
    return Area(found["api"]) if found["api"] else Area.PAGES
