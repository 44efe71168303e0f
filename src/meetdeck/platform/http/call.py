"""One call of the API, as handlers see it: who calls, in which version, when, and the way to the database."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import TypeVar
from urllib.parse import quote

import msgspec
from litestar.di import NamedDependency

from meetdeck.platform.auth import Principal
from meetdeck.platform.clock import Clock
from meetdeck.platform.db import Connection, Database
from meetdeck.platform.http.problems import AnyRequest
from meetdeck.platform.http.versions import Version

T = TypeVar("T")


class Call(msgspec.Struct, frozen=True):
    """What every handler needs; `now` is one moment for the whole request."""

    principal: Principal
    version: Version
    now: datetime
    base_url: str
    database: Database

    def transaction(self) -> AbstractAsyncContextManager[Connection]:
        """Open the request's one transaction, in the caller's tenant."""
        return self.database.transaction(self.principal.tenant_id)

    async def run(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Do `work` in the request's one transaction, once more when it deadlocked with another's."""
        return await self.database.run(self.principal.tenant_id, work)

    def uri(self, area: str, name: object) -> str:
        """Return the address of a resource: `uri("booking/meetings", meeting.id)`."""
        return f"{self.base_url}/api/{self.version}/{area}/{quote(str(name), safe='')}"


GivenCall = NamedDependency[Call]
"""How a handler asks for it: `call: GivenCall`."""


def provide_call(
    request: AnyRequest,
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    base_url: NamedDependency[str],
) -> Call:
    """Gather it; the gate has let the caller in and put the principal into the request."""
    version = Version(request.scope["path"].split("/")[2])
    return Call(request.user, version, clock(), base_url, database)
