"""A Python candidate's process: `python -m deck_peers.run MODULE cold|warm < job.json > measured.json`."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from deck_peers.job import Job
from deck_peers.rounds import measure


def main() -> None:
    """Import the one candidate, so that no other's imports count, and measure it."""
    module, temperature = sys.argv[1:]
    candidate: Any = import_module(f"deck_peers.{module}")
    job = msgspec.json.decode(sys.stdin.buffer.read(), type=Job)
    template = Path(job.template).read_bytes()
    # The first deck is a cold one either way: there is nothing yet that could be kept.
    prepare = (lambda: candidate.warm(job, template)) if temperature == "warm" else None
    measured = measure(job, candidate.cold(job, template), prepare)
    print(msgspec.json.encode(measured).decode())


main()
