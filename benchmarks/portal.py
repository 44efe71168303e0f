"""The page with free times beside the same search by the API: `python benchmarks/portal.py [--advisors 1000]`.

One firm is asked of `meetdeck serve` on this machine, a process of its own, in turns: the page that a customer sees,
and the search that it stands on, of all advisors and seven days, up to the last byte.
"""

import argparse
import asyncio
import os
import platform
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from large_firm_parts.firm import add_firm
from large_firm_parts.server import Server

_ROUNDS: Final = 60
_WARMING: Final = 5
_CHECKOUT: Final = Path(__file__).parents[1]
_SEARCH: Final = (
    "/api/v3/booking/time-slots/available?requireEmployeeParticipation=false&topic={topic}&meetingTypes=online"
    "&isCustomerInitiated=true&getBestTimeSlots={best}&lookForwardTime=7.00:00:00"
)


def report(name: str, seconds: Sequence[float], size: int, beside: float | None) -> float:
    """Print a line and return the 95th percentile."""
    most = quantiles(seconds, n=20)[-1]
    ratio = f"{most / beside:8.2f}" if beside else ""
    print(f"{name:<40}{median(seconds) * 1e3:8.1f} ms{most * 1e3:8.1f} ms{size / 1e3:10,.0f} kB{ratio}", flush=True)
    return most


def main() -> None:
    """Fill, ask in turns, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--advisors", type=int, default=1000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Server(_CHECKOUT, Path(folder, "server")) as server:
        server.call_as(asyncio.run(add_firm(server.endpoint, employees=given.advisors, weeks=4)))
        topic = server.create("config/meeting-topics", {"name": "Anything", "durationMinutes": 60})
        portal = {"name": "A bank", "address": "bank", "authenticationType": "Anonymous", "topicId": topic}
        server.create("config/portals", portal)
        paths = {
            "search, an advisor for each time": _SEARCH.format(topic=topic, best="true"),
            "search, every advisor": _SEARCH.format(topic=topic, best="false"),
            "the page of times": "/p/bank?type=online",
        }
        answers = {name: [server.get(path) for _ in range(_WARMING)] and [] for name, path in paths.items()}
        for _ in range(_ROUNDS):
            for name, path in paths.items():
                answers[name].append(server.get(path))
        print(f"{given.advisors} advisors, 7 days; Python {platform.python_version()}, {os.cpu_count()} cores")
        print(f"{'':<40}{'median':>11}{'95 %':>11}{'size':>13}  to the search")
        beside = None
        for name, asked in answers.items():
            assert all(each.status == 200 for each in asked), name  # noqa: PLR2004, S101 - a page of refusals is quick
            most = report(name, [each.seconds for each in asked], asked[-1].size, beside)
            beside = beside or most


if __name__ == "__main__":
    main()
