"""The schema of 1.0 is what the 66 steps before it made, on the oldest PostgreSQL that is served and on the newest."""

import asyncio
import io
import json
import re
import subprocess
import tarfile
from collections.abc import Generator
from pathlib import Path
from time import perf_counter
from typing import Any, Final
from uuid import UUID

import pytest

from meetdeck.migrations import migrate, require_schema
from meetdeck.migrations.steps import BASE
from meetdeck.platform.database import Address
from support.clusters import OWNER, Cluster, run_primary
from support.releases import PREVIOUS_RELEASE

pytestmark = pytest.mark.thorough

LAST_OF_THE_STEPS: Final = "64ee17b5"
STEPS: Final = "src/meetdeck/migrations/versions"
SERVERS = {"PostgreSQL 15": Path("/usr/lib/postgresql/15/bin"), "PostgreSQL 18": None}
INTENDED = {
    "find_reservation(uuid)": "names its columns: step 0067",
    "list_kept_mails(integer)": "the same",
    "identify_subscription_key(bytea)": "only earlier releases called it; step 0067 drops it",
    "take_jobs(text[], timestamp with time zone, timestamp with time zone, uuid, integer, integer)": "the same",
    "list_due_jobs(text[], timestamp with time zone, uuid, integer, integer)": "the same",
    "FUNCTION list_due_jobs(queues text[], at timestamp with time zone, by uuid, most integer, most_of_lane integer)": (
        "its grants"
    ),
    "take_rate_share(bytea, integer, integer, integer, integer, bigint)": "the same",
}
"""The functions in which the schema differs from what the steps made, until step 0067 has run."""
TENANT = UUID(int=7)
ROWS = f"""
select set_config('meetdeck.tenant', '{TENANT}', false);
insert into tenant (tenant_id, name) values (current_tenant(), 'Firm');
insert into subscription_key (tenant_id, digest) values (current_tenant(), sha256('k'));
insert into resource (tenant_id, resource_id) values (current_tenant(), '{UUID(int=8)}');
insert into room (tenant_id, room_id, name, capacity) values (current_tenant(), '{UUID(int=8)}', 'Room', 4);
insert into time_slot (tenant_id, time_slot_id, starts_at, ends_at, status, created_at)
    values (current_tenant(), '{UUID(int=9)}', now(), now() + interval '1 hour', 'Booked', now());
insert into occupancy (tenant_id, resource_key, starts_at, ends_at, time_slot_id)
    select tenant_id, resource_key, now(), now() + interval '1 hour', '{UUID(int=9)}' from resource;
"""  # noqa: S608 - ours

_TABLES = """
select relname from pg_class
where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'alembic_version'
order by relname
"""


def read_steps() -> list[str]:
    """Return the SQL of the 66 steps, as the repository's history has them."""
    root = Path(__file__).parents[2]
    command = ["git", "-C", str(root), "archive", LAST_OF_THE_STEPS, STEPS]
    archive = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - our own repository
    if archive.returncode != 0:
        pytest.skip(f"the steps of {PREVIOUS_RELEASE} are not to be had: git fetch --unshallow")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as packed:
        files = {name: packed.extractfile(name) for name in sorted(packed.getnames()) if name.endswith(".sql")}
        return [file.read().decode() for file in files.values() if file is not None]


@pytest.fixture(params=SERVERS, scope="module")
def cluster(request: pytest.FixtureRequest) -> Generator[Cluster]:
    programs = SERVERS[request.param]
    if programs is not None and not programs.is_dir():
        pytest.skip("no PostgreSQL 15 here: install the package `postgresql-15`")
    with run_primary(programs) as primary:
        yield primary


async def execute(address: Address, *statements: str) -> None:
    connection = await address.connect()
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


async def make_database(cluster: Cluster, name: str) -> Address:
    """Return the address of an empty database, as its owner."""
    cluster.execute(f"drop database if exists {name}", f"create database {name} owner {OWNER}")
    return cluster.address(OWNER, name)


async def run_the_steps(address: Address) -> None:
    """Make the schema as versions before 1.0 did, in a table of alembic's."""
    version = "create table alembic_version (version_num varchar(32) constraint alembic_version_pkc primary key)"
    row = "insert into alembic_version values ('0066')"
    await execute(address, "begin", version, *read_steps(), row, "commit")


def dump(cluster: Cluster, address: Address, *options: str) -> str:
    """Return what pg_dump writes of a database."""
    target = ["-h", address.host, "-p", str(address.port), "-U", OWNER, *options, address.database]
    code, output = cluster.account.run([str(cluster.binaries.bin_dir / "pg_dump"), *target])
    assert code == 0, output
    return output


def describe(cluster: Cluster, address: Address) -> dict[str, list[str]]:
    """Return the definitions of everything in the schema by name: columns in their order, bodies, grants, owners."""
    found: dict[str, list[str]] = {}
    for part in re.split(r"^--\n-- (?=Name: )", dump(cluster, address, "--schema-only"), flags=re.MULTILINE)[1:]:
        heading, _, definition = part.partition("\n--\n")
        name = re.fullmatch(r"Name: (.+?); Type: .+", heading)
        assert name is not None, heading
        text = re.sub(r"^(\\(un)?restrict .*|--.*)$", "", f"{heading}\n{definition}", flags=re.MULTILINE).strip()
        found.setdefault(name[1], []).append(text)
    return {name: sorted(texts) for name, texts in found.items()}


def list_differences(one: dict[str, list[str]], other: dict[str, list[str]]) -> set[str]:
    return {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}


async def test_the_schema_is_what_the_steps_made_but_for_functions_that_step_0067_mends(cluster: Cluster) -> None:
    by_steps, at_once = await make_database(cluster, "by_steps"), await make_database(cluster, "at_once")
    await run_the_steps(by_steps)
    await migrate(at_once, to=BASE)
    expected = describe(cluster, by_steps)
    assert len(expected) > 300
    differing = list_differences(expected, describe(cluster, at_once))
    assert differing == INTENDED.keys()
    for address in (by_steps, at_once):
        await migrate(address)
    assert list_differences(describe(cluster, by_steps), describe(cluster, at_once)) == set()


async def test_a_new_database_has_no_rows(cluster: Cluster) -> None:
    by_steps, at_once = await make_database(cluster, "by_steps"), await make_database(cluster, "at_once")
    await run_the_steps(by_steps)
    await migrate(at_once, to=BASE)
    assert await dump_rows(cluster, by_steps) == await dump_rows(cluster, at_once) == {}


async def test_a_database_of_the_steps_is_taken_over_with_its_rows_as_they_are(cluster: Cluster) -> None:
    address = await make_database(cluster, "by_steps")
    await run_the_steps(address)
    await execute(address, ROWS)
    before = await dump_rows(cluster, address)
    await migrate(address)
    await require_schema(address)
    after = await dump_rows(cluster, address)
    earlier = {name: {*rows[0]} for name, rows in before.items()}  # later steps add columns
    kept = {name: [{key: row[key] for key in earlier[name] & {*row}} for row in rows] for name, rows in after.items()}
    assert kept == before
    assert sum(map(len, before.values())) == len(re.findall("insert into", ROWS))


async def test_calls_of_the_version_before_that_wait_for_the_steps_are_answered(cluster: Cluster) -> None:
    address = await make_database(cluster, "by_steps")
    await run_the_steps(address)
    migrating = asyncio.create_task(migrate(address))
    longest = max(await asyncio.gather(*(reserve_until(migrating, address) for _ in range(3))))
    await migrating
    assert longest > 0.1  # so it waited


async def reserve_until(migrated: asyncio.Task[None], address: Address) -> float:
    """Call what reservations call until the schema is migrated; return the seconds that the slowest call took."""
    connection = await address.connect()
    slowest = 0.0
    try:
        while not migrated.done():
            began = perf_counter()
            await connection.fetch("select time_slot_id from find_reservation($1)", TENANT)
            slowest = max(slowest, perf_counter() - began)
    finally:
        await connection.close()
    return slowest


async def dump_rows(cluster: Cluster, address: Address) -> dict[str, list[dict[str, Any]]]:
    """Return all rows of the tables that have some, by their columns."""
    connection = await cluster.address("postgres", address.database).connect()
    try:
        tables = [row["relname"] for row in await connection.fetch(_TABLES)]
        texts = {name: await connection.fetch(f"select to_jsonb({name})::text as text from {name}") for name in tables}  # noqa: S608
        return {name: [json.loads(row["text"]) for row in rows] for name, rows in texts.items() if rows}
    finally:
        await connection.close()
