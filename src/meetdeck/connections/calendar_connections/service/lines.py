"""The shared access to each connection's service: a client with its token, and a limit of concurrent requests."""

import asyncio
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.connections.caldav.client import CalDavClient
from meetdeck.connections.calendar_connections import store
from meetdeck.connections.calendar_connections.schemas import ConnectionKind
from meetdeck.connections.calendar_connections.store import StoredAccount
from meetdeck.connections.failures import ServiceFailed, ServiceProblem
from meetdeck.connections.graph.assertions import read_credential
from meetdeck.connections.graph.client import Account, GraphClient
from meetdeck.connections.graph.pacing import Pace
from meetdeck.connections.logins import Login
from meetdeck.platform.database import Database
from meetdeck.platform.outgoing import OutgoingClient
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.settings.outgoing_hosts import find_outgoing_hosts

_REMEMBERED: Final = 100
_LOOK_SECONDS: Final = 0.02
_UTC: Final = ZoneInfo("UTC")


class Line:
    """A client of one account, its learned pace, and the number of its requests in progress.

    Reading and writing share the line, and with it the concurrency that the service allows the application.
    """

    def __init__(
        self, stored: StoredAccount, client: GraphClient | CalDavClient, clock: Clock, zone: ZoneInfo = _UTC
    ) -> None:
        self.stored = stored
        self.client = client
        self.zone = zone
        """The firm's time zone, used for calendars without a time zone."""
        self.pace = Pace(clock())
        self._clock = clock
        self._running = 0
        self._wanted = 0
        self._single = asyncio.Lock()

    @property
    def graph(self) -> GraphClient:
        """Return the client of Microsoft Graph. Raises ServiceFailed if the connection is of another kind."""
        if isinstance(self.client, CalDavClient):
            raise ServiceFailed(ServiceProblem.UNEXPECTED)
        return self.client

    def count_free(self, now: datetime, *, keeps_one: bool = False) -> int:
        """Return how many requests of a round may start now; one place stays free for callers who wait or will."""
        return self.pace.count_free(self._running, now, keeps_one=keeps_one or self._wanted > 0)

    @contextmanager
    def reserve_place(self) -> Generator[None]:
        """Reserve a place, which rounds cannot take, until the block ends."""
        self._wanted += 1
        try:
            yield
        finally:
            self._wanted -= 1

    def has_place(self, now: datetime) -> bool:
        """Return whether a single request may start now."""
        return self.pace.count_free(self._running, now) > 0

    @asynccontextmanager
    async def wait_for_place(self) -> AsyncGenerator[None]:
        """Wait for a place, one caller of this process at a time, and reserve it until the block ends."""
        with self.reserve_place():
            async with self._single:
                while not self.has_place(self._clock()):  # noqa: ASYNC110 - a pause ends by the clock
                    await asyncio.sleep(_LOOK_SECONDS)
                yield

    @asynccontextmanager
    async def count_request(self) -> AsyncGenerator[None]:
        """Count a request until the block ends; adjust the pace to its outcome. Raises the block's ServiceFailed."""
        began_at = self._clock()
        self._running += 1
        try:
            yield
        except ServiceFailed as failed:
            if failed.problem is ServiceProblem.THROTTLED:
                self.pace.be_refused(began_at, self._clock(), failed.retry_after)
            raise
        else:
            self.pace.succeed(self._clock())
        finally:
            self._running -= 1


class Lines:
    """The lines of all connections, by id."""

    def __init__(self, database: Database, encryption: Encryption, outgoing: OutgoingClient, clock: Clock) -> None:
        self._database = database
        self._encryption = encryption
        self._outgoing = outgoing
        self._clock = clock
        self._lines: dict[UUID, Line] = {}

    async def find(self, tenant_id: UUID, connection_id: UUID) -> Line | None:
        """Return the current line of a connection; None if the connection was deleted.

        Raises ServiceFailed (wrong credentials) if the stored secret cannot be decrypted any more.
        """
        async with self._database.reading(tenant_id) as connection:
            stored = await store.find_account(connection, connection_id)
            hosts = await find_outgoing_hosts(connection)
            zone = (await get_rules(connection)).zone
        if stored is None:
            self._lines.pop(connection_id, None)
            return None
        line = self._lines.get(connection_id)
        if line is not None and _proves_the_same(line.stored, stored):
            line.stored, line.zone = stored, zone
            return line
        client = self._make_client(tenant_id, stored, hosts)
        if len(self._lines) >= _REMEMBERED:
            self._lines.clear()
        line = self._lines[connection_id] = Line(stored, client, self._clock, zone)
        return line

    def _make_client(
        self, tenant_id: UUID, stored: StoredAccount, hosts: Sequence[str] | None
    ) -> GraphClient | CalDavClient:
        """Return a client that signs in with an account.

        Raises ServiceFailed if its secret cannot be decrypted any more.
        """
        try:
            secret = self._encryption.decrypt(tenant_id, stored.secret_encrypted)
            proof = read_credential(secret) if stored.is_certificate else secret
        except ValueError:  # it was encrypted with another key of the installation
            raise ServiceFailed(ServiceProblem.CREDENTIALS) from None
        if stored.kind is ConnectionKind.CALDAV:
            return CalDavClient(self._outgoing, stored.address, Login(stored.user_name, secret), hosts)
        account = Account(
            stored.directory_id or "", stored.client_id or "", proof, stored.address, stored.login_address or ""
        )
        return GraphClient(self._outgoing, account, hosts)


def _proves_the_same(one: StoredAccount, other: StoredAccount) -> bool:
    names = ("directory_id", "client_id", "user_name", "secret_encrypted", "address", "login_address")
    return all(getattr(one, name) == getattr(other, name) for name in names)
