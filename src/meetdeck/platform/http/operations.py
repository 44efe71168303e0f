"""What operators and developers look at: health, metrics, the API documents. No credentials, no tenant's data."""

from collections.abc import AsyncGenerator
from typing import Any

from litestar import Controller, Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from meetdeck.platform.db import Database, DatabaseUnavailable
from meetdeck.platform.errors import Unavailable
from meetdeck.platform.http.openapi import ApiDocuments
from meetdeck.platform.http.problems import AnyRequest
from meetdeck.platform.http.versions import Version
from meetdeck.platform.settings import Settings
from meetdeck.platform.storage import Storage, StorageUnavailable


class NotReady(Unavailable):
    """Something that every request needs is missing."""

    code = "not_ready"


async def _find_missing(database: Database, storage: Storage) -> AsyncGenerator[str]:
    try:
        async with database.outside_tenants() as connection:
            await connection.fetchval("select 1")
    except DatabaseUnavailable:
        yield "The database"
    try:
        await storage.check()
    except StorageUnavailable:
        yield "The file storage"


class Operations(Controller):
    """Addresses outside the versions."""

    @get("/health/live")
    async def answer_live(self) -> dict[str, str]:
        """Answer that the process runs."""
        return {"status": "live"}

    @get("/health/ready")
    async def answer_ready(
        self, database: NamedDependency[Database], storage: NamedDependency[Storage]
    ) -> dict[str, str]:
        """Answer that requests can be served, or 503 naming what is missing."""
        missing = [name async for name in _find_missing(database, storage)]
        if missing:
            raise NotReady(f"{' and '.join(missing)} cannot be used just now.", retry_after_seconds=5)
        return {"status": "ready"}

    @get("/metrics")
    async def answer_metrics(self, settings: NamedDependency[Settings]) -> Response[bytes]:
        """Answer the numbers in Prometheus's format."""
        if not settings.metrics:
            raise NotFoundException
        return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)

    @get([f"/api/{version}/openapi.json" for version in Version], include_in_schema=False)
    async def answer_openapi(self, request: AnyRequest, documents: NamedDependency[ApiDocuments]) -> dict[str, Any]:
        """Answer the version's OpenAPI 3.1 document."""
        version = next(version for version in Version if f"/{version}/" in request.scope["path"])
        return documents.get(request.app, version)
