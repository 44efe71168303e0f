"""Verifies what the service sends to webhooks, by the Standard Webhooks specification."""

import base64
import binascii
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from hashlib import sha256

from meetdeck_client._problems import InvalidSignature
from meetdeck_client.models import ShownEvent

__all__ = ["verify"]

_TOLERANCE = 300
_PREFIX = "whsec_"


def verify(
    headers: Mapping[str, str],
    body: bytes | str,
    secret: str | Sequence[str],
    *,
    tolerance: float = _TOLERANCE,
) -> ShownEvent:
    """Return the event of a delivery. Raises InvalidSignature.

    Args:
        headers: The headers of the request; their case does not matter.
        body: The body as it arrived, not read and written again.
        secret: The webhook's `whsec_…`; several while it is rotated.
        tolerance: How many seconds a delivery may be old, or ahead.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, sent_at = given["webhook-id"], given["webhook-timestamp"]
        signatures = given["webhook-signature"].split()
        age = time.time() - int(sent_at)
    except (KeyError, ValueError) as error:
        msg = "webhook-id, webhook-timestamp or webhook-signature is missing or malformed."
        raise InvalidSignature(msg) from error
    if abs(age) > tolerance:
        msg = f"It was sent {age:.0f} seconds ago; at most {tolerance:.0f} are accepted."
        raise InvalidSignature(msg)
    content = body.encode() if isinstance(body, str) else body
    message = f"{message_id}.{sent_at}.".encode() + content
    expected = [_sign(each, message) for each in ([secret] if isinstance(secret, str) else secret)]
    if not any(hmac.compare_digest(one.encode(), other.encode()) for one in signatures for other in expected):
        msg = "No signature matches: the secret is another webhook's, or the body was altered."
        raise InvalidSignature(msg)
    return ShownEvent.from_dict(json.loads(content))


def _sign(secret: str, message: bytes) -> str:
    try:
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except binascii.Error as error:
        msg = f"A webhook's secret is {_PREFIX} and base64."
        raise ValueError(msg) from error
    return "v1," + base64.b64encode(hmac.new(key, message, sha256).digest()).decode()
