"""The gallery's pages: matching templates, slides by section, findings by slide."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from meetdeck.pages.console.slide_templates.listing import Entry, Finding, Slide


def matches(template: Entry, wanted: str) -> bool:
    """Return whether each searched word is in a template's name, labels or customer type."""
    text = " ".join([template.name, template.customer_type, *template.labels]).casefold()
    return all(word in text for word in wanted.casefold().split())


def group_by_section(slides: Sequence[Slide]) -> list[tuple[str, list[Slide]]]:
    """Return consecutive slides of a section, with its name; empty for none."""
    return [(section, list(group)) for section, group in groupby(slides, key=lambda slide: slide.section)]


def join_findings(findings: Sequence[Finding]) -> Mapping[str, Sequence[Finding]]:
    """Return findings by the name of their slide, empty for the file."""
    joined: dict[str, list[Finding]] = {}
    for finding in findings:
        joined.setdefault(finding.location, []).append(finding)
    return joined
