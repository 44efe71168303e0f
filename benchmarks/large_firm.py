"""Every list and search of a bank over HTTP: `python benchmarks/large_firm.py [--beside CHECKOUT] [--only NAME]`.

One firm of 2,000 advisors, 300 rooms, 50 topics, 25 competence groups and 104,000 meetings in a year is asked of
`meetdeck serve` on this machine, a process of its own, up to the last byte. With `--beside`, another checkout of this
repository is measured in turns with this one, each with a server and a database of its own. The least of the rounds
counts; memory is the server's.
"""

import argparse
import asyncio
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from large_firm_parts.firm import add_firm
from large_firm_parts.requests import NAMES, list_requests
from large_firm_parts.server import Answer, Server

ROUNDS = 4
_OURS = Path(__file__).parents[1]


class Measured(NamedTuple):
    """The least seconds to the first and to the last byte, the answer's status and size, and what memory it took."""

    seconds: float
    first_byte: float
    status: int
    size: int
    more_kb: int


def measure(server: Server, path: str) -> Measured:
    """Ask several times; memory is what the process took at most beyond what it had before."""
    before = server.forget_peak_kb()
    answers: list[Answer] = [server.get(path) for _ in range(ROUNDS)]
    return Measured(
        min(each.seconds for each in answers),
        min(each.first_byte for each in answers),
        answers[-1].status,
        answers[-1].size,
        server.peak_kb - before,
    )


def report(measured: dict[str, list[Measured]]) -> None:
    """Print a line for each request: ours, then the other's and how many times as long it takes."""
    for name, (ours, *others) in measured.items():
        line = f"{name:<44}{ours.status:>4}{ours.size / 1e6:>9,.2f} MB{ours.seconds * 1e3:>10,.1f} ms"
        line += f"{ours.first_byte * 1e3:>9,.1f} ms{ours.more_kb / 1e3:>8,.0f} MB"
        for other in others:
            line += f" |{other.status:>4}{other.size / 1e6:>9,.2f} MB{other.seconds * 1e3:>10,.1f} ms"
            line += (
                f"{other.first_byte * 1e3:>9,.1f} ms{other.more_kb / 1e3:>8,.0f} MB{ours.seconds / other.seconds:>8.2f}"
            )
        print(line, flush=True)


def main() -> None:
    """Fill, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--beside", type=Path, help="another checkout")
    parser.add_argument("--only", default="", help="only requests whose name has this")
    arguments = parser.parse_args()
    checkouts = [_OURS, arguments.beside] if arguments.beside else [_OURS]
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        servers = [
            opened.enter_context(Server(checkout, folder / str(number))) for number, checkout in enumerate(checkouts)
        ]
        for server in servers:
            server.call_as(asyncio.run(add_firm(server.endpoint)))
        requests = [list_requests(server) for server in servers]
        print(f"Python {sys.version.split()[0]}; each: status, size, least time, to the first byte, memory; the ratio")
        for name in NAMES:
            if arguments.only in name:
                report({name: [measure(server, paths[name]) for server, paths in zip(servers, requests, strict=True)]})


if __name__ == "__main__":
    main()
