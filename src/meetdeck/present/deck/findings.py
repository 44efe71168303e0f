"""Findings about a template or a deck: the contract's ValidationResult, section 2."""

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct, field

Severity = Literal["Error", "Warning", "Info"]


class Finding(Struct, frozen=True, forbid_unknown_fields=True):
    """A finding.

    `type` Error: no deck can be built; Warning: the result may not be what the author meant; Info: good to know. `code`
    is stable, for programs; `message` describes the fault and the remedy, for people. `location` is the slide's name,
    empty for the file as a whole. `details` names shape, paragraph, tag, part, suggestion.
    """

    type: Severity
    code: str
    message: str
    location: str = ""
    details: Mapping[str, str | int] = field(default_factory=dict[str, str | int])


def error(code: str, message: str, location: str = "", **details: str | int) -> Finding:
    """Return a finding that refuses the template."""
    return Finding("Error", code, message, location, details)


def warning(code: str, message: str, location: str = "", **details: str | int) -> Finding:
    """Return a finding that the author should look at."""
    return Finding("Warning", code, message, location, details)


def info(code: str, message: str, location: str = "", **details: str | int) -> Finding:
    """Return a finding that is good to know."""
    return Finding("Info", code, message, location, details)


def has_errors(findings: Iterable[Finding]) -> bool:
    """Return whether one of the findings is an Error."""
    return any(finding.type == "Error" for finding in findings)


class Place(Struct, frozen=True, gc=False):
    """The place of a tag, for messages: the shape's name, the paragraph's number in it, the kind of part."""

    shape: str
    paragraph: int
    part: str
