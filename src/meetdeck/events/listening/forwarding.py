"""Sends events to an address, signed as webhooks are."""

from typing import NamedTuple

import httpx

from meetdeck.events.schemas import ShownEvent
from meetdeck.events.webhooks.service.signing import sign
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.values import write_json

_HEADERS = {"Content-Type": "application/json", "User-Agent": "Meetdeck-Webhooks/1"}
_TIMEOUT_SECONDS = 15


class Forwarded(NamedTuple):
    """An event, and the status that the receiver answered; None: it did not answer, and `problem` says why."""

    event: ShownEvent
    status: int | None
    problem: str = ""


class Forwarder:
    """Sends events to one address with one secret; to be closed."""

    def __init__(self, url: str, secret: str, clock: Clock, *, transport: httpx.BaseTransport | None = None) -> None:
        self._url = url
        self._secret = secret
        self._clock = clock
        self._http = httpx.Client(timeout=_TIMEOUT_SECONDS, transport=transport)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def send(self, event: ShownEvent) -> Forwarded:
        """Send an event, and return the outcome; a receiver that does not answer is not an error."""
        body = write_json(event)
        headers = _HEADERS | sign([self._secret], event.id, self._clock(), body)
        try:
            return Forwarded(event, self._http.post(self._url, content=body, headers=headers).status_code)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return Forwarded(event, None, str(error))
