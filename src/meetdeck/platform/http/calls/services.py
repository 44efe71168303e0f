"""The application's services, and how a handler gets one.

They are in the state of each request's scope. Routes are independent of them: they are created once for a process, for
any services, and describe themselves while nothing runs.

No router is inside another: Litestar copies every handler of a nested router, and four levels of them, with services in
closures, took 0.4 s at each start and for each test over HTTP.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from operator import attrgetter
from typing import Any, TypeAlias, TypeVar, cast
from uuid import UUID

from litestar.di import NamedDependency, Provide
from litestar.types import Scope

from meetdeck.platform.changes import Fingerprints
from meetdeck.platform.database import Database
from meetdeck.platform.http.rate_limits import RateLimits
from meetdeck.platform.identity import Authenticator, DirectoryAuthenticator
from meetdeck.platform.process import MovedClocks, RecentRequests
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.settings import Settings

T = TypeVar("T")

Service: TypeAlias = NamedDependency[T]
"""The type of a handler's parameter that is named like an attribute of the application's services."""

_STATE_KEY = "services"
_REQUEST_ID = "request_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestServices:
    """The services that every request needs; the application's own derive from them."""

    settings: Settings
    database: Database
    authenticator: Authenticator
    directories: DirectoryAuthenticator
    fingerprints: Fingerprints
    encryption: Encryption
    rate_limits: RateLimits
    clock: Clock
    moved: MovedClocks = field(default_factory=MovedClocks)
    recent: RecentRequests = field(default_factory=RecentRequests)

    def read_time(self, tenant_id: UUID) -> datetime:
        """Return the firm's time: the real one, unless a test has moved the firm's clock."""
        return self.moved.read(tenant_id, self.clock())


def make_state(services: RequestServices) -> dict[str, object]:
    """Return the state of a request's scope."""
    return {_STATE_KEY: services}


def note_request_id(state: Mapping[str, object], request_id: str) -> dict[str, Any]:
    """Return the state of one request, which has an id."""
    return {**state, _REQUEST_ID: request_id}


def get_request_id(scope: Scope) -> str:
    """Return the id of a request."""
    return scope["state"][_REQUEST_ID]


def get_services(scope: Scope) -> RequestServices:
    """Return the services of a request."""
    return cast("RequestServices", scope["state"][_STATE_KEY])


class _Provide(Provide):
    """A dependency that equals only itself: Litestar compares all of a handler's, by their attributes."""

    __eq__ = object.__eq__  # pyright: ignore[reportAssignmentType] - its parameters have no names
    __hash__ = object.__hash__  # pyright: ignore[reportAssignmentType] - Provide has none


def provide_services(kind: type[RequestServices]) -> dict[str, Provide]:
    """Return a dependency for each attribute of the services."""
    return {field.name: _provide_service(field.name) for field in fields(kind)}


def _provide_service(name: str) -> Provide:
    get = attrgetter(name)

    def get_service(scope: Scope) -> object:
        return get(get_services(scope))

    return _Provide(get_service, sync_to_thread=False)
