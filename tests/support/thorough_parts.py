"""The parts of `make thorough` besides its dates, with the minutes that each takes on two idle processors."""

import os
import shutil
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Final

from support.failover.machines import find_missing

_HEAVY: Final = ("-m", "thorough")
_NOT_PRESENT: Final = "--ignore=tests/integration/present"
_EXAMPLES: Final = 300


@dataclass(frozen=True)
class Part:
    """Some tests in an environment, or a command: its name, minutes, and how to repeat it."""

    name: str
    minutes: float
    again: str
    tests: tuple[str, ...] = ()
    """pytest's arguments that choose the tests."""
    command: tuple[str, ...] = ()
    """A command instead of pytest."""
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    loops: int = 0
    """The number of processes that compute beside it."""


def list_heavy() -> Generator[Part]:
    """Yield the heavy tests that can run on this machine and rarely fail."""
    yield _mark("LibreOffice", 3, "tests/integration/present")
    yield _mark(
        "what else is heavy in the parts and over HTTP",
        4,
        "tests/unit",
        "tests/http",
        "tests/integration",
        _NOT_PRESENT,
    )
    yield _mark("installations and wheels", 14, "tests/e2e", "tests/browser")
    yield Part("the types of everything", 3, ".venv/bin/basedpyright", command=(".venv/bin/basedpyright",))
    yield _vary("the API through PgBouncer", 9, "MEETDECK_THROUGH_PGBOUNCER=1", "tests/http")
    yield _vary("the slot search on random firms", 5, f"MEETDECK_SLOT_EXAMPLES={_EXAMPLES}", "tests/unit/booking/slots")
    yield _vary("more random examples", 4, f"MEETDECK_EXAMPLES={_EXAMPLES}", "-m", "hypothesis", "tests/unit")
    occupancy = "tests/integration/test_occupancy_model.py"
    yield _vary("what is taken, by a model", 4, f"MEETDECK_OCCUPANCY_EXAMPLES={_EXAMPLES}", occupancy)
    yield _vary("64 rivals for specialists", 1, "MEETDECK_JOINT_RIVALS=64", "tests/integration/test_joint_rivals.py")
    yield Part("random input of decks", 3, "make fuzz", ("tests/fuzz", f"--examples={_EXAMPLES}"))
    upgrade = "MEETDECK_UPGRADE_SECONDS=10"
    yield _vary("the upgrade from the previous release", 5, upgrade, "tests/e2e/test_upgrade.py", *_HEAVY)
    if os.geteuid() == 0 and shutil.which("debootstrap"):
        yield Part("both images", 12, "make image", command=("make", "image"))
    if find_missing() is None:
        yield Part("failover of the database", 16, "make failover", command=("make", "failover"))


def _mark(name: str, minutes: float, *folders: str) -> Part:
    return Part(f"heavy: {name}", minutes, f"make test ARGS='-m thorough {' '.join(folders)}'", (*_HEAVY, *folders))


def _vary(name: str, minutes: float, variable: str, *tests: str) -> Part:
    key, _, value = variable.partition("=")
    again = f"{variable} make test ARGS='{' '.join(tests)}'"
    return Part(name, minutes, again, tests, environment=os.environ | {key: value})
