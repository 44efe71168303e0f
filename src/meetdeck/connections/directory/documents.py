"""Converts a SCIM User to an employee's members, and an employee to a User. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from meetdeck.booking.directory.employees.schemas import Employee

Document = Mapping[str, Any]
"""A User without `id`, `schemas` and `meta`, in SCIM's names."""

_KINDS_OF_PHONES: Final = ("work", "mobile")


def read_employee(user: Document) -> dict[str, Any]:
    """Return the members of an employee that a User describes, in the names of the API."""
    name: Document = user.get("name") or {}
    user_name: str = user["userName"].strip()
    email = _choose(user.get("emails") or [], ("work",)) or (user_name if "@" in user_name else "")
    parts = [name.get("givenName"), name.get("middleName"), name.get("familyName")]
    whole = " ".join(part for part in parts if part)
    return {
        "name": user.get("displayName") or name.get("formatted") or whole or user_name,
        "email": email,
        "phone": _choose(user.get("phoneNumbers") or [], _KINDS_OF_PHONES),
        "title": user.get("title") or "",
        "active": user.get("active") is not False,
        "externalId": user.get("externalId") or "",
        "firstName": name.get("givenName") or "",
        "lastName": name.get("familyName") or "",
    }


def write_user(employee: Employee) -> dict[str, Any]:
    """Return the User of an employee that no directory has written yet."""
    name = {"givenName": employee.first_name, "familyName": employee.last_name, "formatted": employee.name}
    members: dict[str, Any] = {
        "userName": employee.email or str(employee.id),
        "externalId": employee.external_id,
        "name": {key: value for key, value in name.items() if value},
        "displayName": employee.name,
        "title": employee.title,
        "emails": _write_one(employee.email),
        "phoneNumbers": _write_one(employee.phone),
    }
    return {key: value for key, value in members.items() if value}


def keep(user: Document) -> dict[str, Any]:
    """Return the members of a User to store: without the server's own members and without empty entries."""
    kept = {key: value for key, value in user.items() if key not in {"id", "schemas", "meta"}}
    for name in ("emails", "phoneNumbers"):
        if name in kept:
            kept[name] = [one for one in kept[name] if one.get("value")]
    return {key: value for key, value in kept.items() if value not in (None, [], {})}


def _choose(entries: Sequence[Document], kinds: Sequence[str]) -> str:
    """Return the value of the first entry of a kind, else of the primary entry, else of the first."""
    valued = [one for one in entries if one.get("value")]
    ranked = [one for kind in kinds for one in valued if str(one.get("type", "")).lower() == kind]
    primary = [one for one in valued if one.get("primary")]
    return next((one["value"] for one in (*ranked, *primary, *valued)), "")


def _write_one(value: str) -> list[dict[str, Any]]:
    return [{"value": value, "type": "work", "primary": True}] if value else []
