"""Ending sessions on the provider's request (OpenID Connect Back-Channel Logout 1.0)."""

from datetime import datetime, timedelta
from typing import Final

import structlog

from meetdeck.administration.tenants import store as tenants
from meetdeck.pages.console.kit.sessions import store
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.identity import (
    LONGEST_LOGOUT_TOKEN,
    LogoutRefused,
    SignInKind,
    SignIns,
    hash_secret,
    read_logout_token,
)

_LEEWAY: Final = timedelta(seconds=30)  # between the provider's clock and ours
_REMEMBERED: Final = LONGEST_LOGOUT_TOKEN + 2 * _LEEWAY

log = structlog.stdlib.get_logger()


class Logouts:
    """Receives logout tokens of the provider with which staff sign in."""

    def __init__(self, database: Database, sign_ins: SignIns) -> None:
        self._database = database
        self._sign_ins = sign_ins

    async def receive(self, token: str, now: datetime) -> None:
        """End the sessions that a logout token names and that began before it was issued.

        Raises LogoutRefused, also for a token that was received before, and ProviderUnavailable.
        """
        logout = await read_logout_token(self._sign_ins.find_calls(SignInKind.STAFF), token, now)
        found = await self._database.collect(
            lambda connection: store.identify_sessions(connection, logout.session, logout.subject)
        )
        tenant_ids = await self._database.collect(tenants.list_ids)
        begun_before = logout.issued_at + _LEEWAY
        for tenant_id, digest in found:

            async def end(connection: Connection, digest: bytes = digest) -> None:
                await store.delete_begun(connection, digest, begun_before)

            await self._database.run(tenant_id, end)

        async def record(connection: Connection) -> bool:
            return await store.record_logout(connection, hash_secret(logout.token_id), now, now - _REMEMBERED)

        if tenant_ids and not await self._database.run(min(tenant_ids), record):
            raise LogoutRefused("The logout token was received before (jti).")
        log.info("console sessions ended by the provider", sessions=len(found))
