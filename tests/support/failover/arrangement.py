"""Two machines that serve from a cluster, what they send to, and what was sent."""

import json
from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from email.utils import parseaddr
from signal import SIGTERM
from typing import Final

import httpx
import psutil

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Address, Connection
from meetdeck.platform.process.threads import run_in_thread
from support.failover.callers import Callers, FeedReader
from support.failover.machines import Cluster, Network, run_balancer
from support.installation import Installation, install
from support.receivers import Receiver, open_receiver
from support.servers import accept, call
from support.smtp_servers import Inbox, open_inbox

OWNER, APP, PASSWORD = "meetdeck_owner", "meetdeck_app", "secret"
_ALL: Final = "{DB1}:5432,{DB2}:5432,{DB3}:5432"
WAYS: Final = {
    "by HAProxy": ("{LOCAL}:5433/meetdeck?sslmode=require", "{LOCAL}:5434/meetdeck?sslmode=require"),
    "by addresses": (
        _ALL + "/meetdeck?sslmode=require&target_session_attrs=read-write",
        _ALL + "/meetdeck?sslmode=require&target_session_attrs=standby",
    ),
}
"""The ways from a machine that serves to the primary and to a standby, as in the addresses of databases."""
_ROLES: Final = (
    f"create role {OWNER} login password '{PASSWORD}'",
    f"create role {APP} login password '{PASSWORD}'",
    f"create database meetdeck owner {OWNER} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C.UTF-8'",
    "revoke all on database meetdeck from public",
    f"grant connect on database meetdeck to {APP}",
)  # as in docs/operations/database.md
_PLAIN: Final = {":443 ssl crt /etc/haproxy/meetdeck.pem alpn h2,http/1.1": ":8000"}
"""Callers without TLS: it would take a part of the processors that the callers need."""


@dataclass
class Arrangement:
    """The machines, the callers, and what came of their bookings."""

    way: str
    network: Network
    cluster: Cluster
    balancers: list[psutil.Process]
    machines: list[Installation]
    inbox: Inbox
    receiver: Receiver
    callers: Callers
    feed: FeedReader
    http: httpx.AsyncClient
    """A caller who holds times."""
    _deliveries: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    _mails: Counter[str] = field(default_factory=Counter[str])

    @classmethod
    @asynccontextmanager
    async def run(cls, way: str, a_second: float, source: str = "") -> AsyncGenerator["Arrangement"]:
        """Run everything until the block ends; `source` is where Python finds another version of Meetdeck."""
        async with AsyncExitStack() as stack:
            network = stack.enter_context(Network.make())
            cluster = stack.enter_context(Cluster.run(network))
            await _make_database(cluster)
            files: dict[str, dict[str, str]] = {"haproxy-database.cfg": {}, "haproxy-api.cfg": _PLAIN}
            balancers = [stack.enter_context(run_balancer(network, file, moves)) for file, moves in files.items()]
            inbox = await stack.enter_async_context(open_inbox())
            receiver = await stack.enter_async_context(open_receiver())
            settings = _write_settings(network, way, inbox, receiver) | ({"PYTHONPATH": source} if source else {})
            machines = _install(stack, settings)
            for number, machine in enumerate(machines, start=1):
                await run_in_thread(start, network, machine, number, "--migrate", "--demo-data")
            front = f"http://{network.addresses['FRONT']}:8000"
            admin = await stack.enter_async_context(call(machines[0], front, is_elevated=True))
            http = await stack.enter_async_context(call(machines[0], front))
            hook = {"url": receiver.url, "types": ["meeting.created"], "description": "Failover"}
            accept(await admin.post(f"{front}/api/v3/events/webhooks", json=hook))
            feed = await stack.enter_async_context(FeedReader.run(front, _take_credentials(admin)))
            callers = Callers(front, _take_credentials(http), a_second)
            stack.callback(callers.close)
            yield cls(way, network, cluster, balancers, machines, inbox, receiver, callers, feed, http)

    def count_deliveries(self) -> Counter[tuple[str, str]]:
        """Return how often each delivery came by webhook, by its meeting's id and its own."""
        while self.receiver.received:
            request = self.receiver.received.pop()
            meeting = str(json.loads(request.body)["subject"]).removeprefix("meetings/")
            self._deliveries[meeting, request.headers["webhook-id"]] += 1
        return self._deliveries

    def count_mails(self) -> Counter[str]:
        """Return how many mails came to each address."""
        while self.inbox.mails:
            self._mails[parseaddr(str(self.inbox.mails.pop()["To"]))[1]] += 1
        return self._mails

    def measure_processor(self) -> dict[tuple[str, int], float]:
        """Return the seconds of processor time that each process has taken, by its part and id."""
        machines = [process for node in self.cluster.nodes for process in node.list_processes()]
        serving = [process for machine in self.machines for process in machine.descendants()]
        serving += [psutil.Process(machine.process.pid) for machine in self.machines if machine.process is not None]
        parts = {"databases": machines, "Meetdeck": serving, "balancers": self.balancers, "callers": [psutil.Process()]}
        taken: dict[tuple[str, int], float] = {}
        for part, processes in parts.items():
            for process in processes:
                with suppress(psutil.NoSuchProcess):
                    times = process.cpu_times()
                    taken[part, process.pid] = times.user + times.system
        return taken

    @asynccontextmanager
    async def connect(self) -> AsyncGenerator[Connection]:
        """Lend a connection to the primary, which sees the firm's rows."""
        connection = await _address(self.cluster, APP, PASSWORD).connect()
        try:
            await connection.execute("select set_config('meetdeck.tenant', $1, false)", str(NORDLYS.tenant_id))
            yield connection
        finally:
            await connection.close()


def start(network: Network, machine: Installation, number: int, *first: str) -> None:
    """Start a machine at its address; `first` are the arguments of its first start."""
    until = "`make demo`" if first else "serves on"
    machine.start("--host", network.addresses[f"API{number}"], *first, until=until, port=8080)


def _install(stack: AsyncExitStack, settings: Mapping[str, str]) -> list[Installation]:
    machines = [stack.enter_context(install()) for _ in range(2)]
    for number, machine in enumerate(machines, start=1):
        machine.settings |= settings
        machine.data_dir = machines[0].data_dir  # the keys of a test installation are there
        machine.log_name = f"api{number}.log"
        stack.callback(stop, machine)
    return machines


def _write_settings(network: Network, way: str, inbox: Inbox, receiver: Receiver) -> dict[str, str]:
    primary, standby = (part.format(**network.addresses) for part in WAYS[way])
    return {
        "MEETDECK_PUBLIC_URL": f"http://{network.addresses['FRONT']}:8000",
        "MEETDECK_TRUSTED_PROXIES": "127.0.0.1",
        "MEETDECK_DRAIN_SECONDS": "5",  # as in production
        "MEETDECK_DATABASE_URL": f"postgresql://{APP}:{PASSWORD}@{primary}",
        "MEETDECK_DATABASE_OWNER_URL": f"postgresql://{OWNER}:{PASSWORD}@{primary}",
        "MEETDECK_DATABASE_READ_URL": f"postgresql://{APP}:{PASSWORD}@{standby}",
        "MEETDECK_DATABASE_READ_LAG": "2",
        "MEETDECK_OUTGOING_ALLOW": receiver.host,
        "MEETDECK_SMTP_URL": f"smtp://127.0.0.1:{inbox.port}",
    }


async def _make_database(cluster: Cluster) -> None:
    superuser = await _address(cluster, "postgres", "postgres-secret", "postgres").connect()
    for statement in _ROLES:
        await superuser.execute(statement)
    await superuser.close()


def _address(cluster: Cluster, user: str, password: str, database: str = "meetdeck") -> Address:
    return Address(cluster.get_primary().address, 5432, user, password, database, sslmode="require")


def _take_credentials(http: httpx.AsyncClient) -> dict[str, str]:
    return {name: http.headers[name] for name in ("Authorization", "Ocp-Apim-Subscription-Key")}


def stop(machine: Installation) -> None:
    """End a machine's service, if it runs, as systemd does."""
    if machine.process is not None:
        assert machine.stop(SIGTERM) == 0
