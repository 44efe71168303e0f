"""Rewrites PATCH bodies from directories for the library, and changes the members of groups itself.

The library scans all members for each one named, and Entra names a thousand in one operation.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple, cast

from scim2_models import InvalidPathException, InvalidSyntaxException, InvalidValueException, PatchOp, Path
from scim2_models.path import AttrPath, CompareOperator, Comparison, FilterNode, LogicalExpr, LogicalOperator

from meetdeck.connections.directory.models import Group, GroupMember

_GROUP_URN: Final = f"{Group.__schema__}:".lower()
_MEMBERS: Final = "members"


def split_operations(body: object) -> dict[str, Any]:
    """Return a PATCH body in which each operation has a path; one without a path is split by attribute.

    So `emails[type eq "work"].value` also works as a name in a value. Raises InvalidSyntaxException.
    """
    if not isinstance(body, dict):
        raise InvalidSyntaxException(detail="A PATCH is an object with schemas and Operations.")
    members = cast("dict[str, Any]", body)
    name = next((key for key in members if key.lower() == "operations"), None)
    operations = members.get(name) if name is not None else None
    if name is None or not isinstance(operations, list):
        return members
    split = [one for each in cast("list[object]", operations) for one in _split(each)]
    # An operation without attributes changes nothing, but a PATCH must have operations.
    return members | {name: split or operations}


def _split(operation: object) -> Iterator[object]:
    if not isinstance(operation, dict):
        yield operation
        return
    members = {key.lower(): value for key, value in cast("dict[str, Any]", operation).items()}
    value = members.get("value")
    if members.get("path") or not isinstance(value, dict) or str(members.get("op")).lower() == "remove":
        yield members
        return
    for path, one in cast("dict[str, Any]", value).items():
        if path.lower() not in {"schemas", "id", "meta"}:
            yield {"op": members.get("op"), "path": path, "value": one}


class MemberChange(NamedTuple):
    """An operation on a group's members: the ordered `ids`, and `op`: add, remove or replace."""

    op: str
    ids: list[str]

    def apply(self, members: dict[str, GroupMember]) -> dict[str, GroupMember]:
        """Return the resulting members by id."""
        if self.op == "remove":
            gone = set(self.ids)
            return {key: member for key, member in members.items() if key not in gone}
        kept = members if self.op == "add" else {}
        return kept | {
            one: members.get(one) or GroupMember.model_construct(value=one) for one in self.ids if one not in kept
        }


class GroupPatch:
    """A PATCH of a group: the changes of its members, and the operations left to the library."""

    def __init__(self, changes: list[MemberChange], rest: PatchOp[Group] | None) -> None:
        self._changes = changes
        self._rest = rest

    def patch(self, group: Group) -> bool:
        """Change a group; return whether anything differs. Raises SCIMException."""
        before = {str(one.value): one for one in group.members or []}
        members = before
        for change in self._changes:
            members = change.apply(members)
        changed = self._rest is not None and self._rest.patch(group)
        if members.keys() == before.keys():
            return changed
        group.members = list(members.values())
        return True


def take_member_changes(body: dict[str, Any]) -> tuple[list[MemberChange], dict[str, Any] | None]:
    """Return the member changes in a split body, and the rest of the body; None if nothing is left.

    Raises SCIMException.
    """
    name = next((key for key in body if key.lower() == "operations"), "Operations")
    operations = cast("list[object]", body.get(name) if isinstance(body.get(name), list) else [])
    rest: list[object] = []
    changes: list[MemberChange] = []
    for operation in operations:
        change = _read_member_change(operation)
        if change is None:
            rest.append(operation)
        else:
            changes.append(change)
    return changes, {**body, name: rest} if rest or not changes else None


def _read_member_change(operation: object) -> MemberChange | None:
    """Return an operation on `members`; None for other attributes.

    Raises InvalidPathException, InvalidValueException.
    """
    if not isinstance(operation, dict):
        return None
    members = cast("dict[str, Any]", operation)
    path, op = members.get("path"), str(members.get("op")).lower()
    if not isinstance(path, str) or op not in {"add", "remove", "replace"}:
        return None
    attribute = path.strip().lower().removeprefix(_GROUP_URN)
    if attribute == _MEMBERS:
        value = members.get("value")
        if op == "remove" and value is None:
            return MemberChange("replace", [])
        return MemberChange(op, list(_list_values(value)))
    if attribute.startswith(f"{_MEMBERS}["):
        if op == "add":
            raise InvalidPathException(path=path, detail="Members are added by the path members.")
        selected = list(_list_selected(Path[Group](path).value_filter, path))
        return MemberChange("remove", selected)
    return None


def _list_values(value: object) -> Iterator[str]:
    given = cast("list[object]", value if isinstance(value, list) else [value])
    for one in given:
        member = cast("Mapping[str, object]", one).get("value") if isinstance(one, dict) else one
        if not isinstance(member, str) or not member:
            raise InvalidValueException(detail="Each of the members is an object with the id of a user as its value.")
        yield member


def _list_selected(node: FilterNode | None, path: str) -> Iterator[str]:
    """Yield the ids of `members[value eq "…" or value eq "…"]`."""
    match node:
        case Comparison(attr_path=AttrPath(attr="value", sub_attr=None), op=CompareOperator.eq, value=str(value)):
            yield value
        case LogicalExpr(op=LogicalOperator.or_):
            for term in node.terms:
                yield from _list_selected(term, path)
        case _:
            raise InvalidPathException(path=path, detail='Members are selected as members[value eq "…"].')
