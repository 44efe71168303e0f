"""The application in this process, asked as a server asks it: ASGI, up to the last byte that it hands over."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from datetime import datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple, Self
from urllib.parse import urlencode

import httpx
import structlog

from meetdeck.app import build_app
from meetdeck.demo.credentials import TenantCredentials
from meetdeck.platform.database import Database
from meetdeck.platform.settings import Settings
from meetdeck.platform.storage import Storage
from meetdeck.present.render.renderer import MissingRenderer
from meetdeck.services import Services
from slot_peers.firm import NOW

PATH: Final = "/api/v3/booking/time-slots/available"
_BASE_URL: Final = "http://meetdeck.test"


class Answer(NamedTuple):
    """An answer; nothing of its body is kept. `largest` is the longest piece that was handed over."""

    seconds: float
    size: int
    pieces: int
    largest: int


@asynccontextmanager
async def open_app(database: Database, folder: Path) -> AsyncGenerator[Any]:
    """Lend the application, with its keys and files in the folder and a clock that begins at `NOW`."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    storage = Storage.open(url=None, folder=folder / "storage")
    await storage.require_usable()
    settings = Settings(data_dir=folder, public_url=_BASE_URL, search_most_slots=10**9)
    opened = Services.open(settings, database, storage, MissingRenderer(), _start_clock())
    async with aclosing(opened) as services:
        yield build_app(services)


def _start_clock() -> Callable[[], datetime]:
    begun = perf_counter()
    return lambda: NOW + timedelta(seconds=perf_counter() - begun)


class Caller:
    """A client of one firm."""

    def __init__(self, app: Any, headers: Mapping[str, str]) -> None:
        self._app = app
        self._headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]

    @classmethod
    async def open(cls, app: Any, tenant: TenantCredentials) -> Self:
        """Get a token, as any client does."""
        client = tenant.clients[0]
        form = {"grant_type": "client_credentials", "client_id": client.client_id}
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=_BASE_URL) as http:
            answer = await http.post("/oauth/token", data=form | {"client_secret": client.client_secret})
        token: str = answer.raise_for_status().json()["access_token"]
        return cls(app, {"Authorization": f"Bearer {token}", "Ocp-Apim-Subscription-Key": tenant.subscription_key})

    async def search(self, query: Mapping[str, str]) -> Answer:
        """Search. Raises SystemExit unless the answer is 200."""
        exchange = _Exchange()
        await self._app(self._make_scope(query), exchange.receive, exchange.send)
        if exchange.status != HTTPStatus.OK:
            raise SystemExit(f"{PATH} was answered {exchange.status}")
        return exchange.answer

    async def post(self, path: str, body: Mapping[str, object]) -> float:
        """Return the seconds until something was created. Raises SystemExit for any other answer."""
        headers = {name.decode(): value.decode() for name, value in self._headers}
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=self._app), base_url=_BASE_URL) as http:
            begun = perf_counter()
            answer = await http.post(path, json=body, headers=headers)
        if answer.status_code != HTTPStatus.CREATED:
            raise SystemExit(f"{path} was answered {answer.status_code}: {answer.text}")
        return perf_counter() - begun

    def _make_scope(self, query: Mapping[str, str]) -> dict[str, Any]:
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": PATH,
            "raw_path": PATH.encode(),
            "query_string": urlencode(query).encode(),
            "root_path": "",
            "headers": self._headers,
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        }


class _Exchange:
    """A request without a body, and its answer: a server's side of ASGI."""

    def __init__(self) -> None:
        self.status: int | None = None
        self._sizes: list[int] = []
        self._is_asked = False
        self._is_over = asyncio.Event()
        self._begun = self._ended = perf_counter()

    @property
    def answer(self) -> Answer:
        """The received answer."""
        sizes = self._sizes
        return Answer(self._ended - self._begun, sum(sizes), sum(size > 0 for size in sizes), max(sizes))

    async def receive(self) -> dict[str, Any]:
        """Give the request; then, when all was answered, say that the caller is gone."""
        if not self._is_asked:
            self._is_asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._is_over.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Mapping[str, Any]) -> None:
        """Take a part of the answer, and drop it."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            return
        self._sizes.append(len(message["body"]))
        if not message.get("more_body", False):
            self._ended = perf_counter()
            self._is_over.set()


def make_query(days: int) -> dict[str, str]:
    """Return the query of a search for everybody in the next days."""
    return {"requireEmployeeParticipation": "false", "lookForwardTime": f"{days}.00:00:00"}
