"""Traces by OpenTelemetry, sent by OTLP over HTTP: imported only where the settings name a collector.

What spans contain, and what they never do: docs/decisions/0083.
"""

from collections.abc import Mapping
from typing import Final

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

import meetdeck
from meetdeck.platform.process.tracing import WorkKind

_TRACES: Final = "/v1/traces"  # below the endpoint, as the standard has it
_W3C: Final = TraceContextTextMapPropagator()


class _Span:
    """A span of OpenTelemetry's; without one, the start of traces."""

    def __init__(self, tracer: trace.Tracer, span: trace.Span | None = None) -> None:
        self._tracer = tracer
        self._span = span

    @property
    def traceparent(self) -> str:
        """Return the header by which another program continues the trace (W3C Trace Context)."""
        carrier: dict[str, str] = {}
        _W3C.inject(carrier, self._context)
        return carrier.get("traceparent", "")

    @property
    def root(self) -> "_Span":
        """Return the start of separate traces."""
        return _Span(self._tracer)

    def begin(self, name: str, kind: WorkKind, facts: Mapping[str, str | int]) -> "_Span":
        """Begin a part of this one."""
        span_kind = SpanKind.CLIENT if kind.calls_out else SpanKind.INTERNAL
        attributes = {**kind.attributes, **facts}
        return _Span(self._tracer, self._tracer.start_span(name, self._context, span_kind, attributes))

    def end(self, error: BaseException | None) -> None:
        """End it. An error is named by its class: its message may contain personal data."""
        if self._span is not None:
            if error is not None:
                self._span.set_attribute("error.type", type(error).__name__)
                self._span.set_status(Status(StatusCode.ERROR))
            self._span.end()

    @property
    def _context(self) -> Context:
        return trace.set_span_in_context(self._span, Context()) if self._span is not None else Context()


class RequestSpan(_Span):
    """The span of a request that we serve (OpenTelemetry's semantic conventions for HTTP)."""

    def end_request(self, method: str, route: str | None, status: int | None) -> None:
        """End it, with the route's template instead of the address, which contains ids and links."""
        if self._span is None:
            raise RuntimeError("a request has a span")
        self._span.update_name(f"{method} {route}" if route else method)
        self._span.set_attribute("http.request.method", method)
        if route:
            self._span.set_attribute("http.route", route)
        if status is not None:
            self._span.set_attribute("http.response.status_code", status)
        if status is None or status >= 500:  # noqa: PLR2004 - the caller's faults are not errors of a server's span
            self._span.set_attribute("error.type", str(status or "cancelled"))
            self._span.set_status(Status(StatusCode.ERROR))
        self._span.end()


class Tracing:
    """Sends spans to a collector, in the background; spans that it refuses are dropped.

    Everything else is set by the standard's own variables (`OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_TRACES_SAMPLER` …).
    """

    def __init__(self, endpoint: str, environment: str) -> None:
        told = {
            "service.name": "meetdeck",
            "service.version": meetdeck.__version__,
            "deployment.environment.name": environment,
        }
        self._provider = TracerProvider(
            resource=Resource(told).merge(OTELResourceDetector().detect()), shutdown_on_exit=False
        )
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint.rstrip("/") + _TRACES)))
        self._tracer = self._provider.get_tracer("meetdeck", meetdeck.__version__)

    @property
    def root(self) -> _Span:
        """Return the start of traces that belong to no request."""
        return _Span(self._tracer)

    def begin_request(self, traceparent: str | None, tracestate: str | None) -> RequestSpan:
        """Begin the span of a request, as a part of its caller's trace if it has one."""
        carrier = {"traceparent": traceparent or "", "tracestate": tracestate or ""}
        context = _W3C.extract(carrier, Context())
        return RequestSpan(self._tracer, self._tracer.start_span("request", context, SpanKind.SERVER))

    def close(self) -> None:
        """Send the remaining spans; takes seconds when the collector does not answer."""
        self._provider.shutdown()
