"""Finds the people of a CalDAV server by e-mail address, with the paths of their calendars.

The server lists its people (RFC 3744, `principal-collection-set`). If none of the listed people is known to the firm,
each address is searched for. Links are followed on this server only.
"""

import asyncio
from collections.abc import Awaitable, Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple, TypeVar

from meetdeck.connections.caldav.client import CalDavClient
from meetdeck.connections.caldav.documents import DavResource
from meetdeck.connections.failures import ServiceFailed, ServiceProblem

_WELL_KNOWN: Final = "/.well-known/caldav"
_AT_ONCE: Final = 4
_MOST_HOMES: Final = 10
_NOT_THERE: Final = frozenset({ServiceProblem.GONE, ServiceProblem.UNEXPECTED, ServiceProblem.DENIED})
"""Problems of one resource; other resources stay readable."""
_T = TypeVar("_T")
_R = TypeVar("_R")


class Person(NamedTuple):
    """A person or room on a server: an e-mail address and the paths of the calendar homes."""

    email: str
    homes: tuple[str, ...] = ()


async def list_people(client: CalDavClient, emails: Iterable[str]) -> list[Person]:
    """Return the people of a server; those with one of these addresses have their calendars. Raises ServiceFailed.

    The problem is DENIED if the account sees no one.
    """
    wanted = {email.lower() for email in emails}
    start = await _find_start(client)
    collections = await _list_collections(client, start)
    paths = await _list_all(client, collections)
    if not paths.keys() & wanted:
        for found in await _run_some(sorted(wanted), lambda email: _search(client, collections, email)):
            paths |= found
    if not paths:
        raise ServiceFailed(ServiceProblem.DENIED)
    homes = await _run_some(sorted(paths.keys() & wanted), lambda email: _find_homes(client, paths[email]))
    by_email = dict(zip(sorted(paths.keys() & wanted), homes, strict=True))
    return [Person(email, by_email.get(email, ())) for email in sorted(paths)]


async def _find_start(client: CalDavClient) -> DavResource:
    """Return the resource where discovery starts: the connection's address, else the well-known path (RFC 6764).

    Raises ServiceFailed.
    """
    failed = ServiceFailed(ServiceProblem.UNEXPECTED)
    for path in (client.path, _WELL_KNOWN):
        try:
            found = await client.find(path)
        except ServiceFailed as error:
            if error.problem not in _NOT_THERE:
                raise
            failed = error
        else:
            if found.principal or found.collections:
                return found
    raise failed


async def _list_collections(client: CalDavClient, start: DavResource) -> tuple[str, ...]:
    """Return the collections of people; if there are none, the path of the signed-in account. Raises ServiceFailed."""
    if start.collections or not start.principal:
        return start.collections
    own = await client.describe(start.principal)
    return own.collections or (start.principal,)


async def _list_all(client: CalDavClient, collections: Sequence[str]) -> dict[str, str]:
    """Return the paths of the people whom the server lists, by e-mail address. Raises ServiceFailed."""
    paths: dict[str, str] = {}
    for collection in collections:
        try:
            listed = await client.list_inside(collection)
        except ServiceFailed as error:
            if error.problem not in {*_NOT_THERE, ServiceProblem.TOO_LARGE}:
                raise
            continue
        for one in listed:
            if "principal" in one.kinds:
                for email in one.emails:
                    paths.setdefault(email, one.path)
    return paths


async def _search(client: CalDavClient, collections: Sequence[str], email: str) -> dict[str, str]:
    """Return the path of the person with an e-mail address, by that address; empty if there is none.

    Raises ServiceFailed.
    """
    for collection in collections:
        with _passes_over():
            for one in await client.search_people(collection, email):
                if email in one.emails:
                    return {email: one.path}
    return {}


async def _find_homes(client: CalDavClient, path: str) -> tuple[str, ...]:
    """Return the paths of a person's calendar homes; none if the server does not reveal them. Raises ServiceFailed."""
    with _passes_over():
        return (await client.describe(path)).homes[:_MOST_HOMES]
    return ()


@contextmanager
def _passes_over() -> Generator[None]:
    """Suppress a ServiceFailed that means "missing" or "denied", and continue after the block."""
    try:
        yield
    except ServiceFailed as error:
        if error.problem not in _NOT_THERE:
            raise


async def _run_some(items: Sequence[_T], call: Callable[[_T], Awaitable[_R]]) -> list[_R]:
    """Return the results of the calls, a few of which run at once. Raises the first error."""
    places = asyncio.Semaphore(_AT_ONCE)

    async def run(item: _T) -> _R:
        async with places:
            return await call(item)

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(run(item)) for item in items]
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return [task.result() for task in tasks]
