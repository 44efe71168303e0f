"""Starting, joining and leaving the embedded server."""

import errno
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from meetdeck.embedded_postgres import postmaster
from meetdeck.embedded_postgres.account import account_for, current_account
from meetdeck.embedded_postgres.binaries import Binaries, get_binaries, reachable_binaries
from meetdeck.embedded_postgres.cluster import DataFolder, prepare
from meetdeck.embedded_postgres.credentials import find_credentials
from meetdeck.embedded_postgres.endpoint import Endpoint
from meetdeck.embedded_postgres.locks import FileLock, holding, wait_until
from meetdeck.embedded_postgres.supervision import Supervisor
from meetdeck.platform.errors import SetupError

TURN_LIMIT_SECONDS = 150.0
CREATE_LIMIT_SECONDS = 60.0
ORPHAN_LIMIT_SECONDS = 2.0
READY_LIMIT_SECONDS = 60.0
ANSWER_LIMIT_SECONDS = 5.0


class EmbeddedPostgres:
    """A PostgreSQL server in `data_dir`, shared by the processes of this machine that use the same folder.

    The first process creates the cluster and the database, later ones join, and the last to stop stops the server. The
    server of a killed process continues: the next process to start joins it, and the last to leave then stops it.
    `supervised`: if the server dies while we use it, it is restarted in the same place.
    """

    def __init__(self, data_dir: Path, *, bin_dir: Path | None = None, supervised: bool = False) -> None:
        self._data = DataFolder(data_dir.absolute())
        self._bin_dir = bin_dir
        self._lease = FileLock(self._data.lease)
        self._endpoint: Endpoint | None = None
        self._supervised = supervised
        self._supervisor: Supervisor | None = None

    def start(self) -> Endpoint:
        """Start or join the server; return its endpoint once it answers.

        Raises `SetupError` if the folder, the programs or the server cannot be used.
        """
        if self._endpoint is not None:
            return self._endpoint
        with _explaining_os_errors(self._data.root):
            self._data.root.mkdir(parents=True, exist_ok=True)
            with holding(self._data.turn, limit_seconds=TURN_LIMIT_SECONDS):
                self._lease.try_shared()
                try:
                    self._endpoint = self._join_or_launch()
                except (SetupError, OSError):
                    self._lease.close()
                    raise
                except BaseException:  # interrupted: leave nothing running that nobody needs any more
                    self._leave()
                    raise
            if self._supervised:
                self._supervisor = Supervisor(self._is_alive, self._restart)
                self._supervisor.start()
            return self._endpoint

    def stop(self) -> None:
        """Detach from the server; the last process to detach stops it. Does nothing if not started."""
        if self._endpoint is None:
            return
        if self._supervisor is not None:
            self._supervisor.stop()
        self._endpoint = None
        with _explaining_os_errors(self._data.root), holding(self._data.turn, limit_seconds=TURN_LIMIT_SECONDS):
            self._leave()

    def __enter__(self) -> Endpoint:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()

    def _join_or_launch(self) -> Endpoint:
        binaries = get_binaries(self._bin_dir)
        server_lock = FileLock(self._data.server)
        try:
            if running := self._find_running(binaries, server_lock):
                return running
            account = account_for(self._data.pgdata)
            binaries = reachable_binaries(binaries, account)
            credentials = prepare(self._data, binaries, account, server_lock)
            socket_dir = postmaster.launch(self._data, binaries, account, server_lock, same_place=self._supervised)
            return credentials.endpoint(socket_dir)
        finally:
            server_lock.close()

    def _is_alive(self) -> bool:
        return postmaster.find_postmaster(self._data.pgdata) is not None

    def _restart(self) -> None:
        """Restart the server that has died, unless another process has done so."""
        if not self._data.pgdata.exists():
            raise SetupError(f"{self._data.pgdata} is gone: restore it from a backup.")
        with _explaining_os_errors(self._data.root), holding(self._data.turn, limit_seconds=TURN_LIMIT_SECONDS):
            self._join_or_launch()

    def _find_running(self, binaries: Binaries, server_lock: FileLock) -> Endpoint | None:
        """Return the endpoint of the running server; if none runs, None, and we hold its lock."""
        data = self._data
        self._await_postmaster(server_lock)

        def ready_or_gone() -> bool:
            return server_lock.try_exclusive() or postmaster.is_ready(data.pgdata)

        def answering_or_gone() -> bool:
            return server_lock.try_exclusive() or postmaster.find_answering(data.pgdata, binaries) is not None

        if not wait_until(ready_or_gone, limit_seconds=READY_LIMIT_SECONDS):
            raise SetupError(
                f"The database server of {data.root} is still starting (log: {data.log}): try again later."
            )
        if not wait_until(answering_or_gone, limit_seconds=ANSWER_LIMIT_SECONDS):
            if not self._are_alone():
                raise SetupError(f"The database server of {data.root} runs but does not answer (log: {data.log}).")
            postmaster.stop(data, server_lock)  # its socket is lost, or it hangs: a new one harms nobody
        if server_lock.try_exclusive():
            return None
        socket_dir = postmaster.find_answering(data.pgdata, binaries)
        credentials = find_credentials(data.credentials)
        if socket_dir is None or credentials is None:
            raise SetupError(f"The database server of {data.root} runs, but {data.credentials} is missing: restore it.")
        return credentials.endpoint(socket_dir)

    def _await_postmaster(self, server_lock: FileLock) -> None:
        """Wait, while its lock is taken, for the server, or for the end of another process that holds the lock."""
        pgdata = self._data.pgdata

        def appeared_or_gone() -> bool:
            return server_lock.try_exclusive() or postmaster.find_postmaster(pgdata) is not None

        # Without a cluster, a killed start left initdb running; otherwise a killed server left its backends.
        limit_seconds = ORPHAN_LIMIT_SECONDS if pgdata.exists() else CREATE_LIMIT_SECONDS
        if not wait_until(appeared_or_gone, limit_seconds=limit_seconds):
            postmaster.end_orphans(self._data, server_lock)

    def _are_alone(self) -> bool:
        """Return whether we hold the only lease; call it under the lock `turn`."""
        alone = self._lease.try_exclusive()
        self._lease.try_shared()
        return alone

    def _leave(self) -> None:
        """Release our lease; stop the server if it was the last one. Call it under the lock `turn`."""
        server_lock = FileLock(self._data.server)
        try:
            if self._are_alone() and not server_lock.try_exclusive():
                postmaster.stop(self._data, server_lock)
        finally:
            server_lock.close()
            self._lease.close()


@contextmanager
def _explaining_os_errors(folder: Path) -> Generator[None]:
    """Raise the system's errors about the data folder as one sentence for the operator."""
    try:
        yield
    except OSError as error:
        account = current_account().name
        reasons = {
            errno.EACCES: f"the account '{account}' may not use {error.filename or folder}",
            errno.EPERM: f"the account '{account}' may not change {error.filename or folder}",
            errno.ENOTDIR: f"{error.filename} is not a folder",
            errno.EEXIST: f"{error.filename} is not a folder",
            errno.ENOSPC: "the disk is full",
            errno.EROFS: "it is read-only",
        }
        reason = reasons.get(error.errno or 0, str(error))
        raise SetupError(f"The database's folder {folder} cannot be used: {reason}.") from error
