"""The errors of the deck engine; each can be corrected in the request or the template."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from meetdeck.present.deck.findings import Finding

_MOST_NAMED: Final = 5


class DeckError(Exception):
    """Base of every error of the deck engine."""


class TemplateError(DeckError):
    """The file cannot be used as a template; `findings` are all of its findings, at least one Error."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        errors = [finding.message for finding in self.findings if finding.type == "Error"]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        super().__init__(f"{errors[0]}{more}" if errors else "The file cannot be used as a template.")


class Absence(NamedTuple):
    """The reason why a requested slide is not in the deck: entry number `position_in_request`, counted from 0.

    `path` is the dotted path into the entry's data that decides it, `reason` a sentence without its full stop.
    """

    position_in_request: int
    path: str
    reason: str


class UnknownSlide(DeckError):  # noqa: N818 - named as the state it reports, like the product's error kinds
    """The template has no slide `slide_id`; `nearest` are the most similar names, best first."""

    def __init__(self, slide_id: str, position_in_request: int, nearest: tuple[str, ...]) -> None:
        self.slide_id = slide_id
        self.position_in_request = position_in_request
        self.nearest = nearest
        hint = f" Did you mean {' or '.join(repr(name) for name in nearest)}?" if nearest else ""
        super().__init__(f"The template has no slide {slide_id!r}.{hint}")


class BadData(DeckError):  # noqa: N818
    """A value does not fit its place in the template.

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


class EmptyDeck(DeckError):  # noqa: N818
    """The deck would have no slide; `absences` are the reasons, for each requested slide."""

    def __init__(self, absences: Iterable[Absence]) -> None:
        self.absences = tuple(absences)
        named = "; ".join(absence.reason for absence in self.absences[:_MOST_NAMED])
        more = len(self.absences) - _MOST_NAMED
        others = f", and {more} more slides for similar reasons" if more > 0 else ""
        why = f"{named}{others}. Send data that keeps at least one slide" if named else "None was requested"
        super().__init__(f"The deck would have no slides. {why}.")


class DeckTooLarge(DeckError):  # noqa: N818
    """The requested deck exceeds the size of a file; request fewer slides."""


class MissingSharedSlide(DeckError):  # noqa: N818
    """Slide `slide` is a placeholder for a slide of another template; that slide, `reference`, is missing."""

    def __init__(self, slide: str, reference: str, position_in_request: int) -> None:
        self.slide = slide
        self.position_in_request = position_in_request
        super().__init__(
            f"Slide {slide!r} refers to {reference}, which does not exist. Upload it, or leave this slide out."
        )
