"""Errors of the registry, each with its stable code."""

from collections.abc import Sequence
from uuid import UUID

from meetdeck.platform.errors import Conflict, Fault, Invalid, NotFound
from meetdeck.platform.phrases import phrase


class LabelNotFound(NotFound):
    """No label of the tenant has this id."""

    code = "label_not_found"

    def __init__(self, label_id: UUID) -> None:
        super().__init__(phrase("There is no label {label_id}.", label_id=label_id))


class LabelledResourceNotFound(NotFound):
    """The resource that should get labels does not exist, or was deleted meanwhile."""

    code = "not_found"

    def __init__(self, kind: str, resource_id: UUID) -> None:
        super().__init__(phrase("There is no {kind} {resource_id}.", kind=kind, resource_id=resource_id))


class LabelExists(Conflict):
    """The tenant already has a label with this name, in any case of its letters."""

    code = "label_exists"

    def __init__(self, name: str) -> None:
        detail = phrase("There is a label '{name}' already, perhaps in other case.", name=name)
        super().__init__(
            detail, faults=(Fault("/labelName", "Taken; change that label instead, or choose another name."),)
        )


class LabelInUse(Conflict):
    """A label in use cannot be deleted."""

    code = "label_in_use"

    def __init__(self, name: str, usage_count: int, labelled: Sequence[str]) -> None:
        more = usage_count - len(labelled)
        named = ", ".join(labelled) + (f" and {more} more" if more > 0 else "")
        super().__init__(
            phrase("The label '{name}' is in use by {named}. Take it off there first.", name=name, named=named)
        )


class InvalidLabel(Invalid):
    """A label's name is empty or too long, or there are too many labels."""

    code = "invalid_label"
