"""`meetdeck serve` beside a silent database: callers are answered within the deadline, and soon served again."""

import asyncio
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from signal import SIGTERM

import pytest

from meetdeck.forking import STOP_SECONDS
from meetdeck.platform.process.threads import run_in_thread
from support.clusters import APP, OWNER, Cluster, run_primary, run_standby
from support.forwarders import Forwarder
from support.installation import Installation
from support.steady_callers import Callers

pytestmark = pytest.mark.thorough

DEADLINE_SECONDS = 10.0  # the default of MEETDECK_DATABASE_DEADLINE
READY_SECONDS = 2.0
RECOVERY_SECONDS = 5.0
NOISE_SECONDS = 1.0  # of a machine with other work


@pytest.fixture
def primary() -> Generator[Cluster]:
    """Lend an empty server."""
    with run_primary() as primary:
        yield primary


async def start(installation: Installation, primary: Cluster, *, port: int | None = None) -> str:
    """Serve from the server, perhaps by way of another port; return the address."""
    installation.settings |= {
        "MEETDECK_DATABASE_URL": replace(primary, port=port or primary.port).url(APP),
        "MEETDECK_DATABASE_OWNER_URL": primary.url(OWNER),
    }
    return await run_in_thread(installation.start, "--migrate", "--demo-data")


@asynccontextmanager
async def calling(installation: Installation, address: str, *kinds: str) -> AsyncGenerator[Callers]:
    """Call for a while before the block and after it; nothing may end in a 500, or without an answer."""
    async with Callers.run(installation, address, *kinds) as callers:
        await asyncio.sleep(3)
        yield callers
        await asyncio.sleep(RECOVERY_SECONDS + 3)
    assert {answer.status for answer in callers.answers} <= {200, 201, 503}, read_log(installation)
    assert {answer.code for answer in callers.answers if answer.status == 503} <= {"database_unavailable", "not_ready"}


class Span:
    """A span of time in which the database is silent."""

    begun = 0.0
    ended = 0.0


@contextmanager
def noting() -> Generator[Span]:
    """Note when the block began and ended."""
    span = Span()
    span.begun = time.monotonic()
    yield span
    span.ended = time.monotonic()


def read_log(installation: Installation) -> str:
    return (installation.data_dir.parent / "serve.log").read_text(encoding="utf-8")


def require_refused_in_time(callers: Callers, span: Span) -> None:
    """Check what callers got while the database was silent, and when `/health/ready` said so."""
    assert callers.count(span.begun, span.ended)[503] > 20
    assert callers.longest(span.begun, span.ended) < DEADLINE_SECONDS + NOISE_SECONDS
    assert callers.longest(span.begun, span.ended, "ready") < READY_SECONDS
    answers = callers.asked(span.begun, span.ended, "ready")
    told_at = min(answer.answered_at for answer in answers if answer.status == 503)
    assert told_at - span.begun < READY_SECONDS + NOISE_SECONDS


def require_recovery(callers: Callers, since: float, *kinds: str) -> None:
    """Check that whoever asks five seconds later is served."""
    for kind in kinds or callers.kinds:
        after = callers.count(since + RECOVERY_SECONDS, since + RECOVERY_SECONDS + 3, kind)
        assert after.keys() <= {200, 201}, (kind, after)
        assert after.total() > 3


async def test_a_stopped_database_is_told_of_and_used_again_by_itself(
    installation: Installation, primary: Cluster
) -> None:
    address = await start(installation, primary)
    async with calling(installation, address) as callers:
        with noting() as span, primary.silent():
            await asyncio.sleep(DEADLINE_SECONDS + 2)
    require_refused_in_time(callers, span)
    require_recovery(callers, span.ended)
    assert 1 <= read_log(installation).count('"event":"database unavailable"') <= 5


async def test_a_server_that_waits_for_a_silent_database_ends_when_it_is_told_to(
    installation: Installation, primary: Cluster
) -> None:
    address = await start(installation, primary)
    async with Callers.run(installation, address, "book", "read") as callers:
        await asyncio.sleep(2)
        with primary.silent():
            await asyncio.sleep(3)
            begun = time.monotonic()
            assert await run_in_thread(installation.stop, SIGTERM) == 0
            assert time.monotonic() - begun < STOP_SECONDS, "a supervisor kills what takes longer"
    assert callers.answers


async def test_commits_that_wait_for_a_lost_standby_are_given_up_until_nobody_waits_for_it(
    installation: Installation, primary: Cluster
) -> None:
    with run_standby(primary) as standby:
        address = await start(installation, primary)
        async with calling(installation, address) as callers:
            with primary.waiting_for("*"), noting() as span:
                await asyncio.sleep(1)
                standby.stop("immediate")
                span.begun = time.monotonic()
                await asyncio.sleep(DEADLINE_SECONDS + 2)
        require_refused_in_time(callers, span)
        require_recovery(callers, span.ended)


async def test_that_a_standby_is_lost_is_told_when_callers_are_few(
    installation: Installation, primary: Cluster
) -> None:
    """Reading works then, and a booking an hour waits for its deadline; the background work writes all the time."""
    await start(installation, primary)
    async with Callers.run(installation, installation.address, "ready", a_second=4) as callers:
        with primary.waiting_for("nobody"), noting() as span:
            await asyncio.sleep(8)
        await asyncio.sleep(4)
    assert callers.count(span.begun, span.ended)[503] > 5, read_log(installation)
    assert callers.count(span.ended + 2, span.ended + 4).keys() == {200}


@pytest.mark.parametrize("kinds", [("book", "search", "read", "ready"), ("book",), ("read",)])
async def test_connections_that_went_silent_are_replaced_though_nothing_tells_that_they_are(
    installation: Installation, primary: Cluster, kinds: tuple[str, ...]
) -> None:
    async with Forwarder.run(primary.port) as forwarder:
        address = await start(installation, primary, port=forwarder.port)
        async with calling(installation, address, *kinds) as callers:
            with noting() as span:
                assert forwarder.silence() > 0
        require_recovery(callers, span.begun)
        assert await run_in_thread(installation.stop, SIGTERM) == 0


async def test_searches_go_on_from_the_standby_while_there_is_no_primary(
    installation: Installation, primary: Cluster
) -> None:
    with run_standby(primary) as standby:
        installation.settings |= {"MEETDECK_DATABASE_READ_URL": standby.url(APP), "MEETDECK_DATABASE_READ_LAG": "2"}
        address = await start(installation, primary)
        async with calling(installation, address) as callers:
            with noting() as silent, primary.silent():
                await asyncio.sleep(DEADLINE_SECONDS + 2)
            await asyncio.sleep(RECOVERY_SECONDS + 3)
            with noting() as gone:
                primary.stop("immediate")
                await asyncio.sleep(5)
                primary.start()
        for span in (silent, gone):
            assert callers.count(span.begun, span.ended, "search").keys() == {200}
            assert callers.count(span.begun, span.ended, "book")[503] > 5
            assert callers.longest(span.begun, span.ended, "search") < READY_SECONDS + NOISE_SECONDS
            require_recovery(callers, span.ended)
