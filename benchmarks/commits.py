"""Commits a second by settings of PostgreSQL, beside each other: `python benchmarks/commits.py [--seconds 1]`.

1, 8 and 32 callers insert a row in a transaction of their own and wait for its commit, over connections of one
embedded PostgreSQL. Each turn asks every variant, in changing order, and the median of the turns counts, as a ratio to
PostgreSQL's own settings: the disk and the other programs of the machine are the same for all. A Meetdeck request does
more than a commit, so that its own gain is smaller; see `benchmarks/reservations.py`.
"""

import argparse
import asyncio
import os
import random
import tempfile
import time
from pathlib import Path
from statistics import median

from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.platform.database import Address, Connection

CALLERS = (1, 8, 32)
TURNS = 15
USUAL = "usual"
VARIANTS: dict[str, dict[str, str]] = {
    USUAL: {},
    "commit_delay 100 us": {"commit_delay": "100"},
    "commit_delay 1000 us": {"commit_delay": "1000"},
    "synchronous_commit off": {"synchronous_commit": "off"},
}


async def measure(connections: list[Connection], seconds: float) -> float:
    """Return how many commits a second the callers get."""
    done, end = 0, time.perf_counter() + seconds

    async def insert(connection: Connection) -> None:
        nonlocal done
        while time.perf_counter() < end:
            await connection.execute("insert into committed default values")
            done += 1

    begun = time.perf_counter()
    await asyncio.gather(*map(insert, connections))
    return done / (time.perf_counter() - begun)


async def compare(superuser: Address, seconds: float) -> None:
    """Print commits a second with PostgreSQL's settings, and the others' ratio to them."""
    connections = [await superuser.connect() for _ in range(max(CALLERS))]
    await connections[0].execute("create table committed (id bigint generated always as identity)")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, median of {TURNS} x {seconds} s")
    for callers in CALLERS:
        found: dict[str, list[float]] = {name: [] for name in VARIANTS}
        for _ in range(TURNS):
            for name in random.sample([*VARIANTS], len(VARIANTS)):
                for connection in connections[:callers]:
                    await connection.execute("reset all")
                    for setting, value in VARIANTS[name].items():
                        await connection.execute("select set_config($1, $2, false)", setting, value)
                found[name].append(await measure(connections[:callers], seconds))
        usual = median(found[USUAL])
        others = "; ".join(
            f"{name} {median(mine / theirs for mine, theirs in zip(found[name], found[USUAL], strict=True)):.2f}"
            for name in VARIANTS
            if name != USUAL
        )
        print(f"{callers:>2} callers: {usual:,.0f} commits/s; {others}")
    for connection in connections:
        await connection.close()


def main() -> None:
    """Start a PostgreSQL of our own, on the disk of temporary files, and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1)
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder) / "postgres") as endpoint:
        asyncio.run(compare(endpoint.superuser, seconds))


if __name__ == "__main__":
    main()
