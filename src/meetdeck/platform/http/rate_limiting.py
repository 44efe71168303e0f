"""Counts requests against the limits of their key, their network address, or a portal, and tells how many are left.

The header fields are those of draft-ietf-httpapi-ratelimit-headers-10.
"""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from litestar.types import ASGIApp, Receive, Scope, Send

from meetdeck.platform.auth import SubscriptionKey
from meetdeck.platform.errors import TooManyRequests
from meetdeck.platform.http.callers import find_caller_address
from meetdeck.platform.http.services import get_services
from meetdeck.platform.rate_limits import WINDOW_SECONDS, Standing

_STATE_KEY: Final = "rate_limits"


class RateLimited(TooManyRequests):
    """The caller has made as many requests in the last minute as it may."""

    code = "rate_limited"


async def limit_key(scope: Scope, key: SubscriptionKey) -> None:
    """Count a request for its subscription key. Raises RateLimited."""
    most = get_services(scope).settings.rate_limit if key.rate_limit is None else key.rate_limit
    await _limit(scope, "key", key.digest, most, "This subscription key is at its limit of requests a minute")


async def limit_address(scope: Scope) -> None:
    """Count a request without valid credentials for its network address. Raises RateLimited."""
    address = find_caller_address(scope)
    whose = f"The network address {address} is at its limit of requests a minute without valid credentials"
    await _limit(scope, "address", address.encode(), get_services(scope).settings.address_rate_limit, whose)


async def limit_holds(scope: Scope, portal_id: UUID) -> None:
    """Count a time that is held on a portal, for the network address and for the portal. Raises RateLimited."""
    settings = get_services(scope).settings
    address = find_caller_address(scope)
    whose = f"The network address {address} is at its limit of times held a minute"
    await _limit(scope, "address-hold", address.encode(), settings.address_hold_limit, whose)
    await _limit(
        scope, "hold", portal_id.bytes, settings.hold_limit, "The portal is at its limit of times held a minute"
    )


def limit_addresses(app: ASGIApp) -> ASGIApp:
    """Wrap what needs no credentials: each request is counted for its network address."""

    async def let_in(scope: Scope, receive: Receive, send: Send) -> None:
        await limit_address(scope)
        await app(scope, receive, send)

    return let_in


def list_rate_limits(state: Mapping[str, Any]) -> list[tuple[bytes, bytes]]:
    """Return the headers that tell what the limits leave that a request was counted for, by the state of its scope."""
    standings: list[Standing] = state.get(_STATE_KEY, [])
    if not standings:
        return []
    policies = (f'"{one.policy}";q={one.most};w={WINDOW_SECONDS}' for one in standings)
    limits = (f'"{one.policy}";r={one.remaining};t={one.wait_seconds}' for one in standings)
    return [(b"ratelimit-policy", ", ".join(policies).encode()), (b"ratelimit", ", ".join(limits).encode())]


async def _limit(scope: Scope, policy: str, caller: bytes, most: int, refusal: str) -> None:
    standing = await get_services(scope).rate_limits.count(policy, caller, most)
    if standing is None:
        return
    scope["state"].setdefault(_STATE_KEY, []).append(standing)
    if standing.is_refused:
        wait = standing.wait_seconds
        detail = (
            f"{refusal} ({most:,}). Wait {wait} s (`Retry-After`) and try again; `RateLimit` says how many are left."
        )
        raise RateLimited(detail, retry_after_seconds=wait)
