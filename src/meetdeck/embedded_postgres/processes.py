"""Facts about other processes, found in ways for which root needs no special capability."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

from meetdeck.embedded_postgres.account import Account, current_account

# Run as the server's account: even root may look at another account's working folders only with CAP_SYS_PTRACE, which
# containers usually lack.
_KILL_THOSE_IN = """
for process in /proc/[0-9]*; do
    [ "$process/cwd" -ef "$1" ] && kill -KILL "${process#/proc/}"
done
"""


def exists(pid: int) -> bool:
    """Return whether the process id is taken, even if only by an ended process that was not waited for."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def find_command(pid: int) -> str | None:
    """Return the command line of a living process; None if there is no such process."""
    if sys.platform == "linux":
        try:
            raw = Path(f"/proc/{pid}/cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            return None
        return raw.replace(b"\0", b" ").decode(errors="replace").strip() or None
    _, output = current_account().run(["/bin/ps", "-ww", "-o", "command=", "-p", str(pid)])
    return output.strip() or None


def may_serve(pid: int, pgdata: Path) -> bool:
    """Return whether the process may be a PostgreSQL server of this data folder; in doubt True."""
    command = find_command(pid)
    if command is None or not ("postgres" in command or "postmaster" in command):
        return False
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cwd").samefile(pgdata)
    return True


def send(pid: int, number: signal.Signals) -> None:
    """Send a signal; a process that has just ended is not an error."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def kill_all_in(folder: str, folder_fds: tuple[int, ...], account: Account) -> None:
    """Kill the processes of `account` that work in `folder` (Linux; elsewhere the system does not tell)."""
    if sys.platform == "linux":
        account.run(["/bin/sh", "-c", _KILL_THOSE_IN, "sh", folder], stdin=subprocess.DEVNULL, pass_fds=folder_fds)
