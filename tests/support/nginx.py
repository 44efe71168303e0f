"""nginx on this machine: `python tests/support/nginx.py` prints its path, or ends with status 1.

Only the standard library is used: the set-up runs it, too, before packages are installed.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

MISSING: Final = "no nginx here: install the package `nginx-light` or `nginx`"
_SECONDS: Final = 20

# Around the server of a site: nothing is written outside of the folder it is started in.
_AROUND = """
{user}worker_processes 1;
pid nginx.pid;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path other;
    uwsgi_temp_path other;
    scgi_temp_path other;
{site}
}}
"""


def find_nginx() -> Path | None:
    """Return the program's path; on Debian only root's PATH leads to it."""
    found = shutil.which("nginx", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"]))
    return Path(found) if found is not None else None


@contextmanager
def run_nginx(program: Path, folder: Path, site: str, port: int) -> Generator[None]:
    """Run nginx with a site that listens on a port of this machine."""
    user = "user root;\n" if os.geteuid() == 0 else ""  # as its own user it could not read the folder
    (folder / "nginx.conf").write_text(_AROUND.format(user=user, site=site), encoding="utf-8")
    command = [program, "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "error.log", "-g", "daemon off;"]
    server = subprocess.Popen(command)  # noqa: S603 - the system's
    try:
        _wait_for(port, server, folder / "error.log")
        yield
    finally:
        server.terminate()
        server.wait(_SECONDS)


def _wait_for(port: int, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise AssertionError(f"nginx did not start:\n{log.read_text(encoding='utf-8') if log.exists() else ''}")


if __name__ == "__main__":
    found = find_nginx()
    print(found or MISSING)  # noqa: T201 - that is what it is for
    sys.exit(found is None)
