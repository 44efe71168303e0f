"""The result of a check: ok, a warning or a fault; in words, with what to do."""

from enum import StrEnum

import msgspec


class Status(StrEnum):
    """The severity, from good to bad."""

    OK = "ok"
    WARNING = "warning"
    FAULT = "fault"


_BADNESS = {status: place for place, status in enumerate(Status)}


class Finding(msgspec.Struct, frozen=True):
    """The state that a check found, and what to do about it; empty if all is well."""

    status: Status
    detail: str
    advice: str = ""


class CheckResult(msgspec.Struct, frozen=True):
    """A check's finding, under the check's name."""

    name: str
    status: Status
    detail: str
    advice: str


class Examination(msgspec.Struct, frozen=True):
    """All findings, and the worst status among them."""

    status: Status
    checks: list[CheckResult]

    @property
    def is_sound(self) -> bool:
        """Return whether nothing is broken."""
        return self.status is not Status.FAULT


def ok(detail: str) -> Finding:
    """Return the finding that all is well."""
    return Finding(Status.OK, detail)


def warning(detail: str, advice: str) -> Finding:
    """Return the finding of something that works but should be looked at."""
    return Finding(Status.WARNING, detail, advice)


def fault(detail: str, advice: str) -> Finding:
    """Return the finding of something that does not work."""
    return Finding(Status.FAULT, detail, advice)


def name_finding(name: str, finding: Finding) -> CheckResult:
    """Return a finding with the name of its check."""
    return CheckResult(name, finding.status, finding.detail, finding.advice)


def gather(checks: list[CheckResult]) -> Examination:
    """Return the findings combined into one."""
    return Examination(max((one.status for one in checks), key=_BADNESS.__getitem__), checks)


def sum_up(problems: list[Finding], otherwise: str) -> Finding:
    """Return all problems of one check as one finding; `otherwise` is the state if there are none."""
    if not problems:
        return ok(otherwise)
    worst = max((one.status for one in problems), key=_BADNESS.__getitem__)
    details = " ".join(one.detail for one in problems)
    return Finding(worst, details, " ".join(dict.fromkeys(one.advice for one in problems)))
