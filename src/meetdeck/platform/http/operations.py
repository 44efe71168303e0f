"""What operators and developers look at: health, metrics, the API documents. No credentials, no tenant's data."""

from typing import Any

import asyncpg
from litestar import Controller, Litestar, Response, get
from litestar.exceptions import NotFoundException
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from meetdeck.platform.db import Database
from meetdeck.platform.errors import Unavailable
from meetdeck.platform.http.openapi import describe_version
from meetdeck.platform.http.problems import AnyRequest
from meetdeck.platform.http.versions import Version
from meetdeck.platform.settings import Settings


class NotReady(Unavailable):
    """Something that every request needs is missing."""

    code = "not_ready"


class Operations(Controller):
    """Addresses outside the versions."""

    @get("/health/live")
    async def answer_live(self) -> dict[str, str]:
        """Answer that the process runs."""
        return {"status": "live"}

    @get("/health/ready")
    async def answer_ready(self, database: Database) -> dict[str, str]:
        """Answer that requests can be served, or 503 naming what is missing."""
        try:
            async with database.outside_tenants() as connection:
                await connection.fetchval("select 1")
        except (OSError, asyncpg.PostgresError) as error:
            raise NotReady("The database does not answer.", retry_after_seconds=5) from error
        return {"status": "ready"}

    @get("/metrics")
    async def answer_metrics(self, settings: Settings) -> Response[bytes]:
        """Answer the numbers in Prometheus's format."""
        if not settings.metrics:
            raise NotFoundException
        return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)

    @get("/api/{version:str}/openapi.json")
    async def answer_openapi(self, version: str, request: AnyRequest) -> dict[str, Any]:
        """Answer the version's OpenAPI 3.1 document."""
        if version not in set(Version):
            raise NotFoundException
        return _describe(request.app, Version(version))


_DOCUMENTS: dict[tuple[int, Version], dict[str, Any]] = {}


def _describe(app: Litestar, version: Version) -> dict[str, Any]:
    """Make the document once for each application."""
    key = (id(app), version)
    if key not in _DOCUMENTS:
        _DOCUMENTS[key] = describe_version(app, version)
    return _DOCUMENTS[key]
