"""Bodies and patches of meetings in v2, and with the booking flow's member names."""

from collections.abc import Sequence

from msgspec.structs import replace

from meetdeck.booking.scheduling.meetings.schemas.meetings import NewMeeting
from meetdeck.platform.errors import Fault
from meetdeck.platform.values.patching import JsonPatch, PatchOperation
from meetdeck.platform.values.patching.operations import CopyOperation, MoveOperation

# The names of a meeting's members in the booking flow.
_FLOWS_NAMES = {"customerCategoryId": "customerTypeId", "themeId": "topicId"}

_SINCE_V3 = (
    "/attendance",
    "/calendarUnverified",
    "/cancellationReason",
    "/isCustomer",
    "/language",
    "/originalStartDate",
    "/recurrence",
    "/seriesId",
    "/sharedSlotId",
)


def leave_to_v3(patch: Sequence[PatchOperation]) -> JsonPatch:
    """Return a patch without the operations on members of v3 only."""
    return [operation for operation in patch if not operation.path.endswith(_SINCE_V3)]


def translate_patch(patch: Sequence[PatchOperation]) -> JsonPatch:
    """Return a patch with the contract's paths for one that may have the booking flow's."""
    return [
        replace(operation, path=_translate(operation.path), from_=_translate(operation.from_))
        if isinstance(operation, MoveOperation | CopyOperation)
        else replace(operation, path=_translate(operation.path))
        for operation in patch
    ]


def _translate(pointer: str) -> str:
    name = pointer[1:]
    return f"/{_FLOWS_NAMES.get(name, name)}" if pointer.startswith("/") else pointer


def check_crm_id(body: NewMeeting, written: dict[str, object]) -> Fault | None:
    """Return a fault for a v2 body without `crmId`, unless it is the booking flow's (docs/api/meetings.md).

    `written` is the original JSON: the flow is recognized by its own names, or by its lower-case values.
    """
    in_flow = (
        body.customer_category_id is not None
        or body.theme_id is not None
        or any(str(written.get(name, "")).islower() for name in ("bookedBy", "type"))
    )
    if body.crm_id or in_flow:
        return None
    return Fault("/crmId", "crmId is required in v2.")
