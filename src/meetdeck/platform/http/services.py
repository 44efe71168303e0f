"""What the application is made of, as handlers are given it.

It comes with each request, in the request's state, where the edge puts it. The routes know nothing of it: they are
made once for a process, whatever is served with them, and describe themselves while nothing runs.
"""

from typing import TypeAlias, TypeVar

from litestar.di import NamedDependency, Provide
from litestar.types import Scope

T = TypeVar("T")

Service: TypeAlias = NamedDependency[T]
"""The type of a handler's parameter with the name of a service."""


def provide_service(name: str) -> Provide:
    """Return the dependency `name`: the part of that name of what the request came with."""

    def find(scope: Scope) -> object:
        return scope["state"][name]

    return Provide(find, sync_to_thread=False)
