"""Asking the provider again for the roles of the people of sessions (docs/console/sessions.md#sessions)."""

import asyncio
from datetime import datetime, timedelta
from typing import Final

import structlog
from msgspec.structs import replace

from meetdeck.pages.console.kit.sessions.claims import read_role_claims
from meetdeck.pages.console.kit.sessions.schemas import Session
from meetdeck.pages.console.kit.sessions.secrets import SessionSecrets
from meetdeck.pages.console.kit.sessions.service import Sessions
from meetdeck.platform.identity import (
    ProviderUnavailable,
    SessionEnded,
    SignInKind,
    SignIns,
    Tokens,
    renew,
    renew_claims,
)
from meetdeck.platform.settings import Settings
from meetdeck.platform.work import Leases

EVERY: Final = timedelta(minutes=10)
"""The age at which roles are requested again."""
GRACE: Final = timedelta(minutes=20)
"""The additional age that they may have while the provider does not answer."""
_REST: Final = timedelta(seconds=30)  # after a failed call, this process makes none for this long
_WAIT_SECONDS: Final = 20.0  # for another request of the session, which makes two or three calls of five seconds
_LOOK_SECONDS: Final = 0.1

log = structlog.stdlib.get_logger()


class RoleChecks:
    """Requests roles once for all requests of a session, whatever process they are in."""

    def __init__(
        self, settings: Settings, sign_ins: SignIns, sessions: Sessions, secrets: SessionSecrets, leases: Leases
    ) -> None:
        self._settings = settings
        self._sign_ins = sign_ins
        self._sessions = sessions
        self._secrets = secrets
        self._leases = leases
        self._away_until: datetime | None = None

    async def check(self, session: Session, now: datetime) -> Session | None:
        """Return the session with recent roles, None if it has ended.

        Raises ProviderUnavailable if the provider does not answer until the roles are too old.
        """
        loop = asyncio.get_running_loop()
        give_up_at = loop.time() + _WAIT_SECONDS
        found: Session | None = session
        while found is not None and _is_due(found, now):
            if self._is_away(now) or loop.time() > give_up_at:
                return _go_on(found, now)
            async with self._leases.hold(session.tenant_id, f"console roles {session.session_id}") as is_ours:
                found = await self._sessions.read_again(session, now)
                if is_ours and found is not None and _is_due(found, now):
                    return await self._check_provider(found, now)
            if found is not None and _is_due(found, now):
                await asyncio.sleep(_LOOK_SECONDS)
        return found

    async def _check_provider(self, session: Session, now: datetime) -> Session | None:
        try:
            return await self._renew(session, now)
        except SessionEnded as error:
            log.info("console session ended", session=str(session.session_id), reason=str(error))
            await self._sessions.end(session)
            return None
        except ProviderUnavailable:  # which the log has
            self._away_until = now + _REST
            return _go_on(session, now)

    async def _renew(self, session: Session, now: datetime) -> Session:
        tokens = await self._secrets.find_tokens(session)
        if tokens is None or session.subject is None:
            raise SessionEnded("it has no tokens to ask with")
        calls = self._sign_ins.find_calls(SignInKind.STAFF)
        fresh = await renew(calls, tokens, now)
        if fresh != tokens:
            await self._secrets.keep_tokens(session, fresh)  # at once: the old refresh token may be used up
        claims = await renew_claims(calls, session.subject, fresh, tokens, now)
        return await self._read(session, claims, fresh, now)

    async def _read(self, session: Session, claims: dict[str, object], tokens: Tokens, now: datetime) -> Session:
        found = read_role_claims(self._settings, claims)
        if found is None or found.tenant_id != session.tenant_id:
            raise SessionEnded("the provider no longer gives a role in this firm")
        if found.roles != session.roles:
            log.info("console roles changed", session=str(session.session_id), roles=sorted(found.roles))
        session = replace(session, roles=found.roles, checked_at=now)
        await self._secrets.keep_roles(session, tokens, now)
        return session

    def _is_away(self, now: datetime) -> bool:
        return self._away_until is not None and self._away_until - _REST <= now < self._away_until


def _is_due(session: Session, now: datetime) -> bool:
    return now - session.checked_at >= EVERY


def _go_on(session: Session, now: datetime) -> Session:
    """Return the session while its roles are not too old. Raises ProviderUnavailable."""
    if now - session.checked_at >= EVERY + GRACE:
        raise ProviderUnavailable
    return session
