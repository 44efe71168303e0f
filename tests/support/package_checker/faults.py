"""The faults of a package, and whether it had them before."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

_NUMBER: Final = re.compile(r"[0-9]+")


class Fault(NamedTuple):
    """A fault that PowerPoint could stumble over: its kind, the part that shows it, and the details."""

    kind: str
    part: str
    detail: str

    def __str__(self) -> str:
        """Write it on one line."""
        return f"{self.kind} in {self.part or 'the package'}: {self.detail}"

    @property
    def signature(self) -> tuple[str, str]:
        """Return a key that the faults of a part and of its renumbered copies share."""
        return self.kind, _NUMBER.sub("#", self.detail)


def new_faults(found: Iterable[Fault], known: Iterable[Fault]) -> list[Fault]:
    """Return the faults that the other file does not have: a template's own faults are not its decks'."""
    inherited = {fault.signature for fault in known}
    return [fault for fault in found if fault.signature not in inherited]
