"""The cost of the work after a booking, from event to mail: `python benchmarks/after_booking.py [--bookings 100]`.

Statements and processor time of this process, which routes the event and sends the mail as the worker does, in both
ways: to a mail server, which is another process, and into the mailbox of the test environment, which is a statement.
The time of the database is not counted. The floor is the time of the same statements sent by asyncpg alone, with the
same values, and of a mail as long written to the server's socket, over a connection that is open, with nothing in
between. On a machine that others use too, compare the least of runs of two versions, one after the other, or count
instructions (docs/decisions/0245).
"""

import argparse
import asyncio
import logging
import multiprocessing
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing, asynccontextmanager, contextmanager
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import structlog
import uvloop

from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.migrations import migrate
from meetdeck.platform.database import Database
from meetdeck.present.render.renderer import MissingRenderer
from meetdeck.services import Services

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from support.factories import TUESDAY_AT_TEN, Api, make_services
from support.fakes import MONDAY_MORNING, HandClock
from support.meetings import book
from support.smtp_servers import open_inbox
from support.statements import logged_statements, watched_connections

GOALS = "12 statements and 2.5 ms with one mail"
WARMING = 15
_SENT = "select mark_sent("
_REPLAYS = 200
_MAIL = b"Subject: x\r\n" + (b"x" * 76 + b"\r\n") * 160
"""A body as long as the mail of a booking."""


class Cost(NamedTuple):
    """The ms of routing an event and of sending the mails."""

    routing: float
    sending: float


class Bench:
    """Bookings of one advisor, each at another time, and what follows them."""

    def __init__(self, api: Api, services: Services, clock: HandClock) -> None:
        self._api, self._services, self._clock = api, services, clock
        self._bookings = 0

    async def book(self) -> None:
        """Book an hour; the firm's calendar of one year has room for 250."""
        week, hour = divmod(self._bookings, 5)
        self._bookings += 1
        begin = TUESDAY_AT_TEN + timedelta(weeks=week + 1, hours=hour)
        await book(self._api, startDate=begin.isoformat(), endDate=(begin + timedelta(hours=1)).isoformat())

    async def follow(self) -> Cost:
        """Do what follows, and measure it."""
        begun = time.process_time()
        await self._services.routing.route(self._clock())
        routed = time.process_time()
        await self._services.jobs.run_due(self._clock)
        return Cost(1000 * (routed - begun), 1000 * (time.process_time() - routed))

    async def count(self) -> tuple[int, int]:
        """Return the statements that follow one booking, and the mails among them."""
        await self.book()
        with logged_statements(self._services.database) as statements:
            await self.follow()
        return len(statements), sum(_SENT in one for one in statements)

    async def find_floor(self, port: int | None) -> float:
        """Return the least ms of sending the statements that follow one booking, and a mail, and nothing else."""
        loans: list[tuple[bool, list[Any]]] = []

        @asynccontextmanager
        async def watch(connection: Any) -> AsyncGenerator[None]:
            loans.append((connection.is_in_transaction(), []))
            with connection.query_logger(loans[-1][1].append):
                yield

        await self.book()
        with watched_connections(self._services.database, watch):
            await self.follow()
        costs: list[float] = []
        mail_server = await greet(port) if port is not None else None
        async with self._services.database.outside_tenants() as connection:
            for _ in range(_REPLAYS):
                begun = time.process_time()
                for is_transaction, statements in loans:
                    if is_transaction:
                        await connection.execute(f"begin; {_TENANT.format(self._api.firm.tenant_id)}")
                    for one in statements:
                        await connection.fetch(one.query, *one.args)
                    if is_transaction:
                        await connection.execute("commit")
                if mail_server is not None:
                    await send_bare(*mail_server)
                costs.append(time.process_time() - begun)
        if mail_server is not None:
            mail_server[1].close()
        return 1000 * min(costs)


_TENANT = "select set_config('meetdeck.tenant', '{}', true)"


async def greet(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return a connection to a mail server, which expects a mail."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await reader.readline()
    writer.write(b"HELO localhost\r\n")
    await reader.readline()
    return reader, writer


async def send_bare(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send a mail, reading each answer."""
    addresses = (b"MAIL FROM:<a@nordlys.example>", b"RCPT TO:<b@nordlys.example>")
    for sent in (*addresses, b"DATA", _MAIL + b"."):
        writer.write(sent + b"\r\n")
        await reader.readline()


@contextmanager
def running_mail_server() -> Generator[int]:
    """Run a mail server in another process, whose processor time is its own; lend its port."""
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve_mail, args=(there,), daemon=True)
    server.start()
    try:
        yield here.recv()
    finally:
        server.kill()
        server.join()


def serve_mail(to_parent: Connection) -> None:
    """Accept mails until the process is killed; send the port."""

    async def serve() -> None:
        async with open_inbox() as inbox:
            to_parent.send(inbox.port)
            await asyncio.Event().wait()

    asyncio.run(serve())


async def measure(bookings: int, way: str, port: int | None = None) -> None:
    """Print the statements of one booking, and the processor time of several."""
    settings = {} if port is None else {"smtp_url": f"smtp://127.0.0.1:{port}"}
    place = tempfile.TemporaryDirectory(prefix="meetdeck-bench-", dir="/dev/shm", ignore_cleanup_errors=True)
    clock = HandClock(MONDAY_MORNING)
    with place as folder, EmbeddedPostgres(Path(folder) / "postgres") as endpoint:
        await migrate(endpoint.owner)
        async with (
            Database(endpoint.app, connections=8) as database,
            aclosing(make_services(database, clock, Path(folder), MissingRenderer(), **settings)) as services,
            Api.open(services) as api,
        ):
            bench = Bench(api, services, clock)
            costs: list[Cost] = []
            for number in range(WARMING + bookings):
                await bench.book()
                cost = await bench.follow()
                costs += [cost] if number >= WARMING else []
            statements, mails = await bench.count()
            floor = await bench.find_floor(port)
    routing, sending = median(one.routing for one in costs), median(one.sending for one in costs)
    print(f"{way}: {statements} statements with {mails} mail(s), the two looks for jobs included")
    print(f"ms of processor time: routing {routing:.2f}, mails {sending:.2f}; least {min(map(sum, costs)):.2f}")
    print(f"floor: {floor:.2f}, the same statements and mail alone")


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bookings", type=int, default=100)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    bookings = parser.parse_args().bookings
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner, running_mail_server() as port:
        runner.run(measure(bookings, "mail server", port))
        runner.run(measure(bookings, "kept"))
    print(f"goal: {GOALS}")


if __name__ == "__main__":
    main()
