"""What the presentation service refuses, each with its stable code."""

from collections.abc import Sequence
from difflib import get_close_matches

from meetdeck.platform.errors import Fault, Invalid, NotFound


class TemplateNotFound(NotFound):
    """No template of the tenant has this name."""

    code = "template_not_found"

    def __init__(self, name: str, existing: Sequence[str]) -> None:
        near = get_close_matches(name, existing, n=3)
        hint = f" Did you mean {' or '.join(repr(one) for one in near)}?" if near else ""
        super().__init__(f"There is no template '{name}'.{hint}", faults=(Fault("/template", "No such template."),))


class InvalidTemplate(Invalid):
    """An upload with Error findings; each is a fault."""

    code = "invalid_template"


class UnknownSlideRequested(Invalid):
    """A `slideId` that the template does not have."""

    code = "unknown_slide"


class InvalidDeckData(Invalid):
    """Data that cannot be filled in: a list for a text tag, and the like."""

    code = "invalid_data"


class MissingValues(Invalid):
    """Tags without a value, when the caller asked for an error then."""

    code = "missing_values"


class InvalidUpload(Invalid):
    """A form that lacks a part, or has one that makes no sense."""

    code = "invalid_upload"
