"""Requesting a deck's data from a data service, signed like Standard Webhooks (docs/documents.md)."""

from collections.abc import Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import msgspec

from meetdeck.events.webhooks.service.signing import sign
from meetdeck.messages.documents.errors import DataAway, DataRefused
from meetdeck.messages.documents.service.facts import MeetingFacts
from meetdeck.platform.outgoing import Limits, OutgoingClient, OutgoingRefused, OutgoingReply, OutgoingRequest
from meetdeck.platform.values import write_json

_LIMITS: Final = Limits(seconds=30, most_bytes=16 * 1024 * 1024)
_ASK_LATER: Final = frozenset(
    {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.LOCKED}
)


class DataServiceRequest(msgspec.Struct, frozen=True, rename="camel"):
    """The rule by which a data service is called."""

    id: UUID
    template: str
    slides: list[str]


class Question(msgspec.Struct, frozen=True):
    """A request to a data service: its address, its content, and the secrets that sign it."""

    address: str
    rule: DataServiceRequest
    facts: MeetingFacts
    secrets: Sequence[str]
    hosts: Sequence[str] | None = None
    """The hosts that the firm may name; None: the installation's."""

    def write_body(self) -> bytes:
        """Return the body: the facts, and the rule."""
        return write_json(self.facts.as_data() | {"rule": msgspec.to_builtins(self.rule)})


async def request_data(client: OutgoingClient, question: Question, now: datetime) -> dict[str, Any]:
    """Return the data in a data service's answer. Raises DataAway, DataRefused."""
    named = f"The data service {urlsplit(question.address).hostname or ''}"
    body = question.write_body()
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json",
        **sign(question.secrets, uuid4(), now, body),
    }
    try:
        reply = await client.send(OutgoingRequest(question.address, "POST", headers, body), _LIMITS, question.hosts)
    except OutgoingRefused:
        raise DataRefused(f"{named} may not be called: its address is not allowed.") from None
    except OSError as error:
        raise DataAway(f"{named} does not answer: {error}.") from None
    return _read(reply, named)


def _read(reply: OutgoingReply, named: str) -> dict[str, Any]:
    """Return the data of an answer. Raises DataAway, DataRefused."""
    if reply.status >= HTTPStatus.INTERNAL_SERVER_ERROR or reply.status in _ASK_LATER:
        raise DataAway(f"{named} answers {reply.status}.")
    if not reply.is_success:
        raise DataRefused(f"{named} refuses: it answers {reply.status}.")
    if not reply.is_whole:
        raise DataRefused(f"{named} answers more than {_LIMITS.most_bytes:,} bytes.")
    try:
        return msgspec.json.decode(reply.body, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise DataRefused(f"{named} does not answer with a JSON object: {error}.") from None
