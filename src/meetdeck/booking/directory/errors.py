"""What the directory refuses, each with its stable code."""

from uuid import UUID

from meetdeck.platform.errors import Fault, NotFound


class ResourceNotFound(NotFound):
    """Something named by id does not exist, or belongs to another tenant."""

    code = "not_found"

    def __init__(self, kind: str, resource_id: UUID | str, *, pointer: str = "") -> None:
        detail = f"There is no {kind} {resource_id}."
        super().__init__(detail, faults=(Fault(pointer, detail),) if pointer else ())
