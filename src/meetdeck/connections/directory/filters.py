"""Converts SCIM filters to conditions that the database checks: an attribute matches a pattern. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from scim2_models import InvalidFilterException
from scim2_models.path import CompareOperator, Comparison, FilterNode, LogicalExpr, LogicalOperator, ValuePath

_ESCAPED: Final = str.maketrans({"\\": "\\\\", "%": r"\%", "_": r"\_"})
_PATTERNS: Final[Mapping[CompareOperator, str]] = {
    CompareOperator.eq: "{}",
    CompareOperator.sw: "{}%",
    CompareOperator.co: "%{}%",
    CompareOperator.ew: "%{}",
}
_EXACT: Final = frozenset({"id", "externalid", "members.value"})
"""Attributes that are compared case-sensitively."""
_SHORT: Final = {"emails": "emails.value", "phonenumbers": "phonenumbers.value", "members": "members.value"}


class Condition(NamedTuple):
    """A condition of a filter: the attribute, in lower case, matches the SQL pattern."""

    attribute: str
    pattern: str
    equal: str | None = None
    """The value that the attribute must equal, in its compared form; None for another condition."""


def read_conditions(node: FilterNode | None, attributes: frozenset[str]) -> list[Condition]:
    """Return the conditions of a filter, all of which must hold. Raises InvalidFilterException for unsupported filters.

    `attributes` are the supported names.
    """
    conditions = [] if node is None else list(_read(node))
    for condition in conditions:
        if condition.attribute not in attributes:
            raise InvalidFilterException(detail=f"Filters by {condition.attribute} are not supported.")
    return conditions


def find_equal(conditions: Sequence[Condition], attribute: str) -> str | None:
    """Return the value that an attribute must equal; None if there is no such condition."""
    return next((one.equal for one in conditions if one.attribute == attribute and one.equal is not None), None)


def _read(node: FilterNode) -> Iterator[Condition]:
    match node:
        case LogicalExpr(op=LogicalOperator.and_):
            for term in node.terms:
                yield from _read(term)
        case Comparison():
            yield _compare(node, _name(node))
        case ValuePath():
            yield _read_selected(node)
        case _:
            raise InvalidFilterException(detail="Filters are comparisons by eq, sw, co or ew, joined by and.")


def _read_selected(node: ValuePath) -> Condition:
    """Return the condition of `emails[type eq "work" and value eq "…"]`, or of `members[value eq "…"]`."""
    inner = node.val_filter
    terms = inner.terms if isinstance(inner, LogicalExpr) and inner.op == LogicalOperator.and_ else (inner,)
    compared = {_name(term): term for term in terms if isinstance(term, Comparison)}
    kind, value = compared.get("type"), compared.get("value")
    known = {name for name in ("type", "value") if name in compared}
    if value is None or len(terms) != len(known) or (kind is not None and kind.op != CompareOperator.eq):
        raise InvalidFilterException(detail="A selection compares value, and type by eq.")
    name = node.attr_path.attr.lower()
    of_type = "" if kind is None else f"[{str(kind.value).lower()}]"
    return _compare(value, f"{name}{of_type}.value")


def _compare(node: Comparison, attribute: str) -> Condition:
    pattern = _PATTERNS.get(node.op)
    if pattern is None or node.value is None:
        raise InvalidFilterException(detail=f"Comparisons by {node.op.value} are not supported.")
    text = _write(node.value)
    compared = text if attribute in _EXACT else text.lower()
    equal = compared if node.op == CompareOperator.eq else None
    return Condition(attribute, pattern.format(compared.translate(_ESCAPED)), equal)


def _write(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _name(node: Comparison) -> str:
    path = node.attr_path
    name = path.attr.lower() if path.sub_attr is None else f"{path.attr}.{path.sub_attr}".lower()
    return _SHORT.get(name, name)
