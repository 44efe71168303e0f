"""Recording each request: its span, and in the test environment its phases (`Server-Timing`)."""

from time import perf_counter
from typing import TYPE_CHECKING

from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from meetdeck.platform.process.tracing import Recording, record

if TYPE_CHECKING:
    from meetdeck.platform.process.telemetry import RequestSpan, Tracing


class RecordingMiddleware:
    """The outermost layer if anything is recorded; otherwise the application does not have it."""

    def __init__(self, app: ASGIApp, tracing: "Tracing | None", *, tells_timing: bool) -> None:
        self._app = app
        self._tracing = tracing
        self._tells_timing = tells_timing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; other ASGI events are passed on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = perf_counter()
        phases: dict[str, float] | None = {} if self._tells_timing else None
        span = self._begin_span(scope)
        status: int | None = None

        async def send_with_timing(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = int(message["status"])
                if phases is not None:
                    known = {**phases, "total": perf_counter() - begun}
                    message["headers"] = [*message["headers"], (b"server-timing", _write(known))]
            await send(message)

        try:
            with record(Recording(phases, span)):
                await self._app(scope, receive, send_with_timing)
        finally:
            if span is not None:
                route = str(scope.get("path_template", "none"))
                span.end_request(scope["method"], None if route == "none" else route, status)

    def _begin_span(self, scope: HTTPScope) -> "RequestSpan | None":
        if self._tracing is None:
            return None
        headers = dict(scope["headers"])
        traceparent, tracestate = (headers.get(name, b"").decode("latin-1") for name in (b"traceparent", b"tracestate"))
        return self._tracing.begin_request(traceparent, tracestate)


def _write(phases: dict[str, float]) -> bytes:
    """Return a `Server-Timing` header (W3C Server Timing): each phase with its milliseconds."""
    return ", ".join(f"{name};dur={seconds * 1000:.1f}" for name, seconds in phases.items()).encode()
