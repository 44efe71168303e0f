"""A developer's receiver on the same machine; `test_workers.py` has the same of several processes."""

from support.installation import Installation
from support.own_machine import require_calls_of_ones_own_machine


async def test_an_event_reaches_ones_own_machine_and_never_meetdeck_itself(running: Installation) -> None:
    await require_calls_of_ones_own_machine(running)
