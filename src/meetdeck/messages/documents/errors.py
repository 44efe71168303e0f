"""Errors: documents cannot be made now, or not at all."""

from collections.abc import Sequence
from uuid import UUID

from meetdeck.platform.errors import NotFound
from meetdeck.platform.phrases import phrase
from meetdeck.present.findings import ValidationResult


class DeckNotPrepared(NotFound):
    """No deck has been prepared for the meeting, nor for an earlier one with its customer or topic."""

    code = "deck_not_prepared"

    def __init__(self, meeting_id: UUID) -> None:
        super().__init__(phrase("Nobody has prepared a deck for the meeting {id}.", id=meeting_id))


class DataAway(Exception):  # noqa: N818 - a state of the service, as the kinds of errors are
    """The data service gave no answer, or asked to be called later; the text is for the advisor."""


class DataRefused(Exception):  # noqa: N818 - likewise
    """The data service's answer cannot fill a deck, and a retry would not help; the text is for the advisor."""

    def __init__(self, detail: str, findings: Sequence[ValidationResult] = ()) -> None:
        super().__init__(detail)
        self.findings = findings
