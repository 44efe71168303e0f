"""The data folder of the embedded server: its files, creating it, checking that it is ours."""

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from meetdeck.embedded_postgres.account import Account
from meetdeck.embedded_postgres.binaries import Binaries
from meetdeck.embedded_postgres.credentials import (
    APP,
    OWNER,
    SUPERUSER,
    Credentials,
    create_credentials,
    find_credentials,
)
from meetdeck.embedded_postgres.endpoint import DATABASE
from meetdeck.embedded_postgres.locks import FileLock
from meetdeck.platform.errors import SetupError

BUILTIN_LOCALE_MAJOR = 17
NEEDED_BYTES = 64 * 1024 * 1024
LOG_LIMIT_BYTES = 10 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The files beside the cluster. All are private to the account that runs Meetdeck; `pgdata` is the server's."""

    root: Path

    @property
    def pgdata(self) -> Path:
        """The cluster (PGDATA)."""
        return self.root / "pgdata"

    @property
    def unfinished(self) -> Path:
        """The cluster while it is being created; it is renamed to `pgdata` when complete."""
        return self.root / "pgdata.new"

    @property
    def credentials(self) -> Path:
        """The roles' passwords."""
        return self.root / "credentials.json"

    @property
    def socket(self) -> Path:
        """A link to the socket's folder, which needs a shorter path: `psql -h <data folder>/socket`."""
        return self.root / "socket"

    @property
    def log(self) -> Path:
        """The server's log."""
        return self.root / "postgres.log"

    @property
    def turn(self) -> Path:
        """The lock of the one process that is starting, joining or leaving."""
        return self.root / "turn.lock"

    @property
    def lease(self) -> Path:
        """The shared lock of all processes that use the server."""
        return self.root / "lease.lock"

    @property
    def server(self) -> Path:
        """The lock of the server itself, and of every process that it starts, as long as one of them lives."""
        return self.root / "server.lock"

    def open_log(self) -> int:
        """Open the log for appending, emptied if it has grown large; return the file descriptor."""
        fd = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        if os.fstat(fd).st_size > LOG_LIMIT_BYTES:
            os.ftruncate(fd, 0)
        return fd


@contextmanager
def entered(folder: Path, account: Account) -> Generator[tuple[str, tuple[int, ...]]]:
    """Yield a name for `folder` that `account` can use, and the file descriptors that its programs must inherit.

    The account that root switches to may own a folder and still be unable to reach it (below `/root`, say). On Linux it
    gets the folder as an open file and starts from there, so that no permission has to be widened.
    """
    if not account.switch or sys.platform != "linux":
        yield str(folder), ()
        return
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{fd}", (fd,)
    finally:
        os.close(fd)


def prepare(data: DataFolder, binaries: Binaries, account: Account, server_lock: FileLock) -> Credentials:
    """Create a missing cluster, or check an existing one; return its passwords.

    Raises `SetupError` if the folder was created by another major version, or not by Meetdeck.
    """
    credentials = find_credentials(data.credentials)
    if not data.pgdata.exists():
        credentials = credentials or create_credentials(data.credentials)
        _create(data, binaries, account, credentials, server_lock)
        return credentials
    if credentials is None:
        raise SetupError(
            f"{data.pgdata} exists but {data.credentials.name} beside it does not: Meetdeck did not make it or the "
            "file was lost. Restore the file from a backup, or choose another data folder."
        )
    check_version(data, binaries)
    return credentials


def check_version(data: DataFolder, binaries: Binaries) -> None:
    """Raise `SetupError` unless these programs can read the cluster."""
    version_file = data.pgdata / "PG_VERSION"
    if not version_file.exists():
        raise SetupError(f"{data.pgdata} is not a PostgreSQL data folder: remove it, or choose another data folder.")
    made_by = version_file.read_text().strip()
    if made_by != str(binaries.major):
        raise SetupError(
            f"{data.pgdata} was made by PostgreSQL {made_by}, and this is {binaries.version}: name the folder of "
            f"PostgreSQL {made_by}'s programs in MEETDECK_PG_BIN, or restore a backup into a new data folder."
        )


def _create(
    data: DataFolder, binaries: Binaries, account: Account, credentials: Credentials, server_lock: FileLock
) -> None:
    """Create the cluster with its roles and database in `unfinished`, then rename it.

    The programs inherit the server's lock: if we are killed, the next start waits until they have ended, too.
    """
    if data.unfinished.exists():
        shutil.rmtree(data.unfinished)
    free_bytes = shutil.disk_usage(data.root).free
    if free_bytes < NEEDED_BYTES:
        raise SetupError(
            f"The disk of {data.root} is full: it has {free_bytes >> 20} MB free, "
            f"and a new database needs {NEEDED_BYTES >> 20} MB."
        )
    data.unfinished.mkdir(mode=0o700)
    account.own(data.unfinished)
    with entered(data.unfinished, account) as (folder, folder_fds):
        pass_fds = (server_lock.fd, *folder_fds)

        def run(what: str, command: list[str], text: str = "") -> None:
            # An unnamed file, because a program that became another account may read it again as /dev/stdin,
            # which it may not do with our pipe.
            with tempfile.TemporaryFile() as stdin:
                account.own(stdin.fileno())
                stdin.write(text.encode())
                stdin.seek(0)
                code, output = account.run(command, stdin=stdin, pass_fds=pass_fds)
            if code != 0:
                raise SetupError(
                    f"The database could not be created in {data.root}: {what}: {essence(output, data.unfinished)}"
                )

        initdb, postgres = binaries.program("initdb"), binaries.program("postgres")
        run("initdb", _initdb_command(initdb, folder, binaries.major), credentials.superuser + "\n")
        quiet = ["-c", "exit_on_error=true", "-c", "log_min_error_statement=panic", "-c", "log_checkpoints=off"]
        run("roles", [postgres, "--single", "-D", folder, *quiet, SUPERUSER], _bootstrap_sql(credentials))
        run("sync", [initdb, "--sync-only", "-D", folder])
    data.unfinished.rename(data.pgdata)


def _initdb_command(initdb: str, folder: str, major: int) -> list[str]:
    # Sorting is by code point. Characters are UTF-8's, since otherwise `lower` and trigrams know only a to z.
    ctype = "en_US.UTF-8" if sys.platform == "darwin" else "C.UTF-8"
    locale = ["--locale=C", f"--lc-ctype={ctype}"]
    if major >= BUILTIN_LOCALE_MAJOR:
        locale += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    return [
        initdb,
        f"--pgdata={folder}",
        f"--username={SUPERUSER}",
        "--pwfile=/dev/stdin",
        "--auth-local=scram-sha-256",
        "--auth-host=reject",
        "--encoding=UTF8",
        "--no-sync",  # done once at the end, together with the rest
        "--no-instructions",
        *locale,
    ]


def _bootstrap_sql(credentials: Credentials) -> str:
    """Return the roles and the database, one statement on each line, as single-user mode reads them."""
    return "\n".join(
        (
            f"CREATE ROLE {OWNER} LOGIN CREATEDB PASSWORD '{credentials.owner}'",
            f"CREATE ROLE {APP} LOGIN PASSWORD '{credentials.app}'",
            # The application often has bookings refused; they do not belong in the server's log.
            f"ALTER ROLE {APP} SET log_min_messages = 'log'",
            f"CREATE DATABASE {DATABASE} OWNER {OWNER}",
            f"REVOKE ALL ON DATABASE {DATABASE} FROM PUBLIC",
            f"GRANT CONNECT ON DATABASE {DATABASE} TO {APP}",
            "",
        )
    )


def essence(output: str, folder: Path) -> str:
    """Return the reason in a PostgreSQL program's output as one line, with a short name for `folder`."""
    output = re.sub(r"/proc/self/fd/\d+", lambda _: str(folder), output)
    telling = re.findall(r"(?:FATAL|PANIC|ERROR|HINT|error): .*", output)
    lines = telling or [line for line in output.splitlines() if line.strip()]
    return " ".join(" ".join(lines[-3:]).split()) or "it wrote nothing"
