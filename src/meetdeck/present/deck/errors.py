"""What the deck engine refuses; every one of these is the caller's or the template's to mend."""

from collections.abc import Iterable

from meetdeck.present.deck.findings import Finding


class DeckError(Exception):
    """Base of every refusal of the deck engine."""


class TemplateError(DeckError):
    """The file cannot be used as a template; `findings` holds everything noticed, at least one Error."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        errors = [finding.message for finding in self.findings if finding.type == "Error"]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        super().__init__(f"{errors[0]}{more}" if errors else "The file cannot be used as a template.")


class UnknownSlide(DeckError):  # noqa: N818 - named as the state it reports, like the product's error kinds
    """No slide of the template carries `slide_id`; `nearest` are the names that look most like it, best first."""

    def __init__(self, slide_id: str, position_in_request: int, nearest: tuple[str, ...]) -> None:
        self.slide_id = slide_id
        self.position_in_request = position_in_request
        self.nearest = nearest
        hint = f" Did you mean {' or '.join(repr(name) for name in nearest)}?" if nearest else ""
        super().__init__(f"The template has no slide {slide_id!r}.{hint}")


class BadData(DeckError):  # noqa: N818
    """A value cannot be written where the template wants it.

    `path` is the dotted path into the entry's data, `position_in_request` counts the slide entries from 0.
    """

    def __init__(self, *, slide: str, shape: str, tag: str, path: str, reason: str, position_in_request: int) -> None:
        self.slide = slide
        self.shape = shape
        self.tag = tag
        self.path = path
        self.reason = reason
        self.position_in_request = position_in_request
        where = f"slide {slide!r}, shape {shape!r}" if shape else f"slide {slide!r}"
        super().__init__(f"The value at {path!r} cannot fill {tag} on {where}: {reason}")


class DeckTooLarge(DeckError):  # noqa: N818
    """The deck asked for would grow past what one file may hold; ask for fewer slides."""
