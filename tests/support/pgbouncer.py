"""PgBouncer, where it is on this machine, before the databases of tests.

`python tests/support/pgbouncer.py` prints its path, or ends with status 1: the set-up asks too, before packages are
there, so what is imported here is the standard library's.
"""

import configparser
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

MISSING: Final = "no PgBouncer here: install the package `pgbouncer`"
SERVER_CONNECTIONS: Final = 6
"""The number of connections to PostgreSQL that all clients share: fewer than are wanted at once."""

_OPERATIONS: Final = Path(__file__).parents[2] / "docs/operations/database.md"
_PATIENCE_SECONDS: Final = 10.0


def find_pgbouncer() -> Path | None:
    """Return the path of the installed program; Debian's is not on everybody's `PATH`."""
    found = shutil.which("pgbouncer", path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin"]))
    return Path(found) if found is not None else None


def read_documented_settings() -> configparser.ConfigParser:
    """Return the `pgbouncer.ini` that docs/operations/database.md tells operators to write."""
    (block,) = re.findall(r"```ini\n(\[databases\]\n.*?)```", _OPERATIONS.read_text(encoding="utf-8"), re.DOTALL)
    settings = configparser.ConfigParser(comment_prefixes=(";",), inline_comment_prefixes=(";",), interpolation=None)
    settings.read_string(block)
    return settings


@contextmanager
def run_pgbouncer(socket_dir: Path, secrets: Mapping[str, str]) -> Generator[int]:
    """Run PgBouncer as documented before the server with a socket; lend the port that it listens on.

    `secrets` are the roles' passwords as PostgreSQL keeps them.
    """
    program = find_pgbouncer()
    assert program is not None, MISSING
    owner = socket_dir.stat()  # the socket is open to PostgreSQL's own account alone
    is_root = os.geteuid() == 0
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="meetdeck-tests-") as folder:
        ini = _write_settings(Path(folder), socket_dir, port, secrets)
        for path in (Path(folder), *Path(folder).iterdir()):
            os.chown(path, owner.st_uid, owner.st_gid)
        log = Path(folder) / "pgbouncer.log"
        with log.open("w") as output:
            process = subprocess.Popen(  # noqa: S603 - the program that was found
                [program, ini],
                stdout=output,
                stderr=output,
                cwd="/",
                user=owner.st_uid if is_root else None,
                group=owner.st_gid if is_root else None,
                extra_groups=() if is_root else None,
            )
        try:
            _await_listening(process, port, log)
            yield port
        finally:
            process.terminate()
            process.wait(_PATIENCE_SECONDS)


def _write_settings(folder: Path, socket_dir: Path, port: int, secrets: Mapping[str, str]) -> Path:
    userlist, ini = folder / "userlist.txt", folder / "pgbouncer.ini"
    userlist.write_text("".join(f'"{role}" "{secret}"\n' for role, secret in secrets.items()), encoding="utf-8")
    settings = read_documented_settings()
    settings["databases"] = {"*": f"host={socket_dir} port=5432"}  # of each test its own
    settings["pgbouncer"].update(
        listen_port=str(port), auth_file=str(userlist), default_pool_size=str(SERVER_CONNECTIONS), unix_socket_dir=""
    )
    with ini.open("w", encoding="utf-8") as written:
        settings.write(written)
    return ini


def _await_listening(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            time.sleep(0.02)
        else:
            return
    raise AssertionError(f"PgBouncer did not start:\n{log.read_text(encoding='utf-8')}")


if __name__ == "__main__":
    found = find_pgbouncer()
    print(found or MISSING)  # noqa: T201 - that is what it is for
    sys.exit(found is None)
