"""The operating-system account that PostgreSQL runs as: ours, or an unprivileged one when we are root."""

import os
import pwd
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from meetdeck.platform.errors import SetupError

UNPRIVILEGED = "nobody"
ROOT_UID = 0

# A clean environment: PGDATA, PGOPTIONS and the like are not meant for this server, and its messages are English.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}


@dataclass(frozen=True, slots=True)
class Account:
    """The account that runs the server; `switch`: we are root and have to switch to it first."""

    name: str
    uid: int
    gid: int
    switch: bool

    def start(
        self, command: Sequence[str], *, stdin: int | IO[bytes], output: int, pass_fds: Sequence[int] = ()
    ) -> subprocess.Popen[bytes]:
        """Start `command` as this account in a session of its own, so that a terminal's Ctrl-C does not reach it."""
        try:
            return subprocess.Popen(  # noqa: S603 - our programs, and nothing that a caller sends
                command,
                stdin=stdin,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd="/",
                env=ENVIRONMENT,
                pass_fds=pass_fds,
                start_new_session=True,
                user=self.uid if self.switch else None,
                group=self.gid if self.switch else None,
                extra_groups=() if self.switch else None,
            )
        except OSError as error:
            raise SetupError(f"{command[0]} cannot be run as {self.name}: {error.strerror}.") from error

    def run(
        self, command: Sequence[str], *, stdin: int | IO[bytes] = subprocess.DEVNULL, pass_fds: Sequence[int] = ()
    ) -> tuple[int, str]:
        """Run `command` as this account to its end; return its exit code and its whole output."""
        with self.start(command, stdin=stdin, output=subprocess.PIPE, pass_fds=pass_fds) as process:
            output, _ = process.communicate()
        return process.returncode, output.decode(errors="replace")

    def own(self, path: Path | int) -> None:
        """Make this account the owner of a file or folder that we made."""
        if not self.switch:
            return
        try:
            os.chown(path, self.uid, self.gid)
        except OSError as error:
            raise SetupError(
                f"Root may not hand files to the account '{self.name}' here ({error.strerror}): "
                "run Meetdeck as an ordinary user."
            ) from error


def current_account() -> Account:
    """Return the account this process runs as."""
    uid = os.geteuid()
    return Account(_name_of(uid), uid, os.getegid(), switch=False)


def account_for(pgdata: Path) -> Account:
    """Return the account for the cluster in `pgdata`: ours; for root the folder's owner, or `nobody` for a new one."""
    if os.geteuid() != ROOT_UID:
        return current_account()
    if pgdata.exists():
        owner = pgdata.stat()
        if owner.st_uid == ROOT_UID:
            raise SetupError(
                f"{pgdata} belongs to root, as which PostgreSQL does not run: chown -R {UNPRIVILEGED} '{pgdata}'"
            )
        return _switched(_name_of(owner.st_uid), owner.st_uid, owner.st_gid)
    try:
        entry = pwd.getpwnam(UNPRIVILEGED)
    except KeyError:
        raise SetupError(
            f"PostgreSQL does not run as root, and the account '{UNPRIVILEGED}' does not exist: "
            "run Meetdeck as an ordinary user."
        ) from None
    return _switched(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _switched(name: str, uid: int, gid: int) -> Account:
    account = Account(name, uid, gid, switch=True)
    try:
        account.run(["/bin/sh", "-c", ":"])
    except SetupError as error:
        raise SetupError(
            f"Root may not become the account '{name}' here, and PostgreSQL does not run as root: "
            "run Meetdeck as an ordinary user."
        ) from error
    return account


def _name_of(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"
