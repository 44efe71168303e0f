"""Cross-origin requests of browsers (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol).

No cookie is ever read here, so there is no mode with credentials: pages of other origins send token and key themselves.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from meetdeck.platform.settings import ANY_ORIGIN

Headers = Sequence[tuple[bytes, bytes]]

_REQUEST_HEADERS: Final = (
    b"Authorization, Ocp-Apim-Subscription-Key, Content-Type, Accept, Accept-Language, If-Match, If-None-Match, "
    b"If-Modified-Since, If-Range, Range, Idempotency-Key, Prefer, X-Request-Id, traceparent, tracestate"
)
_ANSWER_HEADERS: Final = (
    b"ETag, Location, Link, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, Content-Disposition, "
    b"Content-Language, Content-Range, Accept-Ranges, Allow, Date, WWW-Authenticate, Deck-Findings, Deck-Templates, "
    b"Server-Timing, Total-Count, Idempotency-Replayed, Meetdeck-Ignored, "
    b"Preference-Applied, Deprecation, Sunset"
)
_PREFLIGHT_SECONDS: Final = b"7200"  # the longest that browsers keep one


class CrossOrigin:
    """The headers with which a browser lets pages of these origins call; `*` is every origin."""

    def __init__(self, origins: Collection[str]) -> None:
        self._origins = frozenset(origin.encode() for origin in origins)
        self._any = ANY_ORIGIN in origins

    def list_headers(self, method: str, asked: Iterable[tuple[bytes, bytes]], answered: Headers) -> Headers:
        """Return the headers that an answer needs in addition to its own."""
        if not self._origins or any(name.lower() == b"access-control-allow-origin" for name, _ in answered):
            return []
        origin, is_preflight = None, False
        for name, value in asked:
            if name == b"origin":
                origin = value
            elif name == b"access-control-request-method":
                is_preflight = method == "OPTIONS"
        varying = [] if self._any else [(b"vary", b"Origin")]
        if origin is None or not (self._any or origin in self._origins):
            return varying
        allowed = [*varying, (b"access-control-allow-origin", b"*" if self._any else origin)]
        if not is_preflight:
            return [*allowed, (b"access-control-expose-headers", _ANSWER_HEADERS)]
        methods = [value for name, value in answered if name.lower() == b"allow"]
        return [
            *allowed,
            *((b"access-control-allow-methods", value) for value in methods),
            (b"access-control-allow-headers", _REQUEST_HEADERS),
            (b"access-control-max-age", _PREFLIGHT_SECONDS),
        ]
