"""The people of a CalDAV server by their e-mail addresses, with the addresses of their calendars.

The server lists its people (RFC 3744, `principal-collection-set`), or, where it lists nobody whom the firm knows, is
asked for each address. What it names is followed at this server alone.
"""

import asyncio
from collections.abc import Awaitable, Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple, TypeVar

from meetdeck.connections.caldav.client import CalDavClient
from meetdeck.connections.caldav.documents import Resource
from meetdeck.connections.failures import ServiceFailed, ServiceProblem

_WELL_KNOWN: Final = "/.well-known/caldav"
_AT_ONCE: Final = 4
_MOST_HOMES: Final = 10
_NOT_THERE: Final = frozenset({ServiceProblem.GONE, ServiceProblem.UNEXPECTED, ServiceProblem.DENIED})
"""Problems of one resource, which leave the others readable."""
_T = TypeVar("_T")
_R = TypeVar("_R")


class Person(NamedTuple):
    """Somebody, or a room, of a server: an e-mail address, and the paths of collections of calendars."""

    email: str
    homes: tuple[str, ...] = ()


async def list_people(client: CalDavClient, emails: Iterable[str]) -> list[Person]:
    """Return the people of a server; with their calendars those who have one of these addresses. Raises ServiceFailed.

    DENIED: the account sees nobody.
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


async def _find_start(client: CalDavClient) -> Resource:
    """Return the resource that tells where people are: the address, else where RFC 6764 says. Raises ServiceFailed."""
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


async def _list_collections(client: CalDavClient, start: Resource) -> tuple[str, ...]:
    """Return the collections of people; without any, the account that asks. Raises ServiceFailed."""
    if start.collections or not start.principal:
        return start.collections
    own = await client.describe(start.principal)
    return own.collections or (start.principal,)


async def _list_all(client: CalDavClient, collections: Sequence[str]) -> dict[str, str]:
    """Return the paths of people by their addresses, as far as the server lists them. Raises ServiceFailed."""
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
    """Return the path of whoever has an address, by that; empty: nobody. Raises ServiceFailed."""
    for collection in collections:
        with _passes_over():
            for one in await client.search_people(collection, email):
                if email in one.emails:
                    return {email: one.path}
    return {}


async def _find_homes(client: CalDavClient, path: str) -> tuple[str, ...]:
    """Return where somebody's calendars are; nowhere if the server does not tell it. Raises ServiceFailed."""
    with _passes_over():
        return (await client.describe(path)).homes[:_MOST_HOMES]
    return ()


@contextmanager
def _passes_over() -> Generator[None]:
    """Go on behind the block if what it asks for is missing or denied."""
    try:
        yield
    except ServiceFailed as error:
        if error.problem not in _NOT_THERE:
            raise


async def _run_some(items: Sequence[_T], call: Callable[[_T], Awaitable[_R]]) -> list[_R]:
    """Return what calls return, of which a few are made at once. Raises what the first one raises that fails."""
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
