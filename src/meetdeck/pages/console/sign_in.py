"""Signing staff in and out: by OpenID Connect, with a session of ours afterwards (docs/console.md#signing-in)."""

import hmac
import secrets
from datetime import datetime
from hashlib import sha256
from typing import Any, Final
from uuid import NAMESPACE_URL, UUID, uuid5

import msgspec
import structlog

from meetdeck.pages.console.roles import find_role
from meetdeck.pages.console.sessions.schemas import Session
from meetdeck.pages.console.sessions.service import Begun, Sessions
from meetdeck.platform.auth import read_roles
from meetdeck.platform.errors import Forbidden
from meetdeck.platform.openid import SignInFailed
from meetdeck.platform.settings import Settings
from meetdeck.platform.sign_ins import SignInKind, SignIns, read_text_claim

RETURN_PATH: Final = "/console/sign-in/return"
"""The address, below the installation's own, to which the provider sends people back."""

_LONGEST_NEXT: Final = 1000

log = structlog.stdlib.get_logger()


class NoRole(Forbidden):
    """Somebody signed in who has none of the console's roles, or whose tenant is not here."""

    code = "no_role"

    def __init__(self) -> None:
        super().__init__("You are signed in, and have no role here.")


class _Luggage(msgspec.Struct, frozen=True, array_like=True):
    next: str
    browser: bytes


class Begin(msgspec.Struct, frozen=True):
    """The provider's address to send somebody to, and the secret that their browser keeps meanwhile."""

    address: str
    browser: str


class Welcome(msgspec.Struct, frozen=True):
    """A session that has begun, and the path below the console where it was wanted."""

    begun: Begun
    next: str


class StaffSignIns:
    """Sends staff to the provider, and makes a session of what it answers."""

    def __init__(self, settings: Settings, sign_ins: SignIns, sessions: Sessions) -> None:
        self._settings = settings
        self._sign_ins = sign_ins
        self._sessions = sessions

    async def begin(self, next_path: str, language: str, now: datetime) -> Begin:
        """Return where to send somebody who wants to be at a path of the console. Raises ProviderUnavailable."""
        browser = secrets.token_urlsafe(32)
        luggage = _Luggage(next_path[:_LONGEST_NEXT], _digest(browser))
        redirect_uri = f"{self._settings.base_url}{RETURN_PATH}"
        payload = msgspec.msgpack.encode(luggage)
        address = await self._sign_ins.begin(SignInKind.STAFF, redirect_uri, payload, now, language=language)
        return Begin(address, browser)

    async def finish(self, answer: dict[str, str], browser: str, now: datetime) -> Welcome:
        """Return the session of whoever comes back to the browser in which signing in began.

        Raises SignInCancelled, SignInFailed, ProviderUnavailable, NoRole.
        """
        signed_in = await self._sign_ins.finish(answer, now)
        luggage = msgspec.msgpack.decode(signed_in.payload, type=_Luggage)
        if not hmac.compare_digest(luggage.browser, _digest(browser)):
            log.warning("sign-in failed", error="it began in another browser")
            raise SignInFailed
        session = self._read_session(signed_in.claims, now)
        if not await self._sessions.has_tenant(session.tenant_id):
            raise NoRole
        return Welcome(await self._sessions.begin(session), luggage.next)

    def _read_session(self, claims: Any, now: datetime) -> Session:  # noqa: ANN401 - a JSON object
        """Return a session without its secret. Raises NoRole."""
        settings = self._settings
        roles = read_roles(claims.get(settings.claim_roles, []))
        tenant_id = _read_id(claims.get(settings.claim_tenant))
        if tenant_id is None or find_role(settings.role_names, roles) is None:
            log.warning("sign-in without a role", subject=str(claims.get("sub")))
            raise NoRole
        subject = uuid5(NAMESPACE_URL, f"{claims['iss']}/{claims['sub']}")
        name, email = read_text_claim(claims.get("name")), read_text_claim(claims.get("email"))
        return Session(
            tenant_id=tenant_id,
            digest=b"",
            user_id=_read_id(claims.get(settings.claim_user)) or _read_id(claims["sub"]) or subject,
            name=name or email or claims["sub"],
            email=email or "",
            roles=roles,
            language=None,
            created_at=now,
            seen_at=now,
        )


def _digest(secret: str) -> bytes:
    return sha256(secret.encode()).digest()


def _read_id(claim: object) -> UUID | None:
    try:
        return UUID(claim) if isinstance(claim, str) else None
    except ValueError:
        return None
