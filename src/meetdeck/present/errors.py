"""The errors of the presentation service, each with its stable code."""

from collections.abc import Sequence
from difflib import get_close_matches
from uuid import UUID

from meetdeck.platform.errors import Fault, Forbidden, Invalid, NoSpace, NotFound, PreconditionFailed
from meetdeck.platform.phrases import phrase


def _did_you_mean(name: str, existing: Sequence[str]) -> str:
    near = get_close_matches(name, existing, n=3)
    return f" Did you mean {' or '.join(repr(one) for one in near)}?" if near else ""


class TemplateNotFound(NotFound):
    """No template of the tenant has this name."""

    code = "template_not_found"

    def __init__(self, name: str, existing: Sequence[str], pointer: str | None) -> None:
        detail = phrase("There is no template '{name}'.{you_mean}", name=name, you_mean=_did_you_mean(name, existing))
        super().__init__(detail, faults=(Fault(pointer, "No such template."),) if pointer else ())


class TemplateExists(PreconditionFailed):
    """A template with the name exists, and the upload should have been a new one."""

    code = "template_exists"

    def __init__(self, name: str) -> None:
        super().__init__(
            phrase(
                "The template '{name}' already exists. Leave out `If-None-Match` to upload this as "
                "its next revision, or choose another name.",
                name=name,
            )
        )


class ContentNotFound(NotFound):
    """No content of the tenant has this id, or it has expired."""

    code = "content_not_found"

    def __init__(self, pointer: str = "/contentId") -> None:
        detail = "There is no content with this id; contents expire. Upload or generate it again."
        super().__init__(detail, faults=(Fault(pointer, "No such content."),))


class LinkRefused(Forbidden):
    """A download link with a wrong signature, or an expired one."""

    code = "link_refused"

    def __init__(self) -> None:
        super().__init__("This link has expired or is not complete. Ask for a new one.")


class SlideNotFound(NotFound):
    """The template has no visible slide of this name; a hidden slide has no picture."""

    code = "slide_not_found"

    def __init__(self, template: str, name: str, shown: Sequence[str], *, is_hidden: bool = False) -> None:
        found = "hides" if is_hidden else "has no"
        super().__init__(
            phrase(
                "The template '{template_name}' {found} slide '{name}'.{you_mean}",
                template_name=template,
                found=found,
                name=name,
                you_mean=_did_you_mean(name, shown),
            )
        )


class RecipeNotFound(NotFound):
    """No recipe of the tenant has this id."""

    code = "recipe_not_found"

    def __init__(self, recipe_id: UUID) -> None:
        super().__init__(phrase("There is no recipe {recipe_id}.", recipe_id=recipe_id))


class RevisionNotFound(NotFound):
    """The template has no such revision."""

    code = "revision_not_found"

    def __init__(self, template: str, revision: int, newest: int) -> None:
        super().__init__(
            phrase(
                "The template '{template_name}' has no revision {revision}: it has 1 to {newest}.",
                template_name=template,
                revision=revision,
                newest=newest,
            )
        )


class PictureNotFound(NotFound):
    """A valid link to a picture of a template that has been deleted since."""

    code = "picture_not_found"

    def __init__(self) -> None:
        super().__init__("The template of this picture was deleted.")


class InvalidTemplate(Invalid):
    """An upload with Error findings; each is a fault."""

    code = "invalid_template"


class UnknownSlideRequested(Invalid):
    """A `slideId` that the template does not have."""

    code = "unknown_slide"


class SharedSlideMissing(Invalid):
    """A slide refers to another template's slide, but the template does not exist or has no such slide."""

    code = "shared_slide_missing"


class InvalidDeckData(Invalid):
    """Data that does not fit the template: a list for a text tag, and the like."""

    code = "invalid_data"


class MissingValues(Invalid):
    """Tags without a value, when the caller requested an error."""

    code = "missing_values"


class InvalidUpload(Invalid):
    """A form that lacks a part, or has an invalid one."""

    code = "invalid_upload"


class QuotaExceeded(NoSpace):
    """The tenant's quota of bytes or templates is full."""

    code = "quota_exceeded"


class UnreadableNotes(Invalid):
    """A presentation whose notes cannot be read, though slides and handouts can be rendered."""

    code = "unreadable_notes"

    def __init__(self, reason: str) -> None:
        detail = phrase(
            "The notes of this file cannot be read; its slides and handouts can be printed. {reason}", reason=reason
        )
        super().__init__(detail, faults=(Fault("/file", reason),))


class NotAccessible(Invalid):
    """A presentation that cannot be a PDF/UA-1: something on it has no alternative text."""

    code = "not_accessible"
