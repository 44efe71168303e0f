"""Faults that a test scripts: which requests meet them, and what happens then."""

import re
from typing import Literal

import msgspec

from graph_fake.problems import GraphProblem


class Fault(msgspec.Struct, rename="camel", kw_only=True):
    """A planned fault of matching requests: it happens `times` times, after the first `skip` have passed.

    `kind`: `Refuse` answers `status` and does nothing. `Lose` does the work and then answers `status`: the caller
    cannot know. `Hang` never answers, `HangAfter` does the work first. `Late` does the work and answers after
    `seconds`. `Twice` does the work twice, as a proxy that repeats, and gives the second answer. `Cut` does the work
    and closes the connection within the answer.
    """

    kind: Literal["Refuse", "Lose", "Hang", "HangAfter", "Late", "Twice", "Cut"] = "Refuse"
    method: str = ""
    path: str = ""
    """A regular expression that is searched in the path; empty: any."""
    times: int = 1
    """-1: for ever."""
    skip: int = 0
    status: int = 503
    retry_after: int | None = None
    seconds: float = 0.0

    def matches(self, method: str, path: str) -> bool:
        """Return whether a request meets the fault."""
        return (not self.method or self.method.upper() == method) and re.search(self.path, path) is not None

    def to_problem(self) -> GraphProblem:
        """Return the refusal."""
        code = {429: "TooManyRequests", 503: "serviceNotAvailable", 504: "UnknownError"}.get(
            self.status, "UnknownError"
        )
        headers = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        return GraphProblem(self.status, code, "A scripted fault.", headers)


class Faults:
    """The faults that are still to happen, the first that matches first."""

    def __init__(self) -> None:
        self.waiting: list[Fault] = []

    def take(self, method: str, path: str) -> Fault | None:
        """Return the fault that this request meets, and count it."""
        for fault in self.waiting:
            if not fault.matches(method, path):
                continue
            if fault.skip > 0:
                fault.skip -= 1
                continue
            if fault.times > 0:
                fault.times -= 1
            if fault.times == 0:
                self.waiting.remove(fault)
            return fault
        return None
