"""Signing staff in and out by OpenID Connect, with our own session in between (docs/console/sessions.md#signing-in)."""

import hmac
import secrets
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Final

import msgspec
import structlog

from meetdeck.pages.console.kit import RECENT, Session, Sessions, SessionSecrets, StartedSession, make_session
from meetdeck.platform.errors import Forbidden
from meetdeck.platform.identity import ProviderUnavailable, SignInFailed, SignInKind, SignIns, write_logout
from meetdeck.platform.settings import Settings

RETURN_PATH: Final = "/console/sign-in/return"
"""The address, below the installation's own, to which the provider sends people back."""

SIGNED_OUT_PATH: Final = "/console/signed-out"
"""Likewise after signing out there."""

ALSO_THERE: Final = "provider"
"""The `state` of a sign-out that went through the provider."""

_LONGEST_NEXT: Final = 1000

log = structlog.stdlib.get_logger()


class NoRole(Forbidden):
    """The person signed in has none of the console's roles, or an unknown tenant."""

    code = "no_role"

    def __init__(self) -> None:
        super().__init__("You are signed in, but have no role here.")


class _SignInPayload(msgspec.Struct, frozen=True, array_like=True):
    next: str
    browser: bytes


class SignInStart(msgspec.Struct, frozen=True):
    """The provider's address to which a person is sent, and the secret that their browser keeps meanwhile."""

    address: str
    browser: str


class FinishedSignIn(msgspec.Struct, frozen=True):
    """A new session, and the path below the console that the person wanted."""

    begun: StartedSession
    next: str


class StaffSignIns:
    """Sends staff to the provider and back, for signing in and signing out."""

    def __init__(
        self, settings: Settings, sign_ins: SignIns, sessions: Sessions, session_secrets: SessionSecrets
    ) -> None:
        self._settings = settings
        self._sign_ins = sign_ins
        self._sessions = sessions
        self._secrets = session_secrets

    async def begin(self, next_path: str, language: str, now: datetime, *, anew: bool = False) -> SignInStart:
        """Return the address to which a person who opens a path of the console is sent. Raises ProviderUnavailable.

        `anew`: the provider signs them in again even if it knows them already.
        """
        browser = secrets.token_urlsafe(32)
        luggage = _SignInPayload(next_path[:_LONGEST_NEXT], _digest(browser))
        address = await self._sign_ins.begin(
            SignInKind.STAFF,
            f"{self._settings.base_url}{RETURN_PATH}",
            msgspec.msgpack.encode(luggage),
            now,
            language=language,
            most_seconds=int(RECENT.total_seconds()) if anew else None,
        )
        return SignInStart(address, browser)

    async def finish(
        self, answer: dict[str, str], browsers: Sequence[str], cookies: Sequence[str], now: datetime
    ) -> FinishedSignIn:
        """Return the session of a person who comes back to the browser in which the sign-in began.

        `browsers`: the values of the cookie of `begin`. The session of the browser's `cookies` ends. Raises
        SignInCancelled, SignInFailed, ProviderUnavailable, NoRole.
        """
        signed_in = await self._sign_ins.finish(answer, now)
        luggage = msgspec.msgpack.decode(signed_in.payload, type=_SignInPayload)
        if not any(hmac.compare_digest(luggage.browser, _digest(browser)) for browser in browsers):
            log.warning("sign-in failed", error="it began in another browser")
            raise SignInFailed
        session = make_session(self._settings, signed_in.claims, now)
        if session is None:
            log.warning("sign-in without a role", subject=str(signed_in.claims.get("sub")))
            raise NoRole
        if not await self._sessions.has_tenant(session.tenant_id):
            raise NoRole
        tokens = self._secrets.seal(session, signed_in.tokens)
        before = await self._sessions.find(cookies, now)
        return FinishedSignIn(await self._sessions.begin(session, tokens, before), luggage.next)

    async def end(self, session: Session, now: datetime) -> str | None:
        """End a session, and return the address at which its person signs out at the provider, too.

        None: the provider has no such address, or does not answer.
        """
        tokens = await self._secrets.find_tokens(session)
        await self._sessions.end(session)
        if tokens is None:
            return None
        back = f"{self._settings.base_url}{SIGNED_OUT_PATH}"
        try:
            calls = self._sign_ins.find_calls(SignInKind.STAFF)
            return await write_logout(calls, tokens.id_token, back, ALSO_THERE, now)
        except ProviderUnavailable:  # which the log has
            return None


def _digest(secret: str) -> bytes:
    return sha256(secret.encode()).digest()
