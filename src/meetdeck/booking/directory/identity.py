"""Choosing a resource's id, and refusing missing or existing resources."""

from typing import TypeVar
from uuid import UUID, uuid4

import msgspec
from msgspec import NODEFAULT, UNSET
from msgspec.structs import FieldInfo, fields, replace

from meetdeck.booking.directory.errors import ResourceExists, ResourceInUse, ResourceNotFound
from meetdeck.booking.directory.uses import Uses
from meetdeck.booking.kinds import Kind
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import InvalidInput

T = TypeVar("T")
B = TypeVar("B", bound=msgspec.Struct)


def require_found(found: T | None, kind: Kind, resource_id: UUID) -> T:
    """Return the found resource. Raises ResourceNotFound for None."""
    if found is None:
        raise ResourceNotFound(kind, resource_id)
    return found


def complete(body: B, current: msgspec.Struct | None) -> B:
    """Return a body of v2 with the members only in v3: the current resource's, or a new one's defaults."""
    missing = (field for field in fields(body) if getattr(body, field.name) is UNSET and field.default is not UNSET)
    return replace(
        body,
        **{field.name: _find_default(field) if current is None else getattr(current, field.name) for field in missing},
    )


def _find_default(field: FieldInfo) -> object:
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def choose_id(body_id: UUID | None, current_id: UUID | None = None) -> UUID:
    """Return the id of the resource to save: the current one, else the caller's, else a new one.

    Raises InvalidInput when the caller's is not the current one.
    """
    if current_id is not None and body_id not in {None, current_id}:
        detail = "The id cannot be changed; leave it out."
        raise InvalidInput(phrase("/id: {detail}", detail=detail), faults=(Fault("/id", detail),))
    return current_id or body_id or uuid4()


def id_taken(kind: Kind, resource_id: UUID) -> ResourceExists:
    """Return the error for an id that is already used."""
    return ResourceExists(
        phrase(
            "The id {resource_id} is taken; a new {kind} needs a new one, or none.", resource_id=resource_id, kind=kind
        ),
        pointer="/id",
    )


def require_unused(kind: Kind, name: str, uses: Uses) -> None:
    """Raise ResourceInUse for a resource that is to be deleted and has uses."""
    if uses.total:
        raise ResourceInUse(phrase("The {kind} {name}", kind=kind, name=name), uses.named, uses.total)
