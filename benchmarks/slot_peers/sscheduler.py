"""@ssense/sscheduler, the slot finder on npm that asks the same of a schedule: hours, what is booked, a step, a length.

It knows neither meeting types nor daily limits, so it is compared with a search without them. Others were looked at:
slot-calculator offers slots that do not overlap only; what runs Cal.com is not a package of its own.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from meetdeck.booking.slots.model import Candidate, Query, Spans
from meetdeck.booking.slots.timestamps import to_datetime
from slot_peers.firm import ZONE

_HERE: Final = Path(__file__).parent
_INSTALLED: Final = _HERE / "node_modules"
# npm writes it last, so that an interrupted installation is begun anew.
_INSTALLED_LOCK: Final = _INSTALLED / ".package-lock.json"
_WEEKDAY_NAMES: Final = ("monday", "tuesday", "wednesday", "thursday", "friday")
_LONGEST_SECONDS: Final = 120


class PeerMissingError(Exception):
    """The peer cannot be measured here; the message says why."""


class Found(NamedTuple):
    """The processor seconds that finding took, and the free starts of each advisor, in order."""

    seconds: float
    starts: list[list[datetime]]


def install() -> str:
    """Install what package-lock.json says, once; return name and version. Raises `PeerMissingError`."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            raise PeerMissingError(f"{program} is not installed")
    lock = _HERE / "package-lock.json"
    if not _INSTALLED_LOCK.exists() or _INSTALLED_LOCK.stat().st_mtime < lock.stat().st_mtime:
        print("installing the npm peer ...", file=sys.stderr)
        _run(["npm", "ci"], "")
    name = "@ssense/sscheduler"
    installed = json.loads((_INSTALLED / name / "package.json").read_text(encoding="utf-8"))
    return f"{name} {installed['version']}, Node {_run(['node', '--version'], '').strip()}"


def find_starts(query: Query, advisors: Sequence[Candidate], busy: Spans) -> Found:
    """Return the slots that it finds for each advisor. Raises `PeerMissingError`."""
    local = query.starts_at.astimezone(ZONE), query.ends_at.astimezone(ZONE)
    search = {
        "from": f"{local[0]:%Y-%m-%d}",
        "to": f"{local[1]:%Y-%m-%d}",
        "duration": query.duration // timedelta(minutes=1),
        "interval": 30,
    }
    job = {"search": search, "schedules": [_describe(each, busy) for each in advisors]}
    answer = json.loads(_run(["node", "sscheduler.mjs"], json.dumps(job)))
    return Found(answer["seconds"], [[datetime.fromisoformat(each) for each in starts] for starts in answer["starts"]])


def _describe(advisor: Candidate, busy: Spans) -> dict[str, Any]:
    """Return what it takes: the hours of weekdays, and what is allocated, by the local clock."""
    mine = busy.resource_keys == advisor.resource_key
    begins, ends = busy.starts_at[mine].tolist(), busy.ends_at[mine].tolist()
    hours = {
        _WEEKDAY_NAMES[each.weekday]: {"from": f"{each.from_time:%H:%M}", "to": f"{each.to_time:%H:%M}"}
        for each in advisor.intervals
    }
    allocated = [
        {"from": f"{to_datetime(begin).astimezone(ZONE):%Y-%m-%d %H:%M}", "duration": (end - begin) // 60_000_000}
        for begin, end in zip(begins, ends, strict=True)
    ]
    return {**hours, "allocated": allocated}


def _run(command: Sequence[str], text: str) -> str:
    environment = os.environ | {"TZ": ZONE.key}
    try:
        done = subprocess.run(  # noqa: S603 - our own programs, by name, told a job of our own
            command,
            input=text,
            capture_output=True,
            text=True,
            check=True,
            cwd=_HERE,
            env=environment,
            timeout=_LONGEST_SECONDS,
        )
    except subprocess.TimeoutExpired as problem:
        raise PeerMissingError(f"{command[0]} takes longer than {_LONGEST_SECONDS} seconds") from problem
    except subprocess.CalledProcessError as problem:
        raise PeerMissingError(problem.stderr.strip()) from problem
    return done.stdout
