"""What the directory refuses, each with its stable code."""

from collections.abc import Sequence
from uuid import UUID

from meetdeck.platform.errors import Conflict, Fault, NotFound


class ResourceNotFound(NotFound):
    """Something named by id does not exist, or belongs to another tenant."""

    code = "not_found"

    def __init__(self, kind: str, resource_id: UUID | str, *, pointer: str = "") -> None:
        detail = f"There is no {kind} {resource_id}."
        super().__init__(detail, faults=(Fault(pointer, detail),) if pointer else ())


class ResourceExists(Conflict):
    """Something of that id, or of a name that only one may have, is there already."""

    code = "already_exists"

    def __init__(self, detail: str, *, pointer: str) -> None:
        super().__init__(detail, faults=(Fault(pointer, detail),))


class ResourceInUse(Conflict):
    """Something cannot be deleted while others rely on it; `uses` names some of the `total` (docs/api.md#deletion)."""

    code = "in_use"

    def __init__(self, what: str, uses: Sequence[str], total: int) -> None:
        more = total - len(uses)
        named = ", ".join(uses) + (f" and {more} more" if more > 0 else "")
        super().__init__(f"{what} is in use by {named}. Change or delete that first.")
