"""Calls to the outside, as seen by code that needs one; `fetch.py` makes them."""

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import NamedTuple

Fetch = Callable[[str], Awaitable[bytes]]
"""Gets a document by address; raises OSError when it cannot."""


class OutgoingCall(NamedTuple):
    """A call to an address: GET, or POST of a form."""

    address: str
    form: Mapping[str, str] | None = None
    authorization: str | None = None


class OutgoingAnswer(NamedTuple):
    """The answer to an outgoing call, with any status."""

    status: int
    content: bytes

    @property
    def is_success(self) -> bool:
        """Return whether the status is 2xx."""
        return HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES


Send = Callable[[OutgoingCall], Awaitable[OutgoingAnswer]]
"""Makes a call; raises OSError when nothing answers it."""
