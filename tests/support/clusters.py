"""PostgreSQL servers that a test controls itself: a primary that lets others follow it, and a hot standby."""

import os
import socket
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from tempfile import TemporaryDirectory

from meetdeck.embedded_postgres.account import Account, account_for
from meetdeck.embedded_postgres.binaries import Binaries, get_binaries, reachable_binaries
from meetdeck.platform.database import Address
from support.databases import find_room

OWNER, APP = "meetdeck_owner", "meetdeck_app"
_PATIENCE_SECONDS = 30.0
_OPTIONS = {
    "fsync": "off",
    "timezone": "UTC",
    "wal_level": "replica",
    "max_wal_senders": "4",
    "hot_standby": "on",
    "shared_buffers": "32MB",
    "unix_socket_directories": "",
    "listen_addresses": "127.0.0.1",
    "wal_retrieve_retry_interval": "100ms",
    "max_standby_streaming_delay": "0",
    "jit": "off",
}


@dataclass
class Cluster:
    """A data folder and its server, on a port of this machine; it trusts every connection."""

    binaries: Binaries
    account: Account
    folder: Path
    port: int

    def address(self, user: str, database: str = "meetdeck") -> Address:
        return Address("127.0.0.1", self.port, user, "unasked", database, sslmode="disable")

    def url(self, user: str) -> str:
        return f"postgresql://{user}:unasked@127.0.0.1:{self.port}/meetdeck?sslmode=disable"

    def start(self) -> None:
        options = " ".join(f"-c {name}='{value}'" for name, value in ({"port": str(self.port)} | _OPTIONS).items())
        self.run("pg_ctl", "start", "-w", "-D", str(self.folder), "-l", str(self.folder / "log"), "-o", options)

    def stop(self, how: str = "fast") -> None:
        self.run("pg_ctl", "stop", "-w", "-m", how, "-D", str(self.folder))

    def is_running(self) -> bool:
        return (self.folder / "postmaster.pid").exists()

    @contextmanager
    def silent(self) -> Generator[None]:
        """Stop all the server's processes during the block: connections stay open, and nothing answers."""
        pids = self._list_processes()
        for pid in pids:
            os.kill(pid, SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                os.kill(pid, SIGCONT)

    def _list_processes(self) -> list[int]:
        first = int((self.folder / "postmaster.pid").read_text(encoding="utf-8").split()[0])
        children = Path(f"/proc/{first}/task/{first}/children").read_text(encoding="utf-8")
        return [first, *map(int, children.split())]

    def execute(self, *statements: str) -> None:
        """Execute statements as the superuser, each by itself."""
        for statement in statements:
            self.run("psql", "-q", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres", "-c", statement)

    @contextmanager
    def waiting_for(self, standbys: str) -> Generator[None]:
        """Make each commit wait for some standbys during the block, as `synchronous_standby_names` lists them."""
        self._wait_for(standbys)
        try:
            yield
        finally:
            self._wait_for("")

    def _wait_for(self, standbys: str) -> None:
        self.execute(f"alter system set synchronous_standby_names = '{standbys}'", "select pg_reload_conf()")

    def run(self, program: str, *arguments: str) -> None:
        code, output = self.account.run([str(self.binaries.bin_dir / program), *arguments])
        assert code == 0, output


def _new_cluster(binaries: Binaries, folder: Path) -> Cluster:
    account = account_for(folder)
    folder.mkdir(mode=0o700)
    account.own(folder)
    with socket.create_server(("127.0.0.1", 0)) as unused:
        return Cluster(reachable_binaries(binaries, account), account, folder, unused.getsockname()[1])


@contextmanager
def run_primary(bin_dir: Path | None = None) -> Generator[Cluster]:
    """Run a server with our roles and an empty database, by the programs in a folder, else by the embedded ones."""
    with TemporaryDirectory(prefix="meetdeck-tests-", dir=find_room(), ignore_cleanup_errors=True) as place:
        Path(place).chmod(0o711)  # whoever runs the server walks through
        primary = _new_cluster(get_binaries(bin_dir), Path(place) / "primary")
        arguments = ["-D", str(primary.folder), "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8"]
        primary.run("initdb", *arguments, "--locale=C", "--lc-ctype=C.UTF-8")
        primary.start()
        try:
            primary.execute(
                f"create role {OWNER} login createdb",
                f"create role {APP} login",
                f"create database meetdeck owner {OWNER}",
            )
            yield primary
        finally:
            if primary.is_running():
                primary.stop("immediate")


@contextmanager
def run_standby(primary: Cluster) -> Generator[Cluster]:
    """Run a hot standby of a running server."""
    folder = primary.folder.with_name("standby")
    standby = _new_cluster(primary.binaries, folder if not folder.exists() else folder.with_name("another"))
    source = f"host=127.0.0.1 port={primary.port} user=postgres sslmode=disable"
    standby.run("pg_basebackup", "-D", str(standby.folder), "-R", "-X", "stream", "-c", "fast", "-d", source)
    standby.start()
    try:
        yield standby
    finally:
        if standby.is_running():
            standby.stop("immediate")
