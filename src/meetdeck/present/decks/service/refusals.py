"""The deck engine's errors in terms of the request: which member of the body is at fault."""

from collections.abc import Callable
from typing import Final

from meetdeck.platform.errors import Fault, MeetdeckError
from meetdeck.platform.phrases import phrase
from meetdeck.present.deck import (
    Absence,
    BadData,
    Deck,
    DeckError,
    DeckTooLarge,
    EmptyDeck,
    Finding,
    MissingSharedSlide,
    UnknownSlide,
)
from meetdeck.present.errors import InvalidDeckData, MissingValues, SharedSlideMissing, UnknownSlideRequested

REFUSALS: Final = (UnknownSlide, MissingSharedSlide, BadData, EmptyDeck, DeckTooLarge)
"""The errors of a deck that cannot be built as requested."""

DataPointer = Callable[[int], str]
"""Returns where the data of a slide entry is in the body."""


def refuse(error: DeckError, data_pointer: DataPointer) -> MeetdeckError:
    """Return the refusal with the faulty members of a request whose deck failed with one of `REFUSALS`."""
    match error:
        case UnknownSlide():
            pointer = f"/slides/{error.position_in_request}/slideId"
            return UnknownSlideRequested(str(error), faults=(Fault(pointer, str(error)),))
        case MissingSharedSlide():
            entry = data_pointer(error.position_in_request).removesuffix("/data")
            pointer = f"{entry}/slideId" if entry else "/template"
            return SharedSlideMissing(str(error), faults=(Fault(pointer, str(error)),))
        case BadData():
            pointer = f"{data_pointer(error.position_in_request)}/{error.path.replace('.', '/')}"
            return InvalidDeckData(str(error), faults=(Fault(pointer, error.reason),))
        case EmptyDeck():
            return InvalidDeckData(str(error), faults=tuple(_as_fault(one, data_pointer) for one in error.absences))
        case _:
            return InvalidDeckData(str(error), faults=(Fault("/slides", str(error)),))


def refuse_missing(deck: Deck, data_pointer: DataPointer) -> None:
    """Raise MissingValues with every tag that had no value in a deck, if there is any."""
    missing = [finding for finding in deck.findings if finding.code == "missing-value"]
    if missing:
        raise MissingValues(
            phrase(
                "{count} tags have no value. Send one for each, or call without `missing=error`.", count=len(missing)
            ),
            faults=tuple(_as_missing(finding, data_pointer) for finding in missing),
        )


def _as_fault(absence: Absence, data_pointer: DataPointer) -> Fault:
    pointer = f"{data_pointer(absence.position_in_request)}/{absence.path.replace('.', '/')}"
    return Fault(pointer, f"{absence.reason}.")


def _as_missing(finding: Finding, data_pointer: DataPointer) -> Fault:
    """Return the fault for a tag's value: `/slides/0/data/customer/name`."""
    path = str(finding.details["path"]).replace(".", "/")
    pointer = data_pointer(int(finding.details["position"]))
    without_consequence = finding.message.rpartition("; ")[0]
    return Fault(
        f"{pointer}/{path}",
        phrase(
            "{without_consequence}, on slide '{location}'.",
            without_consequence=without_consequence,
            location=finding.location,
        ),
    )
