"""Search and suggest in a registry of 100,000 labels beside reading it through: `python benchmarks/labels.py`.

Both run as the application's role under row-level security, each in a transaction of its own, up to the JSON. Reading
through is what PostgreSQL is left with when the functions of the condition are not leakproof (`similarity`, `lower`):
it may call them only on rows that the policy has passed, and uses no index for them. Both must find the same.
"""

import asyncio
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final
from uuid import UUID, uuid4

import msgspec

from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.labels.schemas import LabelSearchResult, SearchLabelsQuery, SuggestLabelsQuery
from meetdeck.labels.service import registry
from meetdeck.migrations import migrate
from meetdeck.platform.database import Address, Connection, Database

LABELS: Final = 100_000
ROUNDS: Final = 9
TENANT: Final = uuid4()
DATABASE: Final = "benchmark"

_SYLLABLES: Final = (
    "ka la mo re ti su ne po da vi ge ho ni ba ro lu fe ma so ki tra blø grø sta spi klo dre fri næs våg"
)

_NAIVE_SEARCH: Final = """
select label_id as id, label_name, color, description, usage_count, is_active, first_seen, last_updated,
    similarity(label_name, $1) as similarity
from label
where similarity(label_name, $1) >= 0.3::real
order by similarity(label_name, $1) desc, usage_count desc, label_key
limit 20
"""
_NAIVE_SUGGEST: Final = """
select label_id as id, label_name, color, usage_count
from label
where lower(label_name) like lower($1) || '%'
order by usage_count desc, label_key
limit 10
"""

Ask = Callable[[Connection], Awaitable[Sequence[object]]]


def make_names() -> list[str]:
    """Make names of one to three words out of 8,000, some with a number."""
    random, names = Random(1), set[str]()
    syllables = _SYLLABLES.split()
    words = ["".join(random.choices(syllables, k=random.randint(2, 4))) for _ in range(8000)]
    while len(names) < LABELS:
        name = " ".join(random.choices(words, k=random.choice((1, 2, 2, 3))))
        names.add(f"{name} {random.randint(1, 999)}" if random.random() < 1 / 3 else name)
    return sorted(names)


async def fill(owner: Address, names: Sequence[str]) -> None:
    """Make the schema, and register the labels."""
    await migrate(owner)
    connection = await owner.connect()
    async with connection.transaction():
        await connection.execute("select set_config('meetdeck.tenant', $1, true)", str(TENANT))
        await connection.execute("insert into tenant (tenant_id, name) values ($1, 'Benchmark')", TENANT)
        await connection.execute(
            "insert into label (tenant_id, label_name, usage_count, first_seen, last_updated)"
            " select current_tenant(), initcap(name), position % 50, now(), now()"
            " from unnest($1::text[]) with ordinality as given (name, position)"
            " on conflict do nothing",
            names,
        )
    await connection.execute("vacuum analyze label")
    await connection.close()


async def measure(database: Database, ask: Ask) -> tuple[float, Sequence[object]]:
    """Return the median of the rounds, in seconds, and what was found."""
    seconds: list[float] = []
    found: Sequence[object] = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        async with database.transaction(TENANT) as connection:
            found = await ask(connection)
        msgspec.json.encode(found)
        seconds.append(time.perf_counter() - begun)
    return statistics.median(seconds), found


async def report(database: Database, title: str, ours: Ask, naive: Ask, key: Callable[[object], object]) -> None:
    """Print one line: our time, the naive one and the ratio."""
    (our_seconds, our_found), (naive_seconds, naive_found) = (
        await measure(database, ours),
        await measure(database, naive),
    )
    if list(map(key, our_found)) != list(map(key, naive_found)):
        sys.exit(f"{title}: the two do not find the same, there is nothing to compare")
    print(
        f"{title:<34} {len(our_found):>3} found | {our_seconds * 1e3:6.1f} ms, reading through"
        f" {naive_seconds * 1e3:6.1f} ms ({naive_seconds / our_seconds:.0f}x)"
    )


async def compare_search(database: Database, q: str) -> None:
    """Search a name; which of equally similar ones come first is compared by how similar they are."""

    async def read_through(connection: Connection) -> list[LabelSearchResult]:
        rows = await connection.fetch(_NAIVE_SEARCH, q)
        return [LabelSearchResult(**row) for row in rows]

    await report(
        database,
        f"search '{q}'",
        lambda connection: registry.search_labels(connection, SearchLabelsQuery(q)),
        read_through,
        lambda label: round(label.similarity, 4) if isinstance(label, LabelSearchResult) else None,
    )


async def compare_suggest(database: Database, prefix: str) -> None:
    """Suggest by a beginning."""

    async def read_through(connection: Connection) -> list[UUID]:
        return [row["id"] for row in await connection.fetch(_NAIVE_SUGGEST, prefix)]

    async def suggest(connection: Connection) -> list[UUID]:
        return [label.id for label in await registry.suggest_labels(connection, SuggestLabelsQuery(prefix))]

    await report(database, f"suggest '{prefix}'", suggest, read_through, lambda label_id: label_id)


async def run(owner: Address, app: Address) -> None:
    """Fill a database of our own and compare."""
    admin = await owner.connect()
    await admin.execute(f"create database {DATABASE}")
    await admin.close()
    names = make_names()
    await fill(replace(owner, database=DATABASE), names)
    async with Database(replace(app, database=DATABASE), connections=1) as database:
        async with database.transaction(TENANT) as connection:
            server = await connection.fetchval("show server_version")
            count = await connection.fetchval("select count(*) from label")
        print(
            f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, PostgreSQL {server}, "
            f"{count:,} labels, median of {ROUNDS}"
        )
        misspelt = names[5000][:-1] + "x"
        for q in (names[50_000], misspelt, "kalamo", "blø"):
            await compare_search(database, q)
        for prefix in ("", "k", "kal", "kalamo"):
            await compare_suggest(database, prefix)


def main() -> None:
    """Start a PostgreSQL of our own and measure."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder) / "postgres") as endpoint:
        asyncio.run(run(endpoint.owner, endpoint.app))


if __name__ == "__main__":
    main()
