"""A collector of traces by OpenTelemetry's protocol: OTLP over HTTP, in protobuf."""

import gzip
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Self

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass(frozen=True)
class CollectedSpan:
    """A received span: ids in hex, attributes as Python values."""

    name: str
    kind: int
    trace_id: str
    span_id: str
    parent_id: str
    attributes: dict[str, Any]
    status: int


@dataclass
class Collector:
    """Everything that was sent to `url`: the spans, the resources that sent them, and everything as text."""

    url: str = ""
    spans: list[CollectedSpan] = field(default_factory=list)
    resources: list[dict[str, Any]] = field(default_factory=list)
    text: str = ""

    @classmethod
    @contextmanager
    def run(cls) -> Generator[Self]:
        """Listen on a free port of the loopback."""
        collector = cls()

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                assert self.path == "/v1/traces"
                collector.receive(body)
                self.send_response(200)
                self.send_header("Content-Type", "application/x-protobuf")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None: ...  # pyright: ignore[reportIncompatibleMethodOverride] - silence

        server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        collector.url = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield collector
        finally:
            server.shutdown()
            thread.join()
            server.server_close()

    def receive(self, body: bytes) -> None:
        """Receive an export."""
        request: Any = ExportTraceServiceRequest.FromString(body)
        self.text += str(request)
        for sent in request.resource_spans:
            self.resources.append(_read_attributes(sent.resource.attributes))
            self.spans += [_read_span(span) for scope in sent.scope_spans for span in scope.spans]

    def named(self, name: str) -> CollectedSpan:
        """Return the last span of a name."""
        return next(span for span in reversed(self.spans) if span.name == name)

    def ways_to(self, name: str) -> set[tuple[str, ...]]:
        """Return the names from the root to each span of a name."""
        known = {span.span_id: span for span in self.spans}

        def climb(span: CollectedSpan) -> tuple[str, ...]:
            above = known.get(span.parent_id)
            return (*(climb(above) if above else ()), span.name)

        return {climb(span) for span in self.spans if span.name == name}


def _read_span(span: Any) -> CollectedSpan:
    return CollectedSpan(
        name=span.name,
        kind=span.kind,
        trace_id=span.trace_id.hex(),
        span_id=span.span_id.hex(),
        parent_id=span.parent_span_id.hex(),
        attributes=_read_attributes(span.attributes),
        status=span.status.code,
    )


def _read_attributes(attributes: Any) -> dict[str, Any]:
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in attributes}
