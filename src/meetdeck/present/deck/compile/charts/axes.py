"""Marks of a chart's axes: bounds, step and title, which the data may set."""

from copy import deepcopy
from functools import partial
from typing import Final

from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.language.values import escape_attribute
from meetdeck.present.deck.opc.xml import A, Element, insert_after, local_name, parse, remove, serialize_inside
from meetdeck.present.deck.program.charts.axes import AxisMember, make_axis, member_slot
from meetdeck.present.deck.program.nodes import Slot
from meetdeck.present.deck.program.scope import Program

C: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_NAMESPACES: Final = f'xmlns:c="{C[1:-1]}" xmlns:a="{A[1:-1]}"'
# The elements that the schema requires before an axis' title, and after its step.
_BEFORE_TITLE: Final = frozenset({"axId", "scaling", "delete", "axPos", "majorGridlines", "minorGridlines"})
_BEHIND_STEP: Final = frozenset({"majorUnit", "majorTimeUnit", "minorUnit", "minorTimeUnit", "dispUnits", "extLst"})
_NEW_TITLE: Final = (
    f'<c:title {_NAMESPACES}><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t/></a:r></a:p></c:rich></c:tx><c:overlay val="0"/>'
    "</c:title>"
).encode()


def mark_axis(axis: Element, role: str, markers: Markers) -> None:
    """Mark an axis and its members; `role` is its name in the data."""
    scaling = axis.find(C + "scaling")
    if role:
        _mark_title(axis, markers)
        if local_name(axis) != "catAx":
            _mark_step(axis, markers)
            if scaling is not None:
                # The schema requires the maximum first.
                _mark_number(scaling, "min", "min", frozenset({"logBase", "orientation", "max"}), markers)
                _mark_number(scaling, "max", "max", frozenset({"logBase", "orientation"}), markers)
    logarithmic = scaling is not None and scaling.find(C + "logBase") is not None
    markers.wrap(axis, partial(make_axis, axis_id(axis), local_name(axis), role, logarithmic))


def axis_id(axis: Element) -> str:
    """Return the id of an axis (XML text)."""
    identifier = axis.find(C + "axId")
    return escape_attribute((identifier.get("val", "") or "") if identifier is not None else "")


def _mark_number(parent: Element, element: str, member: str, before: frozenset[str], markers: Markers) -> None:
    """Mark a child that holds a number, even if it is missing."""
    new = next(parse(f'<c:x {_NAMESPACES}><c:{element} val=""/></c:x>'.encode()).iterchildren())
    new.set("val", markers.node(Slot(member_slot(member))))
    form = markers.cut_bytes(serialize_inside(new, parent))
    _place(parent, C + element, before, member_slot(member), form, markers)


def _mark_step(axis: Element, markers: Markers) -> None:
    before = frozenset(local_name(child) for child in axis.iterchildren()) - _BEHIND_STEP
    for minor in axis.iterchildren(C + "minorUnit"):
        # The template's number may be longer than the data's step.
        markers.wrap(minor, lambda body: AxisMember(body, member_slot("step"), ()))
    _mark_number(axis, "majorUnit", "step", before, markers)


def _mark_title(axis: Element, markers: Markers) -> None:
    form = markers.cut_bytes(serialize_inside(_title_form(axis.find(C + "title"), markers), axis))
    _place(axis, C + "title", _BEFORE_TITLE, member_slot("title"), form, markers)


def _title_form(own: Element | None, markers: Markers) -> Element:
    """Return a title with a slot for its text, in the look of the template's."""
    title = parse(_NEW_TITLE) if own is None else deepcopy(own)
    title.tail = None
    runs = list(title.iter(A + "r"))
    if not runs:
        for text in title.findall(C + "tx"):
            remove(text)
        title.insert(0, next(parse(_NEW_TITLE).iterchildren()))
        runs = list(title.iter(A + "r"))
    first = runs[0].getparent()
    for paragraph in list(title.iter(A + "p")):
        if paragraph is not first:
            remove(paragraph)
    for child in list(first.iterchildren()) if first is not None else ():
        if child is not runs[0] and local_name(child) not in {"pPr", "endParaRPr"}:
            remove(child)
    for text in runs[0].iterchildren(A + "t"):
        text.text = markers.node(Slot(member_slot("title")))
    return title


def _place(parent: Element, tag: str, before: frozenset[str], slot: str, form: Program, markers: Markers) -> None:
    """Wrap the child of a tag in a node that the data may replace; without one, put the node where it belongs."""
    own = parent.find(tag)
    if own is not None:
        markers.wrap(own, lambda body: AxisMember(body, slot, form))
        return
    mark = markers.node(AxisMember((), slot, form))
    previous = [child for child in parent.iterchildren() if local_name(child) in before]
    if previous:
        insert_after(previous[-1], mark)
    else:
        parent.text = mark + (parent.text or "")
