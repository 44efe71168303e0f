"""Creates what tests need from as few arguments as possible."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self
from uuid import UUID, uuid4

import httpx

from meetdeck.app import build_app
from meetdeck.demo.credentials import Credentials, read_credentials
from meetdeck.demo.firm import FJORD, NORDLYS, Firm
from meetdeck.demo.seed import load_demo_data
from meetdeck.platform.database import Database
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.settings import Settings
from meetdeck.platform.storage import Storage
from meetdeck.present.render.renderer import Renderer
from meetdeck.services import Services

BASE_URL = "http://meetdeck.test"
UNCOMPRESSED = {"Accept-Encoding": "identity"}
"""The headers of callers to whom compression does not matter: it takes a twentieth of the processor's time."""
TUESDAY_AT_TEN = datetime(2026, 3, 3, 9, 0, tzinfo=UTC)  # in Copenhagen; nobody of the demo firms is busy then


class _GivenSettings(Settings):
    """Settings that are decided only by their arguments."""

    @classmethod
    def settings_customise_sources(cls, *_: Any, init_settings: Any, **__: Any) -> tuple[Any, ...]:
        return (init_settings,)


def make_settings(data_dir: Path, **overrides: Any) -> Settings:
    """Make settings that depend on nothing of this machine's environment."""
    return _GivenSettings.model_validate({"data_dir": data_dir, "public_url": BASE_URL} | overrides)


def make_services(database: Database, clock: Clock, data_dir: Path, renderer: Renderer, **settings: Any) -> Services:
    """Open the application's services, with a storage folder of their own."""
    storage = Storage.open(url=None, folder=data_dir / "storage")
    return Services.open(make_settings(data_dir, **settings), database, storage, renderer, clock)


class Api:
    """The running application, called as one client of one demo firm."""

    def __init__(self, http: httpx.AsyncClient, credentials: Credentials, firm: Firm, headers: dict[str, str]) -> None:
        self.http = http
        self.credentials = credentials
        self.firm = firm
        self.headers = headers

    @classmethod
    @asynccontextmanager
    async def open(cls, services: Services) -> AsyncGenerator[Self]:
        """Load the demo firms if needed, and call as the first one's client without roles."""
        await services.storage.require_usable()
        loaded = read_credentials(services.settings.data_dir) if services.issuer else None
        credentials = loaded or await load_demo_data(services)
        transport = httpx.ASGITransport(app=build_app(services), raise_app_exceptions=False)  # pyright: ignore[reportArgumentType] - Litestar types ASGI more narrowly
        async with httpx.AsyncClient(transport=transport, base_url=BASE_URL, headers=UNCOMPRESSED) as http:
            yield await cls(http, credentials, NORDLYS, {}).of(NORDLYS)

    async def of(self, firm: Firm, *, elevated: bool = False) -> Self:
        """Return the same application, called as another firm's client."""
        tenant = next(one for one in self.credentials.tenants if one.tenant_id == firm.tenant_id)
        client = tenant.clients[1 if elevated else 0]
        form = {
            "grant_type": "client_credentials",
            "client_id": client.client_id,
            "client_secret": client.client_secret,
        }
        answer = await self.http.post("/oauth/token", data=form)
        headers = {
            "Authorization": f"Bearer {answer.raise_for_status().json()['access_token']}",
            "Ocp-Apim-Subscription-Key": tenant.subscription_key,
        }
        return type(self)(self.http, self.credentials, firm, headers)

    async def other(self) -> Self:
        """Return the same application, called as the other tenant's client."""
        return await self.of(FJORD if self.firm is NORDLYS else NORDLYS)

    def id_of(self, kind: str, name: str) -> str:
        """Return the id of a resource of the firm, as in JSON: `id_of("employee", "Anna Holm")`."""
        return str(self.firm.id_of(kind, name))

    async def reserve(
        self, starts_at: datetime, *, minutes: int = 60, token: UUID | None = None, **time_slot: Any
    ) -> httpx.Response:
        """Reserve a time slot in v3: `reserve(TUESDAY_AT_TEN, employeeId=anna)`; without a token, with a new one."""
        ends_at = starts_at + timedelta(minutes=minutes)
        times = {"startDate": starts_at.isoformat(), "endDate": ends_at.isoformat(), "status": "Reserved"}
        return await self.post(
            "v3/booking/time-slots/reserve", {"timeSlot": times | time_slot, "token": str(token or uuid4())}
        )

    async def book(self, *, version: str = "v3", **members: Any) -> httpx.Response:
        """Create a meeting: `book(employeeId=anna, timeSlotId=…)`; by default in v3."""
        return await self.post(f"{version}/booking/meetings", {"customerId": "Freja"} | members)

    async def get(self, path: str, **arguments: Any) -> httpx.Response:
        """GET below /api: `get("v3/present/templates")`."""
        return await self.request("GET", path, **arguments)

    async def post(self, path: str, json: object = None, **arguments: Any) -> httpx.Response:
        """POST below /api."""
        return await self.request("POST", path, json=json, **arguments)

    async def request(self, method: str, path: str, **arguments: Any) -> httpx.Response:
        """Send a request below /api; `headers` are added to the credentials."""
        headers = self.headers | arguments.pop("headers", {})
        return await self.http.request(method, f"/api/{path}", headers=headers, **arguments)
