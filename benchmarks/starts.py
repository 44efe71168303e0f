"""A start of `serve`, until it is ready: `python benchmarks/starts.py`.

Counts the processor time of the supervisor, of the fork server and of the process that serves, without PostgreSQL's,
in an existing data folder, once a first start has created that and the byte code. An installation has byte code, from
pip. With PYTHONDONTWRITEBYTECODE, a copy of the repository compiles 1,300 modules at each start, which takes as long
again as to import them; so that is switched off here.

Measured beside other work: 1.83 s at the highest priority (load 8), 1.9 to 2.2 without it (load 9 to 15). A worker
takes 0.06 of it, the supervisor the rest. Of 11.4 billion instructions (cachegrind) 6.9 import 2,700 modules, each of
which takes less than 3 % of that, and 4.5 make the routes, in Litestar. In the same noise it was 3.3 without byte code,
and 2.15 to 2.3 with it before the supervisor stopped opening services and collecting garbage that is not there.
"""

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Final

import psutil

STARTS: Final = 5
GOAL_SECONDS: Final = 2.0
_COUNTED: Final = ("supervisor", "meetdeck-forks", "meetdeck-server")


def measure_start(environment: dict[str, str], log: Path) -> dict[str, float]:
    """Return the seconds of processor time that each kind of process took until `serve` was ready."""
    command = [sys.executable, "-m", "meetdeck", "serve", "--port", "0"]
    with log.open("wb") as output:
        server = subprocess.Popen(command, env=environment, stdout=output, stderr=output)  # noqa: S603 - our own program
    try:
        while "serves on" not in (printed := log.read_text(encoding="utf-8")):
            if server.poll() is not None:
                raise SystemExit(printed)
            time.sleep(0.01)
        seconds = defaultdict(float, supervisor=_count(server.pid))
        for process in psutil.Process(server.pid).children(recursive=True):
            seconds[process.name()] += _count(process.pid)
        return seconds
    finally:
        server.terminate()
        server.wait(60)


def _count(process: int) -> float:
    return time.clock_gettime(~process << 3 | 2)  # clock_getcpuclockid(3), in nanoseconds


def main() -> None:
    """Start once to create what lasts, then measure; print medians."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MEETDECK_")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory(prefix="meetdeck-bench-", ignore_cleanup_errors=True) as folder:
        environment |= {"MEETDECK_DATA_DIR": f"{folder}/var", "MEETDECK_OFFICE_PROCESSES": "1"}
        _, *starts = (measure_start(environment, Path(folder, "log")) for _ in range(STARTS + 1))
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; seconds of processor time")
    for name in _COUNTED:
        print(f"{name:<16} {median(start[name] for start in starts):5.2f}")
    total = median(sum(start[name] for name in _COUNTED) for start in starts)
    print(f"{'until ready':<16} {total:5.2f} (goal {GOAL_SECONDS:.0f})")


if __name__ == "__main__":
    main()
