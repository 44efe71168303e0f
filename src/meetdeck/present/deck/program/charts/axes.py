"""Axes of a filled chart: bounds, steps and titles from the data, else the template's."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.language.values import Unwritable, is_object
from meetdeck.present.deck.program.charts.adjustable import Adjustable, as_in_template
from meetdeck.present.deck.program.charts.cells import write_string
from meetdeck.present.deck.program.charts.columns import find_serial, read_text, write_number
from meetdeck.present.deck.program.charts.data import ChartTemplate, UnplottableError
from meetdeck.present.deck.program.scope import IgnoredMember, Program, Scope, run

BOUNDS: Final = ("min", "max", "step")
_MEMBERS: Final = (*BOUNDS, "title")
# Other names of the axes of a scatter or bubble chart.
_ALIASES: Final[Mapping[str, str]] = {"x": "category", "y": "value"}
_TEXTS: Final = "catAx"


def member_slot(name: str) -> str:
    """Return the slot name of a member of the current axis; empty for an automatic one."""
    return f"chart:axis-member:{name}"


class AxisMember(Adjustable, frozen=True):
    """A bound, the step or the title of an axis: `form` writes it with the value of the data, which is in `slot`."""

    slot: str
    form: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the member: the data's, else the template's; nothing if the data says null."""
        value = scope.slots.get(self.slot)
        if value is None:
            run(self.plain, out, scope)
        elif value:
            run(self.form, out, scope)


class AxisTemplate(Struct, frozen=True):
    """An axis, with its element's local name; `role` is its name in the data, empty for one without.

    `body` is the axis of the template, `adjustable` has a place for each of its members.
    """

    id: str
    kind: str
    role: str
    logarithmic: bool
    body: Program
    adjustable: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the axis."""
        run(self.body, out, scope)

    def adjust(self, members: Mapping[str, object], path: str, template: ChartTemplate, scope: Scope) -> Program:
        """Set the slots of the data's members, and return the program that writes them. Raises `UnplottableError`."""
        texts = {"title": _write_title(members["title"], f"{path}.title")} if "title" in members else {}
        if self.kind != _TEXTS:
            texts |= self._read_bounds(members, path, template)
        scope.slots |= {member_slot(name): text.encode() for name, text in texts.items()}
        return self.adjustable

    def find_ignored(self, members: Mapping[str, object], path: str) -> Iterator[IgnoredMember]:
        """Yield the members of the data that the axis cannot use."""
        for name in members:
            if name not in _MEMBERS:
                yield IgnoredMember(f"{path}.{name}", "An axis has min, max, step and title.")
            elif self.kind == _TEXTS and name in BOUNDS:
                yield IgnoredMember(f"{path}.{name}", "An axis of texts has no numbers: only its title can be set.")

    def _read_bounds(self, members: Mapping[str, object], path: str, template: ChartTemplate) -> dict[str, str]:
        dated = self.role == "category" and template.dated
        texts: dict[str, str] = {}
        for name in BOUNDS:
            if name in members:
                serial = find_serial(members[name], f"{path}.{name}", template) if dated and name != "step" else None
                texts[name] = serial or _write_bound(members[name], f"{path}.{name}", dated=dated)
        numbers = {name: float(text) for name, text in texts.items() if text}
        if numbers.get("min", 0) >= numbers.get("max", numbers.get("min", 0) + 1):
            raise UnplottableError(f"{path}.max", "it is not above min; write a larger number, or null for automatic.")
        if numbers.get("step", 1) <= 0:
            raise UnplottableError(f"{path}.step", "it is not above 0; write the distance between the marks.")
        for name in ("min", "max"):
            if self.logarithmic and numbers.get(name, 1) <= 0:
                raise UnplottableError(f"{path}.{name}", "it is not above 0, where the template's logarithmic axis is.")
        return texts


def make_axis(identifier: str, kind: str, role: str, logarithmic: bool, body: Program) -> AxisTemplate:  # noqa: FBT001 - of a partial
    """Return an axis from its program."""
    return AxisTemplate(identifier, kind, role, logarithmic, as_in_template(body), body)


def read_axes(axes: object) -> Mapping[str, Mapping[str, object]]:
    """Return the members of each axis of the data, by the names of axes. Raises `UnplottableError`."""
    if axes is None:
        return {}
    if not is_object(axes):
        raise UnplottableError("axes", 'it is not an object; write {"value": {"min": 0, "max": 100, "step": 20}}.')
    found: dict[str, Mapping[str, object]] = {}
    for name, members in axes.items():
        if members is None:
            continue
        if not is_object(members):
            raise UnplottableError(f"axes.{name}", "it is not an object; write min, max, step or title in one.")
        found[name] = members
    return found


def find_axis(name: str, template: ChartTemplate) -> str:
    """Return the role of the axis that the data names."""
    return _ALIASES.get(name, name) if template.kind != "category" else name


def clear_members(scope: Scope) -> None:
    """Empty the slots of the written axis."""
    for name in _MEMBERS:
        scope.slots.pop(member_slot(name), None)


def _write_title(value: object, path: str) -> str:
    return "" if value is None else write_string(read_text(value, path))


def _write_bound(value: object, path: str, *, dated: bool) -> str:
    try:
        return "" if value is None else write_number(value)
    except Unwritable as problem:
        what = "neither a date like 2026-01-31 nor a number" if dated else "not a number"
        raise UnplottableError(path, f"it is {what}; write one, or null for an automatic one.") from problem
