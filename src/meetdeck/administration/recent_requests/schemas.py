"""The requests of the last hour, and the query that selects them."""

import base64
import binascii
from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import InvalidInput

_MOST_NUMBER = 2**63 - 1


class RecentRequest(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An answered request."""

    at: datetime
    """When it was answered."""
    method: str
    """Its method."""
    path: str
    """Its path without the query."""
    status: int
    """The answer's status."""
    ms: float
    """Milliseconds to the answer."""
    request_id: str
    """The answer's `X-Request-Id`."""
    key_id: UUID
    """The subscription key's id."""
    faults: list[str]
    """The pointers of a refusal's `errors`."""


class RecentRequestPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of requests, newest first."""

    items: list[RecentRequest]
    """The requests."""
    next: str | None
    """The `after` of the next page; null: this is the last."""


class RecentRequestQuery(msgspec.Struct, frozen=True, kw_only=True):
    """GET /administration/requests: the requests that match all given parameters."""

    key: Annotated[UUID | None, Meta(description="Requests with the key of this id.")] = None
    status: Annotated[Annotated[int, Meta(ge=100, le=599)] | None, Meta(description="Requests with this status.")] = (
        None
    )
    after: Annotated[str | None, Meta(description="The start of the page: `next` of the previous one.")] = None


def write_position(at: datetime, number: int) -> str:
    """Return the opaque position of a request in the list, for `next`."""
    return base64.urlsafe_b64encode(f"{at.isoformat()} {number}".encode()).decode()


def read_position(text: str) -> tuple[datetime, int]:
    """Return the position that `write_position` wrote: the time and the number. Raises InvalidInput."""
    try:
        moment, _, written = base64.b64decode(text, altchars=b"-_", validate=True).decode().partition(" ")
        at, number = datetime.fromisoformat(moment), int(written)
        if at.tzinfo is not None and 0 <= number <= _MOST_NUMBER:
            return at, number
    except (binascii.Error, ValueError):
        pass
    detail = "This is not a position in the list: send the `next` of a page unchanged."
    raise InvalidInput(phrase("after: {detail}", detail=detail), faults=(Fault("/query/after", detail),))
