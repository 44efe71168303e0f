"""Counts requests against the limits of their key, their network address, or a portal, and reports the rest.

The header fields are those of draft-ietf-httpapi-ratelimit-headers-10.
"""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from litestar.types import ASGIApp, Receive, Scope, Send
from prometheus_client import Counter

from meetdeck.platform.errors import TooManyRequests
from meetdeck.platform.http.calls import get_services
from meetdeck.platform.http.limits.callers import find_caller_address
from meetdeck.platform.http.rate_limits import DAY_SECONDS, HOUR_SECONDS, WINDOW_SECONDS, LimitState
from meetdeck.platform.identity import Principal, ScimToken, SubscriptionKey

_STATE_KEY: Final = "rate_limits"
_DIRECTORY_LIMIT: Final = 50 * WINDOW_SECONDS
"""Requests a minute of a SCIM token: 50 a second. Entra asks for 25, and stops for hours after refusals."""
_MOST_ADDRESS_CHANGES: Final = 3
_MAILS: Final = Counter(
    "meetdeck_unverified_mails",
    "Mails to unconfirmed addresses that visitors of portals requested: allowed, or over a limit.",
    ["outcome"],
)
for _outcome in ("allowed", "address", "portal", "firm"):  # counted from zero, so that the first one is an increase
    _MAILS.labels(_outcome)


class RateLimited(TooManyRequests):
    """The caller has made as many requests in the last minute as it may."""

    code = "rate_limited"


class MailsLimited(RateLimited):
    """A visitor, a portal or a firm has requested its limit of mails to unconfirmed addresses in an hour."""


class AddressChangesLimited(RateLimited):
    """The address of a meeting's customer was changed by its link as often as allowed in a day."""


async def limit_key(scope: Scope, key: SubscriptionKey) -> None:
    """Count a request for its subscription key. Raises RateLimited."""
    most = get_services(scope).settings.rate_limit if key.rate_limit is None else key.rate_limit
    await _limit(scope, "key", key.digest, most, "This subscription key is at its limit of requests a minute")


async def limit_caller(scope: Scope, caller: Principal, rate_limit: int | None) -> None:
    """Count a request without a subscription key for its caller, against its tenant's limit of a key.

    Raises RateLimited.
    """
    most = get_services(scope).settings.rate_limit if rate_limit is None else rate_limit
    who = caller.tenant_id.bytes + caller.user_id.bytes
    await _limit(scope, "caller", who, most, "This caller is at its limit of requests a minute")


async def limit_directory(scope: Scope, token: ScimToken) -> None:
    """Count a request for its SCIM token; `MEETDECK_RATE_LIMIT` does not count it. Raises RateLimited."""
    await _limit(scope, "scim", token.digest, _DIRECTORY_LIMIT, "This SCIM token is at its limit of requests a minute")


async def limit_address(scope: Scope) -> None:
    """Count a request without valid credentials for its network address. Raises RateLimited."""
    address = find_caller_address(scope)
    whose = f"The network address {address} is at its limit of requests a minute without valid credentials"
    await _limit(scope, "address", address.encode(), get_services(scope).settings.address_rate_limit, whose)


async def limit_holds(scope: Scope, portal_id: UUID) -> None:
    """Count a hold on a portal, for the network address and for the portal. Raises RateLimited."""
    settings = get_services(scope).settings
    address = find_caller_address(scope)
    whose = f"The network address {address} is at its limit of times held a minute"
    await _limit(scope, "address-hold", address.encode(), settings.address_hold_limit, whose)
    await _limit(
        scope, "hold", portal_id.bytes, settings.hold_limit, "The portal is at its limit of times held a minute"
    )


async def limit_mails(scope: Scope, tenant_id: UUID, portal_id: UUID) -> None:
    """Count a mail to an unconfirmed address, for the visitor, the portal and the firm.

    Raises MailsLimited.
    """
    settings, address = get_services(scope).settings, find_caller_address(scope)
    limits = (
        ("address-mail", address.encode(), settings.address_mail_limit, f"The network address {address}"),
        ("portal-mail", portal_id.bytes, settings.portal_mail_limit, "The portal"),
        ("firm-mail", tenant_id.bytes, settings.firm_mail_limit, "The organization"),
    )
    for policy, caller, most, whose in limits:
        refusal = f"{whose} is at its limit of mails an hour to unconfirmed addresses"
        try:
            await _limit(scope, policy, caller, most, refusal, window_seconds=HOUR_SECONDS, error=MailsLimited)
        except MailsLimited:
            _MAILS.labels(policy.removesuffix("-mail")).inc()
            raise
    _MAILS.labels("allowed").inc()


async def limit_address_changes(scope: Scope, meeting_id: UUID) -> None:
    """Count a change of a customer's address by a meeting's link. Raises AddressChangesLimited."""
    refusal = "The meeting is at its limit of changes of the e-mail address a day"
    most, error = _MOST_ADDRESS_CHANGES, AddressChangesLimited
    await _limit(scope, "address-change", meeting_id.bytes, most, refusal, window_seconds=DAY_SECONDS, error=error)


def limit_addresses(app: ASGIApp) -> ASGIApp:
    """Wrap an application without credentials: each request is counted for its network address."""

    async def let_in(scope: Scope, receive: Receive, send: Send) -> None:
        await limit_address(scope)
        await app(scope, receive, send)

    return let_in


def list_rate_limits(state: Mapping[str, Any]) -> list[tuple[bytes, bytes]]:
    """Return the headers with the remaining requests of the limits that a request counted for, by its scope's state."""
    standings: list[LimitState] = state.get(_STATE_KEY, [])
    if not standings:
        return []
    policies = (f'"{one.policy}";q={one.most};w={one.window_seconds}' for one in standings)
    limits = (f'"{one.policy}";r={one.remaining};t={one.wait_seconds}' for one in standings)
    return [(b"ratelimit-policy", ", ".join(policies).encode()), (b"ratelimit", ", ".join(limits).encode())]


async def _limit(  # noqa: PLR0913 - a limit, and what is said of it
    scope: Scope,
    policy: str,
    caller: bytes,
    most: int,
    refusal: str,
    *,
    window_seconds: int = WINDOW_SECONDS,
    error: type[RateLimited] = RateLimited,
) -> None:
    standing = await get_services(scope).rate_limits.count(policy, caller, most, window_seconds=window_seconds)
    if standing is None:
        return
    scope["state"].setdefault(_STATE_KEY, []).append(standing)
    if standing.is_refused:
        wait = standing.wait_seconds
        detail = (
            f"{refusal} ({most:,}). Wait {wait} s (`Retry-After`) and try again; `RateLimit` says how many are left."
        )
        raise error(detail, retry_after_seconds=wait)
