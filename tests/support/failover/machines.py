"""Three database machines on one, each at an address of its own: etcd, Patroni and PostgreSQL by deploy/ha."""

import os
import pwd
import random
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import httpx
import psutil
import yaml

from support.certificates import make_certificate
from support.databases import find_room

DEPLOY: Final = Path(__file__).parents[3] / "deploy/ha"
NODES: Final = ("db1", "db2", "db3")
_SECONDS: Final = 90.0
_ACCOUNT: Final = "postgres"
_PROGRAMS: Final = {
    "etcd": "/usr/bin/etcd",
    "haproxy": "/usr/sbin/haproxy",
    "PostgreSQL 15": "/usr/lib/postgresql/15/bin/postgres",
}
_PASSWORDS: Final = {
    "PATRONI_PASSWORD": "patroni-secret",
    "POSTGRES_PASSWORD": "postgres-secret",
    "REPLICATION_PASSWORD": "replication-secret",
}


def find_patroni() -> Path:
    """Return the path of Patroni: MEETDECK_PATRONI, else where docs/operations/high-availability.md installs it."""
    return Path(os.environ.get("MEETDECK_PATRONI", "/opt/patroni/bin/patroni"))


def find_missing() -> str | None:
    """Return what this machine lacks for deploy/ha, None if it has everything."""
    missing = [name for name, path in _PROGRAMS.items() if not Path(path).exists()]
    missing += [] if find_patroni().exists() else ["Patroni (/opt/patroni, or MEETDECK_PATRONI)"]
    missing += [] if os.geteuid() == 0 else ["root, which starts PostgreSQL as its own account"]
    named = ", ".join(missing)
    return f"not here: {named}; docs/operations/high-availability.md installs them" if missing else None


class Network:
    """Addresses of this machine, each of which stands for another machine; a run has its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._prefix = f"127.{random.randint(10, 250)}.{random.randint(1, 250)}"  # noqa: S311 - no secret
        last = {"DB1": 11, "DB2": 12, "DB3": 13, "API1": 21, "API2": 22, "LOCAL": 30, "FRONT": 40}
        self.addresses = {name: f"{self._prefix}.{number}" for name, number in last.items()}

    @classmethod
    @contextmanager
    def make(cls) -> Generator["Network"]:
        """Lend addresses, and a folder for what the machines keep."""
        place = tempfile.TemporaryDirectory(prefix="meetdeck-ha-", dir=find_room(), ignore_cleanup_errors=True)
        with place as folder:
            Path(folder).chmod(0o711)  # whoever runs the databases walks through
            yield cls(Path(folder))

    def fill(self, file: str, moves: Mapping[str, str], **values: str) -> str:
        """Return a file of deploy/ha, filled in as an operator does, with some texts, such as folders, replaced."""
        environment = {"PATH": os.environ["PATH"]} | self.addresses | _PASSWORDS | values
        command = [DEPLOY / "fill.sh", file]
        filled = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout  # noqa: S603
        for text, replacement in moves.items():
            assert text in filled, f"{file} has no {text}"
            filled = filled.replace(text, replacement)
        return filled


class Node:
    """A machine with etcd, Patroni and PostgreSQL."""

    def __init__(self, network: Network, name: str) -> None:
        self.name = name
        self.address = network.addresses[name.upper()]
        self.folder = network.folder / name
        self._started: list[subprocess.Popen[Any]] = []
        self._frozen: list[psutil.Process] = []
        account = pwd.getpwnam(_ACCOUNT)
        self._as_account: dict[str, Any] = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": ()}
        self.folder.mkdir()
        make_certificate(self.folder)
        moves = {
            "/var/lib/postgresql/15/meetdeck": f"{self.folder}/data",
            "/var/lib/postgresql/patroni.pgpass": f"{self.folder}/pgpass",
            "/etc/patroni/server.crt": f"{self.folder}/certificate.pem",
            "/etc/patroni/server.key": f"{self.folder}/key.pem",
            "/run/postgresql": str(self.folder),
        }
        own = {"NODE": name, "ADDRESS": self.address}
        self.settings = self.folder / "patroni.yml"
        self.settings.write_text(network.fill("patroni.yml", moves, **own), encoding="utf-8")
        etcd = network.fill("etcd.env", {"/var/lib/etcd/meetdeck": f"{self.folder}/etcd"}, **own)
        lines = [line for line in etcd.splitlines() if not line.startswith("#")]
        self._etcd = dict(line.split("=", 1) for line in lines)
        (self.folder / "key.pem").chmod(0o600)
        for path in (self.folder, *self.folder.iterdir()):
            os.chown(path, account.pw_uid, account.pw_gid)

    def start(self) -> None:
        """Start the machine, as systemd does after a start or a crash."""
        # etcd would have a processor of its own; here it shares two with everything else.
        self._run(
            ["nice", "-n", "-10", "setpriv", "--reuid", _ACCOUNT, "--regid", _ACCOUNT, "--clear-groups", "etcd"],
            "etcd",
            self._etcd,
        )
        self._run([str(find_patroni()), str(self.settings)], "patroni", {}, **self._as_account)

    def _run(self, command: list[str], log: str, settings: Mapping[str, str], **account: Any) -> None:
        with (self.folder / f"{log}.log").open("a") as output:
            environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **settings}
            self._started.append(
                subprocess.Popen(  # noqa: S603 - the system's programs
                    command, env=environment, stdout=output, stderr=output, cwd="/", start_new_session=True, **account
                )
            )

    def kill(self) -> None:
        """Kill every process at once, as a machine dies."""
        self.freeze()  # so that none sees another die
        for process in self._frozen:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self._frozen = []
        for started in self._started:
            started.wait()
        self._started = []

    def freeze(self) -> None:
        """Stop every process: connections stay open and nothing answers, as if the machine was unplugged."""
        self._frozen = self.list_processes()
        for process in self._frozen:
            with suppress(psutil.NoSuchProcess):
                process.suspend()

    def thaw(self) -> None:
        """Resume every process, as if the machine was plugged in again."""
        for process in self._frozen:
            with suppress(psutil.NoSuchProcess):
                process.resume()
        self._frozen = []

    def list_processes(self) -> list[psutil.Process]:
        """Return Patroni, etcd, PostgreSQL and everything that they started."""
        roots = [started.pid for started in self._started]
        with suppress(FileNotFoundError):
            roots.append(int((self.folder / "data/postmaster.pid").read_text(encoding="utf-8").split()[0]))
        found: list[psutil.Process] = []
        for pid in roots:
            with suppress(psutil.NoSuchProcess):
                root = psutil.Process(pid)
                found += [root, *root.children(recursive=True)]
        return found

    def answers(self, path: str) -> bool:
        """Return whether Patroni answers 200 to a question such as `/primary`."""
        try:
            return httpx.get(f"http://{self.address}:8008{path}", timeout=2).is_success
        except httpx.TransportError:
            return False

    def read_logs(self) -> str:
        """Return the ends of the machine's logs."""
        return "\n".join(f"{path}:\n{path.read_text()[-3000:]}" for path in self.folder.glob("*.log"))


class Cluster:
    """The three machines."""

    def __init__(self, network: Network) -> None:
        self.nodes = [Node(network, name) for name in NODES]

    @classmethod
    @contextmanager
    def run(cls, network: Network) -> Generator["Cluster"]:
        """Run the machines until the block ends; they are ready when two standbys follow a primary."""
        cluster = cls(network)
        with ExitStack() as stack:
            for node in cluster.nodes:
                stack.callback(node.kill)
                node.start()
            cluster.wait_until_whole()
            yield cluster

    def find_primary(self) -> Node | None:
        """Return the primary, if there is one."""
        return next((node for node in self.nodes if node.answers("/primary")), None)

    def get_primary(self) -> Node:
        """Return the primary."""
        node = self.find_primary()
        assert node is not None, self.read_logs()
        return node

    def wait_until_whole(self) -> None:
        """Wait until there is a primary with a synchronous and another standby, both streaming."""
        self._wait_for(self._is_whole)

    def _is_whole(self) -> bool:
        states = sorted((member["role"], member["state"]) for member in self._list_members())
        return states == [("leader", "running"), ("replica", "streaming"), ("sync_standby", "streaming")]

    def _list_members(self) -> list[dict[str, Any]]:
        """Return the nodes as the primary sees them."""
        primary = self.find_primary()
        if primary is None:
            return []
        with suppress(httpx.TransportError):
            return httpx.get(f"http://{primary.address}:8008/cluster", timeout=2).json()["members"]
        return []

    def switch_over(self) -> Node:
        """Ask for a switchover to the synchronous standby, as an operator does; return the new primary."""
        primary = self.get_primary()
        (synchronous,) = (member["name"] for member in self._list_members() if member["role"] == "sync_standby")
        standby = next(node for node in self.nodes if node.name == synchronous)
        program = find_patroni().with_name("patronictl")
        scope = yaml.safe_load(primary.settings.read_text(encoding="utf-8"))["scope"]
        nodes = ["--leader", primary.name, "--candidate", standby.name, scope]
        command = [program, "-c", primary.settings, "switchover", "--force", *nodes]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - the system's
        assert done.returncode == 0, done.stdout + done.stderr
        return standby

    def read_logs(self) -> str:
        """Return the ends of all logs."""
        return "\n".join(node.read_logs() for node in self.nodes)

    def _wait_for(self, condition: Callable[[], bool]) -> None:
        until = time.monotonic() + _SECONDS
        while not condition():
            assert time.monotonic() < until, self.read_logs()
            time.sleep(0.2)


@contextmanager
def run_balancer(network: Network, file: str, moves: Mapping[str, str]) -> Generator[psutil.Process]:
    """Lend HAProxy with a file of deploy/ha until the block ends."""
    path = network.folder / file
    path.write_text(network.fill(file, moves), encoding="utf-8")
    program = shutil.which("haproxy", path="/usr/sbin") or "haproxy"
    subprocess.run([program, "-c", "-q", "-f", path], check=True)  # noqa: S603 - the system's
    with path.with_suffix(".log").open("w") as log:
        balancer = subprocess.Popen([program, "-db", "-f", path], stdout=log, stderr=log)  # noqa: S603 - the system's
    try:
        yield psutil.Process(balancer.pid)
    finally:
        balancer.send_signal(signal.SIGTERM)
        balancer.wait(10)
