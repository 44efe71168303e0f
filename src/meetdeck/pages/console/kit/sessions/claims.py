"""A provider's claims about staff: tenant, roles and identity."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from uuid import NAMESPACE_URL, UUID, uuid5

from meetdeck.pages.console.kit.roles import find_role
from meetdeck.pages.console.kit.sessions.schemas import Session
from meetdeck.platform.identity import read_roles, read_text_claim
from meetdeck.platform.settings import Settings

_LATEST_SECONDS: Final = 2**33  # what a `datetime` and PostgreSQL hold, and no clock says


class RoleClaims(NamedTuple):
    """A tenant, and the values of its roles claim, at least one of which is a role at the console."""

    tenant_id: UUID
    roles: frozenset[str]


def read_role_claims(settings: Settings, claims: Mapping[str, Any]) -> RoleClaims | None:
    """Return tenant and roles, None without a role at the console."""
    roles = read_roles(claims.get(settings.claim_roles, []))
    tenant_id = _read_id(claims.get(settings.claim_tenant))
    if tenant_id is None or find_role(settings.role_names, roles) is None:
        return None
    return RoleClaims(tenant_id, roles)


def make_session(settings: Settings, claims: Mapping[str, Any], now: datetime) -> Session | None:
    """Return a session without its secret, None for a person without a role at the console."""
    found = read_role_claims(settings, claims)
    if found is None:
        return None
    subject = uuid5(NAMESPACE_URL, f"{claims['iss']}/{claims['sub']}")
    name, email = read_text_claim(claims.get("name")), read_text_claim(claims.get("email"))
    return Session(
        tenant_id=found.tenant_id,
        digest=b"",
        user_id=_read_id(claims.get(settings.claim_user)) or _read_id(claims["sub"]) or subject,
        name=name or email or claims["sub"],
        email=email or "",
        roles=found.roles,
        language=None,
        created_at=now,
        seen_at=now,
        checked_at=now,
        authenticated_at=_read_moment(claims.get("auth_time"), now),
        subject=claims["sub"],
        provider_session=read_text_claim(claims.get("sid")),
    )


def _read_id(claim: object) -> UUID | None:
    try:
        return UUID(claim) if isinstance(claim, str) else None
    except ValueError:
        return None


def _read_moment(claim: object, now: datetime) -> datetime | None:
    """Return the moment of a claim in seconds, never in the future; None for an invalid one."""
    if isinstance(claim, bool) or not isinstance(claim, int | float) or not 0 <= claim < _LATEST_SECONDS:
        return None
    return min(datetime.fromtimestamp(claim, UTC), now)
