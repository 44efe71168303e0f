"""Processes share one server: the first starts it, the last stops it, and a killed one is not missed."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import asyncpg
import pytest

from meetdeck.embedded_postgres import EmbeddedPostgres, Endpoint, postmaster
from meetdeck.embedded_postgres.account import account_for
from meetdeck.embedded_postgres.processes import find_command

HOLDER = """
import sys
from pathlib import Path
from meetdeck.embedded_postgres import EmbeddedPostgres
with EmbeddedPostgres(Path(sys.argv[1])) as endpoint:
    print(endpoint.socket_dir, flush=True)
    sys.stdin.readline()
"""
# What a container gives to root, unless told otherwise.
CONTAINER_CAPABILITIES = (
    "chown dac_override fowner fsetid kill setgid setuid setpcap net_bind_service net_raw sys_chroot"
)


class Holder:
    """Another process that starts the server, and keeps it until told to leave, or killed."""

    def __init__(self, data_dir: Path, *wrapper: str) -> None:
        command = [*wrapper, sys.executable, "-c", HOLDER, str(data_dir)]
        self.process = subprocess.Popen(  # noqa: S603 - this very Python
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def socket_dir(self) -> Path:
        """Wait until the holder has the server."""
        assert self.process.stdout
        return Path(self.process.stdout.readline().strip())

    def leave(self) -> int:
        self.process.communicate("\n", timeout=60)
        return self.process.returncode

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=60)


Hold = Callable[..., Holder]


@pytest.fixture
def hold(data_dir: Path) -> Iterator[Hold]:
    holders: list[Holder] = []

    def start(*wrapper: str) -> Holder:
        holders.append(Holder(data_dir, *wrapper))
        return holders[-1]

    yield start
    for holder in holders:
        if holder.process.returncode is None:
            holder.kill()


def server_of(data_dir: Path) -> int:
    return int((data_dir / "pgdata" / "postmaster.pid").read_text().splitlines()[0])


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.002)


def lives(pid: int) -> bool:
    return find_command(pid) is not None


async def count_visits(endpoint: Endpoint) -> int:
    """Add a row to a table of the owner's; return how many there are."""
    connection = await asyncpg.connect(**endpoint.owner.arguments)
    await connection.execute("CREATE TABLE IF NOT EXISTS visit (id int GENERATED ALWAYS AS IDENTITY)")
    await connection.execute("INSERT INTO visit DEFAULT VALUES")
    count: int = await connection.fetchval("SELECT count(*) FROM visit")
    await connection.close()
    return count


async def test_a_second_start_keeps_the_data(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as endpoint:
        assert await count_visits(endpoint) == 1
    with EmbeddedPostgres(data_dir) as endpoint:
        assert await count_visits(endpoint) == 2


def test_starting_twice_and_stopping_twice_is_harmless(data_dir: Path) -> None:
    server = EmbeddedPostgres(data_dir)
    server.stop()
    assert server.start() == server.start()
    pid = server_of(data_dir)
    server.stop()
    server.stop()
    assert not lives(pid)


async def test_the_last_to_leave_stops_the_server(data_dir: Path) -> None:
    first, second = EmbeddedPostgres(data_dir), EmbeddedPostgres(data_dir)
    assert first.start() == second.start()
    pid = server_of(data_dir)
    first.stop()
    assert await count_visits(second.start()) == 1
    second.stop()
    assert not lives(pid)


async def test_the_server_stops_though_the_application_is_still_connected(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as endpoint:
        connection = await asyncpg.connect(**endpoint.app.arguments)
        started_stopping_at = time.monotonic()
    assert time.monotonic() - started_stopping_at < 5
    assert not (data_dir / "pgdata" / "postmaster.pid").exists()
    assert not endpoint.socket_dir.exists()
    with pytest.raises((asyncpg.PostgresError, OSError)):
        await connection.execute("SELECT 1")


async def test_another_process_joins_and_goes_on_when_the_first_has_left(data_dir: Path, hold: Hold) -> None:
    first = hold()
    socket_dir = first.socket_dir()
    with EmbeddedPostgres(data_dir) as endpoint:
        assert endpoint.socket_dir == socket_dir
        assert first.leave() == 0
        assert await count_visits(endpoint) == 1
        pid = server_of(data_dir)
    assert not lives(pid)


@pytest.mark.thorough
def test_processes_that_start_at_the_same_time_share_one_server(hold: Hold) -> None:
    holders = [hold() for _ in range(3)]
    assert len({holder.socket_dir() for holder in holders}) == 1
    assert [holder.leave() for holder in holders] == [0, 0, 0]


def test_a_server_whose_holder_was_killed_is_joined_and_stopped_by_the_next(data_dir: Path, hold: Hold) -> None:
    holder = hold()
    socket_dir = holder.socket_dir()
    holder.kill()
    pid = server_of(data_dir)
    assert lives(pid)
    with EmbeddedPostgres(data_dir) as endpoint:
        assert endpoint.socket_dir == socket_dir
    assert not lives(pid)


async def test_a_killed_server_comes_back_with_what_was_committed(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as before:
        assert await count_visits(before) == 1
        os.kill(server_of(data_dir), signal.SIGKILL)
        with EmbeddedPostgres(data_dir) as after:
            assert await count_visits(after) == 2
        assert not before.socket_dir.exists()


@pytest.mark.thorough
def test_a_server_that_others_stopped_leaves_no_folder_behind(data_dir: Path) -> None:
    first = EmbeddedPostgres(data_dir)
    socket_dir = first.start().socket_dir
    assert (data_dir / "socket").readlink() == socket_dir
    os.kill(server_of(data_dir), signal.SIGINT)
    wait_until(lambda: not (data_dir / "pgdata" / "postmaster.pid").exists())
    with EmbeddedPostgres(data_dir):
        assert not socket_dir.exists()
    first.stop()


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which processes are left")
async def test_a_backend_that_outlives_its_killed_server_does_not_block_the_next(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postmaster, "ORPHAN_LIMIT_SECONDS", 0.5)
    with EmbeddedPostgres(data_dir) as before:
        connection = await asyncpg.connect(**before.app.arguments)
        backend: int = await connection.fetchval("SELECT pg_backend_pid()")
        busy = asyncio.ensure_future(connection.execute("SELECT count(*) FROM generate_series(1, 1e12::bigint)"))
        await asyncio.sleep(0.1)
        os.kill(server_of(data_dir), signal.SIGKILL)
        await asyncio.sleep(0.2)
        assert lives(backend)
        with EmbeddedPostgres(data_dir) as after:
            assert await count_visits(after) == 1
        assert not lives(backend)
        with pytest.raises((asyncpg.PostgresError, OSError)):
            await busy


@pytest.mark.thorough
async def test_a_number_that_now_belongs_to_another_process_is_no_server(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir):
        written = (data_dir / "pgdata" / "postmaster.pid").read_text().splitlines()
    # Of the same account: that of another one PostgreSQL itself would pass over.
    account = account_for(data_dir / "pgdata")
    with account.start(["/bin/sleep", "20"], stdin=subprocess.DEVNULL, output=subprocess.DEVNULL) as unrelated:
        stale = "\n".join([str(unrelated.pid), *written[1:]])
        (data_dir / "pgdata" / "postmaster.pid").write_text(stale)
        with EmbeddedPostgres(data_dir) as endpoint:
            assert await count_visits(endpoint) == 1
        assert unrelated.poll() is None
        unrelated.kill()


@pytest.mark.thorough
async def test_a_creation_that_was_killed_half_way_starts_over(data_dir: Path, hold: Hold) -> None:
    holder = hold()
    wait_until((data_dir / "pgdata.new" / "PG_VERSION").exists)
    holder.kill()
    assert not (data_dir / "pgdata").exists()
    with EmbeddedPostgres(data_dir) as endpoint:
        assert await count_visits(endpoint) == 1
    assert not (data_dir / "pgdata.new").exists()


@pytest.mark.thorough
async def test_a_server_that_lost_its_socket_is_replaced_when_nobody_uses_it(
    data_dir: Path, hold: Hold, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("meetdeck.embedded_postgres.launcher.ANSWER_LIMIT_SECONDS", 0.1)
    holder = hold()
    shutil.rmtree(holder.socket_dir())
    holder.kill()
    with EmbeddedPostgres(data_dir) as endpoint:
        assert await count_visits(endpoint) == 1


@pytest.mark.thorough
def test_a_server_that_hangs_is_stopped_all_the_same(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("FAST_LIMIT_SECONDS", "IMMEDIATE_LIMIT_SECONDS", "ORPHAN_LIMIT_SECONDS"):
        monkeypatch.setattr(postmaster, limit, 0.2)
    with EmbeddedPostgres(data_dir):
        pid = server_of(data_dir)
        os.kill(pid, signal.SIGSTOP)
    assert not lives(pid)


@pytest.mark.thorough
def test_a_log_that_has_grown_large_is_emptied(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir):
        pass
    os.truncate(data_dir / "postgres.log", 11 * 1024 * 1024)
    with EmbeddedPostgres(data_dir):
        assert (data_dir / "postgres.log").stat().st_size < 1024 * 1024


@pytest.mark.thorough
@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="needs root, and setpriv")
def test_root_in_a_container_starts_joins_recovers_and_stops(data_dir: Path, hold: Hold) -> None:
    bounds = ",".join(["-all", *(f"+{name}" for name in CONTAINER_CAPABILITIES.split())])
    contained = ("setpriv", f"--bounding-set={bounds}", f"--inh-caps={bounds}")
    killed = hold(*contained)
    killed.socket_dir()
    killed.kill()
    first, second = hold(*contained), hold(*contained)
    assert first.socket_dir() == second.socket_dir()
    os.kill(server_of(data_dir), signal.SIGKILL)
    third = hold(*contained)
    third.socket_dir()
    assert [first.leave(), second.leave()] == [0, 0]
    pid = server_of(data_dir)
    assert lives(pid)
    assert third.leave() == 0
    assert not lives(pid)
