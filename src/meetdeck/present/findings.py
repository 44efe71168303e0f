"""Findings of the deck engine: as the contract spells them, and as the faults of a refusal."""

from typing import Any, Literal

import msgspec

from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.present.deck import Finding, TemplateError
from meetdeck.present.errors import InvalidTemplate


class ValidationResult(msgspec.Struct, frozen=True):
    """A finding about a template; `location` is the slide's name."""

    type: Literal["Error", "Warning", "Info"]
    """The severity of the finding: with an Error, no deck can be built."""
    message: str
    """A sentence with the finding, and what to do."""
    location: str
    """The slide's name; empty: the file."""
    details: dict[str, Any]
    """The same for programs: shape, tag, font and so on."""


def as_result(finding: Finding) -> ValidationResult:
    """Return a finding as the contract spells it."""
    return ValidationResult(
        finding.type, finding.message, finding.location, {"code": finding.code, **dict(finding.details)}
    )


def refuse_template(error: TemplateError) -> InvalidTemplate:
    """Return the error for a file from which no deck can be built."""
    faults = tuple(_as_fault(finding) for finding in error.findings if finding.type == "Error")
    return InvalidTemplate(phrase("The file cannot be a template: {error}", error=error), faults=faults)


def _as_fault(finding: Finding) -> Fault:
    where = f" (slide '{finding.location}')" if finding.location else ""
    return Fault("/file", f"{finding.message}{where}")
