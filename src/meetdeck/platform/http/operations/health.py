"""Addresses for operators and developers: health, metrics, the API documents. No credentials, no tenant's data."""

from contextlib import suppress
from typing import Any, Final

import msgspec
from litestar import Controller, Response, get
from litestar.exceptions import NotFoundException
from prometheus_client import CONTENT_TYPE_LATEST, Gauge, disable_created_metrics

import meetdeck
from meetdeck.platform.database import Database, DatabaseUnavailable
from meetdeck.platform.database.metrics import collect
from meetdeck.platform.errors import Unavailable
from meetdeck.platform.http.answers import AnyRequest, Conditions, answer_unchanged, answer_with_tag, entity_tag
from meetdeck.platform.http.calls import Service
from meetdeck.platform.http.limits import limit_addresses
from meetdeck.platform.http.openapi import ApiDocuments, make_collection
from meetdeck.platform.http.operations.dependencies import measure_dependencies
from meetdeck.platform.http.operations.readiness import Readiness
from meetdeck.platform.process import deadline_of_requests, within
from meetdeck.platform.settings import Settings
from meetdeck.platform.settings.sending_hold import SendingHold, describe_hold
from meetdeck.platform.values import Version

disable_created_metrics()  # a second time series beside each counter and histogram, which nobody reads

_BUILD = Gauge("meetdeck_build_info", "The version that runs.", ["version"], multiprocess_mode="livemax")
_BUILD.labels(meetdeck.__version__).set(1)
_HOLD_SECONDS: Final = 0.5


class NotReady(Unavailable):
    """A part that every request needs is missing."""

    code = "not_ready"


class Operations(Controller):
    """Addresses outside the versions."""

    @get("/health/live")
    async def answer_live(self) -> dict[str, str]:
        """Answer that the process runs."""
        return {"status": "live"}

    @get("/health/ready")
    async def answer_ready(self, readiness: Service[Readiness], sending_hold: Service[SendingHold]) -> dict[str, str]:
        """Answer that requests can be served, or 503 with what is missing; `held` means that nothing is sent out.

        `away` names the cells whose firms are not served; the others are.
        """
        if missing := await readiness.find_missing():
            raise NotReady(" ".join(missing), retry_after_seconds=5)
        away = await readiness.find_away()
        answer = {"status": "ready"} | ({"away": ", ".join(away)} if away else {})
        with within(deadline_of_requests(_HOLD_SECONDS)), suppress(DatabaseUnavailable):
            if held_since := await sending_hold.find():
                return answer | {"held": describe_hold(held_since)}
        return answer

    @get("/metrics")
    async def answer_metrics(
        self, settings: Service[Settings], database: Service[Database], readiness: Service[Readiness]
    ) -> Response[bytes]:
        """Answer the numbers in Prometheus's format."""
        if not settings.metrics:
            raise NotFoundException
        await measure_dependencies(database, readiness, settings.data_dir)
        return Response(collect(database), headers={"Content-Type": CONTENT_TYPE_LATEST})

    @get([f"/api/{version}/openapi.json" for version in Version], include_in_schema=False, middleware=[limit_addresses])
    async def answer_openapi(self, request: AnyRequest, documents: Service[ApiDocuments]) -> Response[Any]:
        """Answer the version's OpenAPI 3.1 document."""
        return _answer_document(request, documents.get(request.app, _find_version(request)))

    @get([f"/api/{version}/postman.json" for version in Version], include_in_schema=False, middleware=[limit_addresses])
    async def answer_collection(
        self, request: AnyRequest, documents: Service[ApiDocuments], settings: Service[Settings]
    ) -> Response[Any]:
        """Answer the version's operations as a collection for Postman and Bruno."""
        document = documents.get(request.app, _find_version(request))
        return _answer_document(request, make_collection(document, settings.base_url))


def _find_version(request: AnyRequest) -> Version:
    return next(version for version in Version if f"/{version}/" in request.scope["path"])


def _answer_document(request: AnyRequest, made: dict[str, Any]) -> Response[Any]:
    document = msgspec.json.encode(made)
    tag = entity_tag(document)
    known = Conditions(if_none_match=request.headers.get("If-None-Match")).is_known(tag)
    return answer_unchanged(tag) if known else answer_with_tag(document, tag)
