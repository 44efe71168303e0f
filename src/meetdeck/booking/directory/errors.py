"""Errors of the directory, each with its stable code."""

from collections.abc import Sequence
from uuid import UUID

import msgspec

from meetdeck.booking.kinds import Kind
from meetdeck.platform.errors import Conflict, Fault, NotFound
from meetdeck.platform.phrases import join, phrase


class ResourceNotFound(NotFound):
    """The resource does not exist, or belongs to another tenant."""

    code = "not_found"

    def __init__(self, kind: Kind, resource_id: UUID | str, *, pointer: str = "") -> None:
        detail = phrase("There is no {kind} {resource_id}.", kind=kind, resource_id=resource_id)
        super().__init__(detail, faults=(Fault(pointer, detail),) if pointer else ())


class ResourceExists(Conflict):
    """A resource with the same id or unique name already exists."""

    code = "already_exists"

    def __init__(self, detail: str, *, pointer: str) -> None:
        super().__init__(detail, faults=(Fault(pointer, detail),))


class ResourceInUse(Conflict):
    """The resource is in use and cannot be deleted; `uses` names some of the `total` uses (docs/api/changes.md)."""

    code = "in_use"

    def __init__(self, what: str, uses: Sequence[str], total: int) -> None:
        more = total - len(uses)
        named = join(uses, ", ")
        if more > 0:
            named = phrase("{uses} and {number} more", uses=named, number=more)
        super().__init__(phrase("{what} is in use by {named}. Change or delete that first.", what=what, named=named))


class PictureMissing(NotFound):
    """The employee has no picture, or has another one than the request keeps."""

    code = "no_picture"

    def __init__(self, pointer: str = "") -> None:
        detail = "The employee has no such picture. Upload it again as a content, and name that."
        super().__init__(detail, faults=(Fault(pointer, detail),) if pointer else ())


class OwnedByDirectory(Conflict):
    """The firm's directory owns the resource, or the members that would change (docs/directory.md)."""

    code = "provisioned"

    def __init__(self, kind: Kind, name: str, members: Sequence[str] = ()) -> None:
        detail = phrase(
            "The {kind} {name} comes from the organization's directory: change it there.", kind=kind, name=name
        )
        super().__init__(detail, faults=tuple(Fault(f"/{member}", detail) for member in members))


def require_same(kind: Kind, before: msgspec.Struct, after: msgspec.Struct, owned: Sequence[str]) -> None:
    """Raise OwnedByDirectory, with a fault for each, if members that the directory owns would change."""
    names = {field.name: field.encode_name for field in msgspec.structs.fields(before)}
    changed = [names[member] for member in owned if getattr(before, member) != getattr(after, member)]
    if changed:
        raise OwnedByDirectory(kind, getattr(before, "name", ""), changed)
