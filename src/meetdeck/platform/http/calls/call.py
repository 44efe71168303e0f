"""A call of the API, as handlers see it: its caller, version, time, and access to the database."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from functools import partial
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar, cast
from urllib.parse import quote
from uuid import UUID

import msgspec
from litestar import Response
from litestar.di import NamedDependency
from litestar.types import HTTPScope, Scope
from msgspec.structs import replace

from meetdeck.platform.changes import (
    HEADER,
    Actor,
    Answer,
    AuditAction,
    Entry,
    EventType,
    Fingerprints,
    IdempotentRequest,
    KeptAnswer,
    describe_change,
    write_entries,
)
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.http.answers import (
    Conditions,
    answer_saved,
    answer_unchanged,
    answer_with_tag,
    entity_tag,
)
from meetdeck.platform.http.calls.callers import read_headers
from meetdeck.platform.http.calls.handling import find_version
from meetdeck.platform.http.calls.services import get_request_id, get_services
from meetdeck.platform.identity import Access, Principal, RoleMissing
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.settings import RoleNames
from meetdeck.platform.values import Version, show_in_version, write_json

T = TypeVar("T")
R = TypeVar("R")
S = TypeVar("S", bound=msgspec.Struct)
K = TypeVar("K")
R_co = TypeVar("R_co", covariant=True)
K_contra = TypeVar("K_contra", contravariant=True)

Work = Callable[[Connection, R], Awaitable[T]]
States = Callable[[R], Iterable[object]]
"""Returns the forms in which a caller may have read a resource."""
Shown = Callable[[Any], msgspec.Struct]
"""Returns a resource as reading it answers."""

_IDEMPOTENCY_KEY: Final = HEADER.lower().encode()

# Templates are not configuration; their uploads are recorded where they are made.
OWN_EVENTS: Final = {
    ("templates", AuditAction.CHANGED): EventType.TEMPLATE_CHANGED,
    ("templates", AuditAction.DELETED): EventType.TEMPLATE_DELETED,
}


class ReadOne(Protocol[K_contra, R_co]):
    """A service's function that reads one resource."""

    def __call__(self, connection: Connection, key: K_contra, /, *, for_update: bool) -> Awaitable[R_co]:
        """Return the resource of a key, locked until the transaction ends when it is read `for_update`."""
        ...


class HasId(Protocol):
    """Protocol: a resource whose address ends with its id."""

    @property
    def id(self) -> UUID:
        """Return the id."""
        ...


AtOnce = Callable[[Connection, KeptAnswer | None], Awaitable[HasId | None]]


class SavedResource(NamedTuple):
    """A created resource, its address, and whether it is new: 201, else 200."""

    resource: object
    uri: str
    is_new: bool = True


class Call(msgspec.Struct, frozen=True):
    """The request as a handler needs it; `now` is the same moment throughout."""

    principal: Principal
    version: Version
    now: datetime
    base_url: str
    database: Database
    conditions: Conditions
    address: str
    idempotency_key: str | None
    fingerprints: Fingerprints
    encryption: Encryption
    role_names: RoleNames
    audited: str = ""
    """The kind of resource whose changes the audit log records; empty: none."""
    observed: Collection[str] = ()
    """The resource's members that change without a caller's doing; see `entity_tag`."""
    request_id: str = ""

    def reading(self) -> AbstractAsyncContextManager[Connection]:
        """Open a reader of single resources of the caller's tenant, found by their keys; see `Database.reading`."""
        return self.database.reading(self.principal.tenant_id)

    def transaction(self) -> AbstractAsyncContextManager[Connection]:
        """Open the request's one transaction for reading, in the caller's tenant."""
        return self.database.transaction(self.principal.tenant_id, planned_anew=True)

    async def read(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Return what `work` reads for a search, in one transaction; on the standby if there is one."""
        return await self.database.read(self.principal.tenant_id, work)

    async def run(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run `work` in the request's one transaction, again when it deadlocked with another's."""
        return await self.database.run(self.principal.tenant_id, work)

    async def create(
        self,
        body: object,
        area: str,
        make: Callable[[Connection], Awaitable[HasId]],
        *,
        at_once: AtOnce | None = None,
        shown: Shown | None = None,
        sealed: bool = False,
    ) -> Response[Any]:
        """Answer the resource that `make` creates from the body, at its address in an area; see `save`.

        `shown` returns it as reading would answer it; by default it is unchanged.

        `at_once` is tried first: it creates the resource in one statement, outside of a transaction, or returns None
        and has changed nothing (docs/decisions/0089). With an `Idempotency-Key` it stores its answer as well.
        """
        if at_once is not None:
            repeatable = self._repeatable(body)
            where = partial(self.uri, area)
            kept = repeatable.make_kept(self.now, self.version, where, self._write) if repeatable else None
            async with self.database.at_once(self.principal.tenant_id) as connection:
                made = await at_once(connection, kept)
            if made is not None:
                return self._answer_saved(Answer(201, self.uri(area, made.id), self._write(made)))

        async def make_saved(connection: Connection) -> SavedResource:
            resource = await make(connection)
            await self._audit(connection, None, resource, shown)
            return SavedResource(resource, self.uri(area, resource.id))

        return await self.save(body, make_saved, sealed=sealed)

    async def save(
        self, body: object, work: Callable[[Connection], Awaitable[SavedResource]], *, sealed: bool = False
    ) -> Response[Any]:
        """Answer the resource that `work` makes of the body, in the request's one transaction.

        A repeat of the request, by its `Idempotency-Key`, gets the same answer, and nothing is done; an answer with a
        secret in it is stored `sealed`, that is encrypted. Raises InvalidIdempotencyKey, IdempotencyKeyReused.
        """
        repeatable = self._repeatable(body)

        async def create_once(connection: Connection) -> Answer:
            known = await repeatable.claim(connection, self.now) if repeatable else None
            if known is not None:
                return self._unseal(known) if sealed else known
            saved = await work(connection)
            answer = Answer(201 if saved.is_new else 200, saved.uri, self._write(saved.resource))
            if repeatable:
                await repeatable.keep(connection, self._seal(answer) if sealed else answer)
            return answer

        return self._answer_saved(await self.run(create_once))

    async def find_answer(self, body: object) -> Response[Any] | None:
        """Return the stored answer of a repeated request, None for a new one; call it before slow work."""
        repeatable = self._repeatable(body)
        if repeatable is None:
            return None
        async with self.transaction() as connection:
            known = await repeatable.find_answer(connection, self.now)
        return self._answer_saved(known) if known else None

    async def change(
        self, read: ReadOne[K, R], key: K, change: Work[R, msgspec.Struct], *, states: States[R] | None = None
    ) -> Response[Any]:
        """Answer the resource of a key, with its `ETag`, as `change` returns it; see `run_matched`."""
        return self.answer(await self.run_matched(read, key, change, states=states))

    async def delete(
        self,
        read: ReadOne[K, R],
        key: K,
        delete: Work[R, None],
        *,
        states: States[R] | None = None,
        shown: Shown | None = None,
    ) -> None:
        """Delete the resource of a key; see `run_matched`."""
        await self.run_matched(read, key, delete, states=states, shown=shown)

    async def run_matched(
        self,
        read: ReadOne[K, R],
        key: K,
        work: Work[R, T],
        *,
        states: States[R] | None = None,
        shown: Shown | None = None,
    ) -> T:
        """Run `work` with the resource of a key, read under its lock, in the request's one transaction.

        `work` returns the changed resource, or None if it was deleted. Raises Stale when the caller's `If-Match` names
        none of the resource's `states`, by default itself. `shown` returns it as reading would answer it; by default it
        is unchanged.
        """

        async def match_and_work(connection: Connection) -> T:
            resource = await read(connection, key, for_update=True)
            if self.conditions.if_match is not None:
                current = states(resource) if states else (resource,)
                self.conditions.require_match(*(self._tag(self._write(state)) for state in current))
            changed = await work(connection, resource)
            await self._audit(connection, resource, changed, shown)
            return changed

        return await self.run(match_and_work)

    async def audit(self, connection: Connection, *entries: Entry) -> None:
        """Write entries into the audit log, as the caller's, in the transaction of the change."""
        if entries:
            await write_entries(connection, self.actor, self.now, entries)

    @property
    def actor(self) -> Actor:
        """Return the caller, as the audit log names them."""
        by = self.principal
        return Actor(by.user_id, by.name or None, client=by.client or None, request_id=self.request_id)

    async def _audit(self, connection: Connection, before: object, after: object, shown: Shown | None = None) -> None:
        """Write an audit entry if the changed resource is of an audited kind."""
        entry = describe_change(self.audited, _as_struct(before), _as_struct(after)) if self.audited else None
        if entry is not None:
            resource = shown(entry.resource) if shown is not None else entry.resource
            event = OWN_EVENTS.get((self.audited, entry.action), EventType.CONFIGURATION_CHANGED)
            await self.audit(connection, replace(entry, resource=resource, event=event))

    def answer(self, resource: msgspec.Struct, *, state_of: msgspec.Struct | None = None) -> Response[Any]:
        """Answer a single resource with its `ETag`, or that the caller has it already (304).

        `state_of` is the whole resource as reading would answer it, if this is only a part of it.
        """
        representation = self._write(resource)
        tag = self._tag(representation if state_of is None else self._write(state_of))
        is_known = self.address.startswith("GET ") and self.conditions.is_known(tag)
        return answer_unchanged(tag) if is_known else answer_with_tag(representation, tag)

    def show(self, resources: Sequence[S]) -> list[S]:
        """Return resources as the call's version answers them."""
        return [show_in_version(self.version, one) for one in resources]

    def require_access(self, access: Access) -> None:
        """Raise Forbidden unless the caller has what the operation needs for this very resource."""
        self.principal.require_access(access, self.role_names)

    def require_member_access(self, access: Access, pointer: str) -> None:
        """Raise RoleMissing unless the caller may change a member of a resource."""
        if not access.permits(self.principal.roles, self.role_names):
            raise RoleMissing(access.find_role(self.role_names) or access, pointer)

    @property
    def in_v3(self) -> "Call":
        """Return the call as one of v3: events contain what v3 reads."""
        return replace(self, version=Version.V3)

    def uri(self, area: str, name: object) -> str:
        """Return the address of a resource: `uri("booking/meetings", meeting.id)`."""
        return f"{self.base_url}/api/{self.version}/{area}/{quote(str(name), safe='')}"

    def _write(self, resource: object) -> bytes:
        """Return a resource as JSON in the call's version."""
        return write_json(show_in_version(self.version, resource) if isinstance(resource, msgspec.Struct) else resource)

    def _tag(self, representation: bytes) -> str:
        return entity_tag(representation, self.observed)

    def _answer_saved(self, answer: Answer) -> Response[Any]:
        return answer_saved(answer, self._tag(answer.body))

    def _seal(self, answer: Answer) -> Answer:
        return replace(answer, body=self.encryption.encrypt(self.principal.tenant_id, answer.body.decode()))

    def _unseal(self, answer: Answer) -> Answer:
        return replace(answer, body=self.encryption.decrypt(self.principal.tenant_id, answer.body).encode())

    def _repeatable(self, body: object) -> IdempotentRequest | None:
        if self.idempotency_key is None:
            return None
        return self.fingerprints.make(self.principal.user_id, self.idempotency_key, self.address, body)


def _as_struct(resource: object) -> msgspec.Struct | None:
    return resource if isinstance(resource, msgspec.Struct) else None


def audits(kind: str) -> dict[str, Any]:
    """Return a controller's `opt` that makes the audit log record its handlers' changes by a Call."""
    return {"audited": kind}


def observes(*members: str) -> dict[str, Any]:
    """Return a controller's `opt` that names the members that change without a caller's doing.

    They do not make a caller's `If-Match` stale; see `entity_tag`.
    """
    return {"observed": frozenset(members)}


CurrentCall: TypeAlias = NamedDependency[Call]
"""The type of a handler's parameter `call`."""


def provide_call(scope: Scope) -> Call:
    """Return the call of a request, whose caller is authenticated already."""
    services = get_services(scope)
    if_match, if_none_match, idempotency_key = read_headers(scope, b"if-match", b"if-none-match", _IDEMPOTENCY_KEY)
    principal: Principal = scope["user"]
    described: Mapping[str, Any] = scope["route_handler"].opt
    return Call(
        principal=principal,
        version=find_version(scope),
        now=services.read_time(principal.tenant_id),
        base_url=services.settings.base_url,
        database=services.database,
        conditions=Conditions(if_match, if_none_match),
        address=f"{cast('HTTPScope', scope)['method']} {scope['path']}",
        idempotency_key=idempotency_key,
        fingerprints=services.fingerprints,
        encryption=services.encryption,
        role_names=services.settings.role_names,
        audited=described.get("audited", ""),
        observed=described.get("observed", ()),
        request_id=get_request_id(scope),
    )
