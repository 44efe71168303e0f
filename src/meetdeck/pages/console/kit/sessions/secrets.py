"""The encrypted values of a session: its person's tokens, and a form that waits while they sign in again."""

from datetime import datetime
from typing import TypeVar

import msgspec
import structlog

from meetdeck.pages.console.kit.sessions import store
from meetdeck.pages.console.kit.sessions.schemas import KeptForm, Session
from meetdeck.platform.database import Database
from meetdeck.platform.identity import Tokens
from meetdeck.platform.secrets import Encryption

T = TypeVar("T")

log = structlog.stdlib.get_logger()


class SessionSecrets:
    """The encrypted values of sessions."""

    def __init__(self, database: Database, encryption: Encryption) -> None:
        self._database = database
        self._encryption = encryption

    def seal(self, session: Session, value: msgspec.Struct) -> bytes:
        """Return a value encrypted for the session's tenant."""
        return self._encryption.encrypt(session.tenant_id, msgspec.json.encode(value).decode())

    async def find_tokens(self, session: Session) -> Tokens | None:
        """Return the tokens, None for a session without tokens."""
        async with self._database.reading(session.tenant_id) as connection:
            return self._open(session, await store.find_tokens(connection, session.digest), Tokens)

    async def keep_tokens(self, session: Session, tokens: Tokens) -> None:
        """Store new tokens."""
        sealed = self.seal(session, tokens)
        await self._database.run(
            session.tenant_id, lambda connection: store.set_tokens(connection, session.digest, sealed)
        )

    async def keep_roles(self, session: Session, tokens: Tokens, now: datetime) -> None:
        """Store the session's roles, which the provider has just confirmed, and new tokens."""
        sealed = self.seal(session, tokens)
        await self._database.run(
            session.tenant_id,
            lambda connection: store.set_roles(connection, session.digest, session.roles, sealed, now),
        )

    async def keep_form(self, session: Session, form: KeptForm) -> None:
        """Store a form, replacing the previous one."""
        sealed = self.seal(session, form)
        await self._database.run(
            session.tenant_id, lambda connection: store.set_form(connection, session.digest, sealed)
        )

    async def find_form(self, session: Session) -> KeptForm | None:
        """Return the last stored form, None if there is none."""
        async with self._database.reading(session.tenant_id) as connection:
            return self._open(session, await store.find_form(connection, session.digest), KeptForm)

    def _open(self, session: Session, sealed: bytes | None, kind: type[T]) -> T | None:
        """Return a value; None if there is none, or it was encrypted with another installation's key."""
        if sealed is None:
            return None
        try:
            return msgspec.json.decode(self._encryption.decrypt(session.tenant_id, sealed), type=kind)
        except ValueError:
            log.warning("value of a session unreadable", kind=kind.__name__)
            return None
