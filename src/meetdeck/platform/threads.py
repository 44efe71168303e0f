"""Running functions in threads, beside the event loop."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def run_in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return the result of a function that runs in a thread, or raise its error.

    A StopIteration comes out as RuntimeError: no Future takes one, and whoever awaits it would wait for ever.
    """
    return await asyncio.to_thread(_call, function, *args, **kwargs)  # noqa: TID251 - the one place


def _call(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return function(*args, **kwargs)
    except StopIteration as error:
        raise RuntimeError("StopIteration left a function that ran in a thread") from error
