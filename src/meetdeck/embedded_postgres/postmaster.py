"""The server process: starting it, recognizing it, checking that it answers, stopping it."""

import os
import shutil
import signal
import stat
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from meetdeck.embedded_postgres import processes
from meetdeck.embedded_postgres.account import Account, account_for, current_account
from meetdeck.embedded_postgres.binaries import Binaries
from meetdeck.embedded_postgres.cluster import DataFolder, entered, essence
from meetdeck.embedded_postgres.endpoint import PORT
from meetdeck.embedded_postgres.locks import FileLock, wait_until
from meetdeck.platform.errors import SetupError

# A socket's path has at most 107 bytes, so the socket is in a place with a short path, wherever the data folder is.
SOCKET_PARENT = Path("/tmp")  # noqa: S108 - mkdtemp makes a private folder in it
SOCKET_PREFIX = "meetdeck-pg-"
READY_LIMIT_SECONDS = 60.0
FAST_LIMIT_SECONDS = 30.0
IMMEDIATE_LIMIT_SECONDS = 10.0
ORPHAN_LIMIT_SECONDS = 3.0

SETTINGS = {
    "cluster_name": "meetdeck",
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "password_encryption": "scram-sha-256",
    "max_connections": "50",
    "shared_buffers": "128MB",
    "min_wal_size": "32MB",
    "max_wal_size": "256MB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_logical_replication_workers": "0",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    # The application reports refused statements itself; customers' data must not get into this log.
    "log_min_messages": "warning",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_checkpoints": "off",
}


@dataclass(frozen=True, slots=True)
class PostmasterFile:
    """The contents of `postmaster.pid` while a server runs, and after it was killed."""

    pid: int
    socket_dir: Path | None
    ready: bool


def find_postmaster_file(pgdata: Path) -> PostmasterFile | None:
    """Return `postmaster.pid`; None without it, or if the server has only begun to write it."""
    try:
        lines = (pgdata / "postmaster.pid").read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return None
    if not lines or not lines[0].strip().isdigit():
        return None
    socket_dir = "".join(lines[4:5]).strip()  # the fifth line, according to PostgreSQL's documentation
    return PostmasterFile(int(lines[0]), Path(socket_dir) if socket_dir else None, lines[-1].strip() == "ready")


def launch(
    data: DataFolder, binaries: Binaries, account: Account, server_lock: FileLock, *, same_place: bool = False
) -> Path:
    """Start the server and wait until it answers; return the folder of its socket.

    `same_place`: the socket folder of a killed server, which is reused because its users look for it there.
    `server_lock` is held by us and passes to the server. Raises `SetupError` if the server ends or does not answer.
    """
    clear_remains(data)
    log = data.open_log()
    socket_dir = _make_socket_dir(data, account, same_place=same_place)
    try:
        log_start = os.fstat(log).st_size
        with entered(data.pgdata, account) as (folder, folder_fds):
            command = [binaries.program("postgres"), "-D", folder, *_options(socket_dir)]
            pass_fds = (server_lock.fd, *folder_fds)
            process = account.start(command, stdin=subprocess.DEVNULL, output=log, pass_fds=pass_fds)
    except BaseException:
        _remove_unlinked(data, socket_dir)
        raise
    finally:
        os.close(log)
    server_lock.close()  # ours; the server's own share keeps it locked
    # We are the server's parent, whoever stops it: without this it would remain as a zombie.
    threading.Thread(target=process.wait, name="postgres-reaper", daemon=True).start()
    _await_ready(process, data, binaries, socket_dir, log_start)
    return socket_dir


def answers(binaries: Binaries, socket_dir: Path) -> bool:
    """Return whether the server accepts connections on its socket."""
    arguments = ["--quiet", f"--host={socket_dir}", f"--port={PORT}", "--username=postgres", "--dbname=postgres"]
    code, _ = current_account().run([binaries.program("pg_isready"), "--timeout=3", *arguments])
    return code == 0


def is_ready(pgdata: Path) -> bool:
    """Return whether the server reports that it is ready for connections."""
    written = find_postmaster_file(pgdata)
    return written is not None and written.ready


def find_answering(pgdata: Path, binaries: Binaries) -> Path | None:
    """Return the folder of the running server's socket; None if it does not accept connections (yet)."""
    written = find_postmaster_file(pgdata)
    if written is None or written.socket_dir is None or not written.ready:
        return None
    return written.socket_dir if answers(binaries, written.socket_dir) else None


def find_postmaster(pgdata: Path) -> int | None:
    """Return the process id of our server in `pgdata`; None if no such process lives.

    `postmaster.pid` outlives its process, and the number may belong to another process by now: our server is recognized
    by its command line, which names its own random socket folder.
    """
    written = find_postmaster_file(pgdata)
    if written is None or written.socket_dir is None:
        return None
    command = processes.find_command(written.pid)
    return written.pid if command and str(written.socket_dir) in command else None


def stop(data: DataFolder, server_lock: FileLock) -> None:
    """Stop the server and wait until all its processes have ended: fast, then immediately, then by force."""
    for number, limit_seconds in ((signal.SIGINT, FAST_LIMIT_SECONDS), (signal.SIGQUIT, IMMEDIATE_LIMIT_SECONDS)):
        pid = find_postmaster(data.pgdata)
        if pid is None:
            break
        processes.send(pid, number)
        if wait_until(server_lock.try_exclusive, limit_seconds=limit_seconds):
            break
    end_orphans(data, server_lock)
    _remove_socket_dir(data)


def end_orphans(data: DataFolder, server_lock: FileLock) -> None:
    """End the processes of a server whose postmaster was killed. Raises `SetupError` if they do not end.

    They notice by themselves, unless they are busy. Killing them is safe: the next start recovers.
    """
    if wait_until(server_lock.try_exclusive, limit_seconds=ORPHAN_LIMIT_SECONDS):
        return
    if data.pgdata.exists():
        account = account_for(data.pgdata)
        with entered(data.pgdata, account) as (folder, folder_fds):
            processes.kill_all_in(folder, folder_fds, account)
    if not wait_until(server_lock.try_exclusive, limit_seconds=ORPHAN_LIMIT_SECONDS):
        raise SetupError(f"Processes of an earlier database server still use {data.root}: end them, then try again.")


def clear_remains(data: DataFolder) -> None:
    """Remove the files of a killed server. Call it with the server's lock held, so that none of ours runs."""
    written = find_postmaster_file(data.pgdata)
    if written is not None and processes.exists(written.pid):
        if processes.may_serve(written.pid, data.pgdata):
            return  # one that we did not start: PostgreSQL refuses to start beside it, and says why
        # The number belongs to an unrelated process by now, and PostgreSQL would not start because of it.
        (data.pgdata / "postmaster.pid").unlink()


def _make_socket_dir(data: DataFolder, account: Account, *, same_place: bool) -> Path:
    """Return an empty folder for the socket."""
    earlier = data.socket.readlink() if data.socket.is_symlink() else None
    if same_place and earlier is not None and _is_private(earlier, account):
        for remains in earlier.iterdir():
            remains.unlink()
        return earlier
    _remove_socket_dir(data)
    socket_dir = Path(tempfile.mkdtemp(prefix=SOCKET_PREFIX, dir=SOCKET_PARENT))
    account.own(socket_dir)
    return socket_dir


def _is_private(socket_dir: Path, account: Account) -> bool:
    """Return whether the folder is the account's own: its parent is a place where everybody may create folders."""
    try:
        found = socket_dir.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o077 and found.st_uid == account.uid


def _await_ready(
    process: subprocess.Popen[bytes], data: DataFolder, binaries: Binaries, socket_dir: Path, log_start: int
) -> None:
    def ready_or_ended() -> bool:
        if process.returncode is not None:
            return True
        written = find_postmaster_file(data.pgdata)
        return written is not None and written.pid == process.pid and written.ready and answers(binaries, socket_dir)

    in_time = wait_until(ready_or_ended, limit_seconds=READY_LIMIT_SECONDS)
    if process.returncode is not None:
        _remove_unlinked(data, socket_dir)
        with data.log.open("rb") as log:
            log.seek(log_start)
            output = log.read().decode(errors="replace")
        raise SetupError(f"PostgreSQL did not start: {essence(output, data.pgdata)} (log: {data.log})")
    data.socket.unlink(missing_ok=True)
    data.socket.symlink_to(socket_dir)
    if not in_time:
        raise SetupError(
            f"PostgreSQL is not ready after {READY_LIMIT_SECONDS:.0f} s; it continues by itself, and the next start "
            f"uses it (log: {data.log})"
        )


def _options(socket_dir: Path) -> Iterator[str]:
    for name, value in (SETTINGS | {"unix_socket_directories": str(socket_dir)}).items():
        yield "-c"
        yield f"{name}={value}"


def _remove_unlinked(data: DataFolder, socket_dir: Path) -> None:
    """Remove the folder of a server that did not start, unless others look for their server there."""
    if not data.socket.is_symlink():
        shutil.rmtree(socket_dir, ignore_errors=True)


def _remove_socket_dir(data: DataFolder) -> None:
    if data.socket.is_symlink():
        shutil.rmtree(data.socket.readlink(), ignore_errors=True)
        data.socket.unlink()
