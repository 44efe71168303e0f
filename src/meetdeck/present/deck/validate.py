"""Say everything that can be said about a template, good or bad."""

from collections.abc import Collection

from meetdeck.present.deck.compile import compile_template
from meetdeck.present.deck.errors import TemplateError
from meetdeck.present.deck.findings import Finding
from meetdeck.present.deck.fitting.typefaces import Typefaces
from meetdeck.present.deck.limits import DEFAULT_LIMITS, Limits


def validate_template(
    data: bytes,
    limits: Limits = DEFAULT_LIMITS,
    *,
    installed_fonts: Collection[str] | None = None,
    typefaces: Typefaces | None = None,
) -> list[Finding]:
    """Return all findings of a file, Errors first; none of type Error means that decks can be built from it."""
    try:
        findings = compile_template(data, limits, installed_fonts=installed_fonts, typefaces=typefaces).findings
    except TemplateError as refusal:
        findings = refusal.findings
    order = {"Error": 0, "Warning": 1, "Info": 2}
    return sorted(findings, key=lambda finding: order[finding.type])
