"""Say everything that can be said about a template, good or bad."""

from meetdeck.present.deck.compile import compile_template
from meetdeck.present.deck.errors import TemplateError
from meetdeck.present.deck.findings import Finding
from meetdeck.present.deck.limits import DEFAULT_LIMITS, Limits


def validate_template(data: bytes, limits: Limits = DEFAULT_LIMITS) -> list[Finding]:
    """Return all findings of a file, Errors first; none of type Error means that decks can be built from it."""
    try:
        findings = compile_template(data, limits).findings
    except TemplateError as refusal:
        findings = refusal.findings
    order = {"Error": 0, "Warning": 1, "Info": 2}
    return sorted(findings, key=lambda finding: order[finding.type])
