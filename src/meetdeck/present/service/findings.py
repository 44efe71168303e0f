"""The deck engine's findings in the words of the contract and of our errors."""

from collections import Counter
from collections.abc import Sequence

from meetdeck.platform.errors import Fault
from meetdeck.present.deck import Finding, TemplateError
from meetdeck.present.errors import InvalidTemplate
from meetdeck.present.schemas.resources import ValidationResult


def as_result(finding: Finding) -> ValidationResult:
    """Return a finding as the contract spells it."""
    return ValidationResult(
        finding.type, finding.message, finding.location, {"code": finding.code, **dict(finding.details)}
    )


def count_findings(findings: Sequence[Finding]) -> int:
    """Return the number of Errors and Warnings."""
    return sum(count for kind, count in Counter(finding.type for finding in findings).items() if kind != "Info")


def refuse_template(error: TemplateError) -> InvalidTemplate:
    """Return the error for a file that no deck can be built from."""
    faults = tuple(_as_fault(finding) for finding in error.findings if finding.type == "Error")
    return InvalidTemplate(f"The file cannot be a template: {error}", faults=faults)


def _as_fault(finding: Finding) -> Fault:
    where = f" (slide '{finding.location}')" if finding.location else ""
    return Fault("/file", f"{finding.message}{where}")
