"""The absences that a person may see, enter and remove: managers all, others their own (docs/decisions/0191)."""

from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from meetdeck.pages.console.absences.rows import Entry
from meetdeck.pages.console.kit import ConsolePage, IdAndName, RoleMissing, find_own
from meetdeck.platform.identity import Access


class _RestoredOwners(msgspec.Struct, frozen=True, rename="camel"):
    """The owners in a body that adds entries again."""

    employee_id: UUID | None = None
    employee_ids: list[UUID] = []
    room_id: UUID | None = None
    location: str | None = None
    service_group_id: UUID | None = None


class AbsenceScope(NamedTuple):
    """The absences that a person may handle: all, or those of `own`, None for a person who is not an employee."""

    is_everybodys: bool
    own: IdAndName | None = None

    def require_all(self, entries: Iterable[Entry]) -> None:
        """Raise RoleMissing unless all entries are included."""
        if not all(self.includes(one) for one in entries):
            raise RoleMissing

    def includes(self, entry: Entry) -> bool:
        """Return whether an entry is included."""
        return self.is_everybodys or (self.own is not None and entry.employee_id == self.own.id)

    def narrow(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return a form's values; for a person who may only handle their own, as the owner. Raises RoleMissing."""
        if self.is_everybodys:
            return values
        if self.own is None:
            raise RoleMissing
        return {**values, "employeeIds": [str(self.own.id)], "location": None, "serviceGroupId": None}

    def require_body(self, body: bytes) -> None:
        """Raise RoleMissing unless the body's owners are included; invalid JSON is left to the API to refuse."""
        if self.is_everybodys:
            return
        try:
            owners = msgspec.json.decode(body, type=_RestoredOwners)
        except msgspec.ValidationError:
            raise RoleMissing from None
        except msgspec.DecodeError:
            return
        people = {*owners.employee_ids, *([owners.employee_id] if owners.employee_id is not None else [])}
        if self.own is None or people != {self.own.id} or owners.room_id or owners.location or owners.service_group_id:
            raise RoleMissing


async def find_scope(page: ConsolePage) -> AbsenceScope:
    """Return the absences that the person may handle."""
    return (
        AbsenceScope(is_everybodys=True)
        if page.may(Access.MANAGER)
        else AbsenceScope(is_everybodys=False, own=await find_own(page))
    )
