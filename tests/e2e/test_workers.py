"""Several processes on one port: who answers, who is replaced, and what a rolling restart costs: nothing."""

import asyncio
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Generator
from contextlib import ExitStack
from pathlib import Path

import httpx
import psutil
import pytest

from meetdeck.demo.seed import TEMPLATE_FILE
from meetdeck.present.render.renderer import find_office
from support.installation import Installation, install
from support.own_machine import require_calls_of_ones_own_machine
from support.patience import LONGEST_SECONDS

WORKERS = 2
CALLERS = 5


@pytest.fixture(scope="module")
def served() -> Generator[tuple[Installation, str]]:
    """Lend an installation with two workers, and its address."""
    with install() as installation:
        installation.fill()
        installation.settings["MEETDECK_WORKER_PROCESS"] = "true"
        yield installation, installation.start("--workers", str(WORKERS), "--demo-data")


def list_workers(installation: Installation, name: str = "meetdeck-server") -> dict[int, psutil.Process]:
    return {process.pid: process for process in installation.list_workers(name)}


def works_in_the_background(installation: Installation, address: str, *, without: int = 0) -> bool:
    """Return whether one process does the background work, and is not `without`."""
    found = list_workers(installation, "meetdeck-worker")
    is_new = len(found) == 1 and without not in found
    return is_new and all(process.nice() > 0 for process in found.values()) and is_told(address)


def is_told(address: str) -> bool:
    """Return whether a number says that the background work is done."""
    return read_metric(address, "meetdeck_workers_present") == 1


def count_restarts(installation: Installation) -> int:
    """Return how many lines of the log say that all workers are new."""
    return read_log(installation).count("all workers are new")


def read_log(installation: Installation) -> str:
    return (installation.data_dir.parent / "serve.log").read_text(encoding="utf-8")


def wait_until(condition: Callable[[], bool], *, seconds: float = LONGEST_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def read_headers(installation: Installation) -> dict[str, str]:
    return dict(re.findall(r'-H "([\w-]+): ([^"]+)"', installation.printed))


def draw(installation: Installation, address: str) -> None:
    """Render a deck, so that one of the workers has a LibreOffice; without that program, nothing."""
    if find_office() is not None:
        file = {"file": (TEMPLATE_FILE.name, TEMPLATE_FILE.read_bytes())}
        headers = read_headers(installation)
        drawn = httpx.post(f"{address}/api/v3/present/slides/pdf", headers=headers, files=file, timeout=LONGEST_SECONDS)
        assert drawn.content.startswith(b"%PDF"), drawn.text


def read_metric(address: str, line: str) -> float:
    return sum(
        float(value)
        for value in re.findall(rf"^{re.escape(line)} (\S+)$", httpx.get(f"{address}/metrics").text, re.MULTILINE)
    )


def count_connections(installation: Installation, address: str) -> dict[int, int]:
    """Return how many connections each worker has."""
    port = int(address.rpartition(":")[2])
    return {
        pid: sum(one.status == "ESTABLISHED" and one.laddr.port == port for one in process.net_connections())
        for pid, process in list_workers(installation).items()
    }


def serves(installation: Installation, address: str, *, without: int) -> bool:
    """Return whether so many connections as there are workers reach them all, and none is `without`."""
    with ExitStack() as stack:
        for _ in range(WORKERS):
            stack.enter_context(httpx.Client(base_url=address)).get("/health/live").raise_for_status()
        held = count_connections(installation, address)
        return sum(count > 0 for pid, count in held.items() if pid != without) == WORKERS


async def test_an_event_reaches_ones_own_machine_and_never_meetdeck_itself(served: tuple[Installation, str]) -> None:
    await require_calls_of_ones_own_machine(served[0])


def test_connections_are_spread_evenly(served: tuple[Installation, str]) -> None:
    installation, address = served
    with ExitStack() as stack:
        for _ in range(4 * WORKERS):
            http = stack.enter_context(httpx.Client(base_url=address))
            assert http.get("/health/live").status_code == 200
        held = count_connections(installation, address)
        assert len(held) == WORKERS
        assert max(held.values()) - min(held.values()) <= 1, held


def test_metrics_are_of_all_workers(served: tuple[Installation, str]) -> None:
    _, address = served
    line = 'meetdeck_requests_total{method="GET",route="/favicon.ico",status="200"}'
    for _ in range(2 * WORKERS):
        assert httpx.get(f"{address}/favicon.ico").status_code == 200
    assert [read_metric(address, line) for _ in range(WORKERS)] == [2 * WORKERS] * WORKERS


class Load:
    """Callers who keep their connections, read and write, and count what they are answered."""

    def __init__(self, address: str, headers: dict[str, str]) -> None:
        self.address, self.headers = address, headers
        self.answers: Counter[str] = Counter()
        self.is_over = False

    async def run(self) -> None:
        await asyncio.gather(*(self.call(number) for number in range(CALLERS)))

    async def call(self, number: int) -> None:
        async with httpx.AsyncClient(base_url=f"{self.address}/api/v3/booking/", headers=self.headers) as http:
            while not self.is_over:
                try:
                    await self.count(http.get("employees" if number % 2 else "rooms"))
                    await asyncio.sleep(0.5 if number == 0 else 0.1)  # one has an idle connection
                except httpx.TransportError as error:
                    self.answers[repr(error)] += 1

    async def count(self, sent: Awaitable[httpx.Response]) -> None:
        self.answers[str((await sent).status_code)] += 1


@pytest.mark.thorough
async def test_a_rolling_restart_fails_no_request(served: tuple[Installation, str]) -> None:
    installation, address = served
    assert installation.process is not None
    draw(installation, address)
    before, loaded = list_workers(installation), list_workers(installation, "meetdeck-forks")
    line = 'meetdeck_requests_total{method="GET",route="/favicon.ico",status="200"}'
    counted = read_metric(address, line)
    load = Load(address, read_headers(installation))
    calling = asyncio.create_task(load.run())
    installation.process.send_signal(signal.SIGHUP)
    await asyncio.to_thread(wait_until, lambda: count_restarts(installation) == 1)  # noqa: TID251 - a test waits
    load.is_over = True
    await calling
    after = list_workers(installation)
    assert len(after) == WORKERS
    assert not before.keys() & after.keys()
    wait_until(lambda: not loaded.keys() & list_workers(installation, "meetdeck-forks").keys())  # new ones run new code
    assert [*load.answers] == ["200"], load.answers
    assert load.answers["200"] > 50
    assert read_metric(address, line) == counted


def test_a_worker_that_is_killed_is_replaced_at_once(served: tuple[Installation, str]) -> None:
    installation, address = served
    victim, *others = list_workers(installation).values()
    died = read_metric(address, "meetdeck_worker_deaths_total")
    victim.kill()
    assert httpx.get(f"{address}/health/live").status_code == 200
    wait_until(lambda: serves(installation, address, without=victim.pid))
    assert all(other.is_running() for other in others)
    assert read_metric(address, "meetdeck_worker_deaths_total") == died + 1
    assert '"reason":"SIGKILL"' in read_log(installation)


@pytest.mark.thorough
def test_the_process_that_starts_workers_is_replaced_when_one_is_needed(served: tuple[Installation, str]) -> None:
    installation, address = served
    [forks] = list_workers(installation, "meetdeck-forks").values()
    workers = installation.list_workers()
    forks.kill()
    assert httpx.get(f"{address}/health/live").status_code == 200
    for victim in workers:  # which are no longer below the supervisor, but watched
        victim.kill()
    wait_until(lambda: serves(installation, address, without=0))


def test_workers_share_what_was_loaded(served: tuple[Installation, str]) -> None:
    own = [worker.memory_full_info().uss / 1e6 for worker in list_workers(served[0]).values()]
    assert max(own) < 55, own  # 61 with routes of its own, 122 with code of its own


def test_the_background_work_is_done_by_a_process_that_gives_way_to_those_that_serve(
    served: tuple[Installation, str],
) -> None:
    installation, address = served
    wait_until(lambda: works_in_the_background(installation, address))
    [background] = list_workers(installation, "meetdeck-worker").values()
    own = psutil.Process().nice()
    assert background.nice() == own + 10
    assert {worker.nice() for worker in list_workers(installation).values()} == {own}
    background.kill()
    wait_until(lambda: works_in_the_background(installation, address, without=background.pid))


_HANGING = """
import re, signal

def loop(*_):
    while True: pass

signal.signal(signal.SIGUSR1, lambda *_: re.match("(a+)+$", "a" * 64 + "b"))
signal.signal(signal.SIGUSR2, loop)
"""
"""Programs that make a process hang: a loop in C that keeps the interpreter's lock, and one in Python."""


@pytest.mark.thorough
def test_a_hang_up_takes_new_settings_and_leaves_wrong_ones_out(tmp_path: Path) -> None:
    file = tmp_path / "meetdeck.env"
    file.write_text("MEETDECK_METRICS=true", encoding="utf-8")
    with install() as installation:
        installation.settings["MEETDECK_SETTINGS_FILE"] = str(file)
        address = installation.start("--workers", str(WORKERS), "--demo-data")
        assert installation.process is not None
        assert httpx.get(f"{address}/metrics").status_code == 200
        file.write_text("MEETDECK_METRICS=false", encoding="utf-8")
        installation.process.send_signal(signal.SIGHUP)
        wait_until(lambda: count_restarts(installation) == 1)
        assert httpx.get(f"{address}/metrics").status_code == 404
        workers = list_workers(installation)
        for wrong, words in (
            ("MEETDECK_METRICS=perhaps", "new settings are wrong: the old ones stay"),
            ("MEETDECK_STORAGE_URL=file:///no/such/folder", "a new worker cannot be started: the old ones go on"),
        ):
            file.write_text(wrong, encoding="utf-8")
            installation.process.send_signal(signal.SIGHUP)
            wait_until(lambda words=words: words in read_log(installation))
            assert list_workers(installation).keys() == workers.keys()
        workers[min(workers)].kill()
        wait_until(lambda: serves(installation, address, without=min(workers)))
        assert httpx.get(f"{address}/metrics").status_code == 404


@pytest.mark.thorough
def test_workers_that_hang_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(_HANGING, encoding="utf-8")
    with install() as installation:
        installation.settings |= {"MEETDECK_WORKER_PROCESS": "true", "PYTHONPATH": str(tmp_path)}
        address = installation.start("--workers", str(WORKERS), "--demo-data")
        wait_until(lambda: works_in_the_background(installation, address))
        first, second = list_workers(installation).values()
        (background,) = list_workers(installation, "meetdeck-worker").values()
        first.suspend()
        second.send_signal(signal.SIGUSR1)
        background.send_signal(signal.SIGUSR2)
        hung = {first.pid, second.pid, background.pid}
        wait_until(
            lambda: len({*list_workers(installation), *list_workers(installation, "meetdeck-worker")} - hung) == 3,
            seconds=2 * LONGEST_SECONDS,  # beside others that take the processors
        )
        wait_until(lambda: serves(installation, address, without=first.pid))
        assert read_metric(address, "meetdeck_worker_hangs_total") == 3
        assert read_log(installation).count("a worker hangs and is killed") == 3
        wait_until(lambda: works_in_the_background(installation, address, without=background.pid))


def test_a_supervisor_that_is_killed_leaves_nobody_behind(served: tuple[Installation, str]) -> None:
    installation, address = served
    draw(installation, address)
    started = installation.descendants()
    workers = [*list_workers(installation).values(), *list_workers(installation, "meetdeck-worker").values()]
    assert installation.process is not None
    psutil.Process(installation.process.pid).suspend()
    time.sleep(2)  # a worker beats each second: it is killed with beats that it has not read
    assert installation.stop(signal.SIGKILL) == -signal.SIGKILL
    assert not psutil.wait_procs(workers, timeout=60)[1]
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{address}/health/live")
    offices = [process for process, name in started.items() if name != "postgres"]
    assert not psutil.wait_procs(offices, timeout=60)[1]


@pytest.mark.thorough
def test_what_a_worker_lacks_is_one_line_and_a_signal_ends_all(served: tuple[Installation, str]) -> None:
    installation, _ = served
    if installation.process is not None:
        installation.stop()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(installation.settings, "MEETDECK_OFFICE_PYTHON", sys.executable)
        ended = installation.command("serve", "--port", "0", "--workers", "2")
    assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1), ended.stderr
    assert "import uno" in ended.stderr
    installation.start("--workers", "2", "--demo-data")
    started = installation.descendants()
    assert "postgres" in started.values()
    assert installation.stop(signal.SIGTERM) == 0
    assert not psutil.wait_procs(started, timeout=60)[1]


@pytest.mark.thorough
def test_one_process_that_serves_is_watched_and_replaced_on_request_too(served: tuple[Installation, str]) -> None:
    installation, _ = served
    if installation.process is not None:
        installation.stop()
    address = installation.start("--demo-data")
    assert installation.process is not None
    [first] = list_workers(installation)
    installation.process.send_signal(signal.SIGHUP)
    wait_until(lambda: count_restarts(installation) == 1)
    [second] = list_workers(installation).values()
    assert second.pid != first
    second.suspend()
    wait_until(lambda: second.pid not in list_workers(installation), seconds=2 * LONGEST_SECONDS)
    wait_until(lambda: len(list_workers(installation)) == 1)
    assert httpx.get(f"{address}/health/live", timeout=LONGEST_SECONDS).status_code == 200
    wait_until(lambda: works_in_the_background(installation, address))
    started = [*list_workers(installation).values(), *list_workers(installation, "meetdeck-worker").values()]
    assert installation.stop() == 0
    assert not psutil.wait_procs(started, timeout=60)[1]


@pytest.mark.thorough
def test_a_process_without_others_that_gets_a_hang_up_says_what_it_takes_and_goes_on(
    served: tuple[Installation, str],
) -> None:
    installation, _ = served
    if installation.process is not None:
        installation.stop()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(installation.settings, "MEETDECK_WORKER_PROCESS", "false")
        address = installation.start("--demo-data")
    assert installation.process is not None
    installation.process.send_signal(signal.SIGHUP)
    wait_until(lambda: "MEETDECK_WORKER_PROCESS=true" in read_log(installation))
    assert httpx.get(f"{address}/health/live").status_code == 200
    assert installation.stop() == 0
