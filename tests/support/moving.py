"""Moves of the first demo firm between two databases, in this process or in one that kills itself at some moment."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from signal import SIGKILL
from typing import Any

import msgspec

from meetdeck.administration.moves import changes, copying, service, sides
from meetdeck.administration.moves.schemas import MoveReport
from meetdeck.administration.moves.service import move_tenant
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.changes import name_operator
from meetdeck.platform.database import Address
from meetdeck.platform.process import clock
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.process.progress import NoProgress

Owners = Mapping[str, Address]

MOMENTS: Mapping[str, tuple[Any, str, int]] = {
    "before the firm's row arrives": (service, "copy_snapshot", 0),
    "while rows are copied": (copying, "_insert_staged", 5),
    "after the copy": (service, "catch_up", 0),
    "while jobs end": (service._Move, "_close", 0),  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    "while it is closed": (changes, "_require_same", 1),
    "before the decision": (sides.Side, "set_home", 0),
    "after the decision": (service, "complete", 0),
    "between directory and target": (sides.Side, "set_home", 2),
    "while leftovers are deleted": (sides.Side, "_delete_from", 150),
}
"""The function before which the process is killed, and how many calls of it come before."""


async def move(owners: Owners, to: str, now: Clock = clock.now) -> MoveReport:
    return await move_tenant(owners, NORDLYS.tenant_id, to, name_operator("tenant move"), now, NoProgress())


async def move_apart(owners: Owners, to: str, moment: str = "", *, now: datetime | None = None) -> int:
    """Move in a process of its own, which kills itself at a moment, if one is given; return how it ended.

    `now`: where the clock stands; by default it goes on.
    """
    addresses = {name: str_of(address) for name, address in owners.items()}
    arguments = msgspec.json.encode([addresses, to, moment, now])
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "support.moving", arguments.decode(), cwd=Path(__file__).parents[1]
    )
    return await process.wait()


def str_of(address: Address) -> list[Any]:
    return [address.host, address.port, address.user, address.password, address.database]


def _die_before(owner: Any, name: str, calls: int) -> None:
    original: Callable[..., Awaitable[Any]] = getattr(owner, name)
    left = calls

    async def die(*arguments: Any, **options: Any) -> Any:
        nonlocal left
        if left == 0:
            os.kill(os.getpid(), SIGKILL)
        left -= 1
        return await original(*arguments, **options)

    setattr(owner, name, die)


if __name__ == "__main__":
    given, to, moment, now = msgspec.json.decode(sys.argv[1])
    if moment:
        _die_before(*MOMENTS[moment])
    clock_of_move = clock.now if now is None else partial(datetime.fromisoformat, now)
    owners = {name: Address(*address) for name, address in given.items()}
    asyncio.run(move(owners, to, clock_of_move))
