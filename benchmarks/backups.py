"""Backing up and restoring a bank of a million rows: `python benchmarks/backups.py [--weeks 104] [--files 100]`.

The firm of `large_firm.py`, with more weeks of meetings, and files of 2 MB beside; `meetdeck backup`, `--check` and
`restore` as processes of their own. Memory is the most that a process of ours had, PostgreSQL's left out.
"""

import argparse
import asyncio
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import uuid4

from large_firm_parts.firm import TENANT, add_firm

from meetdeck.embedded_postgres import EmbeddedPostgres, Endpoint
from meetdeck.migrations import migrate

_FILE_BYTES = 2_000_000


def run(folder: Path, *arguments: str) -> tuple[dict[str, Any], float, float, float]:
    """Return the report of a command, its seconds, its processor time, and its peak memory (MB)."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MEETDECK_")}
    code = (
        "import resource, sys\nfrom meetdeck.cli import main\n"
        "try: main()\nfinally:\n used = resource.getrusage(resource.RUSAGE_SELF)\n"
        " print(used.ru_utime + used.ru_stime, used.ru_maxrss, file=sys.stderr)"
    )
    began = perf_counter()
    ended = subprocess.run(  # noqa: S603 - ours
        [sys.executable, "-c", code, *arguments, "--json"],
        env=environment | {"MEETDECK_DATA_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = perf_counter() - began
    if ended.returncode:
        raise SystemExit(ended.stderr)
    *_, processor, memory = ended.stderr.split()
    return json.loads(ended.stdout), seconds, float(processor), int(memory) / 1024


async def fill(endpoint: Endpoint, folder: Path, weeks: int, files: int) -> int:
    """Write the firm and its files; return the bytes of its rows in the database."""
    await migrate(endpoint.owner)
    await add_firm(endpoint, weeks=weeks)
    connection = await endpoint.superuser.connect()
    for _ in range(files):
        key, content = f"{TENANT}/files/{uuid4()}", os.urandom(_FILE_BYTES)
        path = folder / "storage" / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        await connection.execute(
            "insert into content values ($1, gen_random_uuid(), $2, 'a.bin', 'any/any', $3, now(), now() + '1 day',"
            " gen_random_uuid(), $4)",
            TENANT,
            hashlib.sha256(content).digest(),
            len(content),
            key,
        )
    size = await connection.fetchval("select pg_database_size(current_database())")
    await connection.close()
    return size


def main() -> None:
    """Measure, and print a line for each command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weeks", type=int, default=104)
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--folder", type=Path, default=None)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=chosen.folder) as place:
        source, target, file = Path(place, "source"), Path(place, "target"), Path(place, "backup.tar.gz")
        source.mkdir()
        with EmbeddedPostgres(source / "postgres") as endpoint:
            size = asyncio.run(fill(endpoint, source, chosen.weeks, chosen.files))
            print(f"database {size / 1e6:,.0f} MB, files {chosen.files * _FILE_BYTES / 1e6:,.0f} MB")
            show("backup", *run(source, "backup", str(file)))
            show("check", *run(source, "backup", str(file), "--check"))
        show("restore", *run(target, "restore", str(file)))


def show(name: str, report: dict[str, Any], seconds: float, processor: float, memory: float) -> None:
    """Print one measurement."""
    print(
        f"{name:<8}{report['rows']:>12,} rows {report['files']:>6,} files {report['bytes'] / 1e6:>8,.0f} MB in the file"
        f"{seconds:>8,.1f} s {processor:>6,.1f} s of the processor {memory:>6,.0f} MB of memory",
        flush=True,
    )


if __name__ == "__main__":
    main()
