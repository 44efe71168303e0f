"""What alternative texts ask for: `{{image:logo}}`, `{{chart:sales}}`, `{{table:rows}}`, `{{if:x}}`, `{{each:items}}`.

Conditions drop their shape, or the slide when they stand on its title or in the first line of its notes; pictures,
charts and tables without a value drop theirs too.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Final

from meetdeck.present.deck.compile.context import Marking
from meetdeck.present.deck.compile.images import can_show_pictures, mark_image
from meetdeck.present.deck.compile.tables import is_table, mark_table
from meetdeck.present.deck.compile.text.stories import mark_plain
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.syntax import Directive, Problem, scan
from meetdeck.present.deck.language.values import ABSENT
from meetdeck.present.deck.opc.xml import MC, A, Element, R, query, remove
from meetdeck.present.deck.presentation.paragraphs import ParagraphText
from meetdeck.present.deck.program.charts import data as charts
from meetdeck.present.deck.program.conditions import ShapeRule, is_shown
from meetdeck.present.deck.program.images import nodes as images
from meetdeck.present.deck.program.nodes import Range
from meetdeck.present.deck.program.scope import Ignored, Scope, find, note_ignored, note_missing
from meetdeck.present.deck.program.slots import shape_slot
from meetdeck.present.deck.program.tables import data as tables

_TITLES: Final = frozenset({"title", "ctrTitle"})
_PLACEHOLDERS: Final = query("*/p:nvPr/p:ph")
_CHART_REFERENCE: Final = query("a:graphic/a:graphicData/*[local-name()='chart']")
_NOTES_BODY: Final = query("p:cSld/p:spTree//p:sp[p:nvSpPr/p:nvPr/p:ph/@type='body']/p:txBody/a:p")
_CHART_TYPE: Final = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml"
# What to do about a directive on a shape of another kind.
_TARGETS: Final = {
    "image": "shows a picture: put it into the alternative text of a picture or a shape.",
    "table": "needs a table: put it into the alternative text of one (Insert, Table).",
    "chart": "needs a native chart: put it into the alternative text of one (Insert, Chart). Waterfalls, treemaps, "
    "funnels, maps and the like stay as they are.",
    "each": "repeats a slide: put it into the alternative text of the slide's title.",
}
_DIAGRAM: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
_DRAWING: Final = "{http://schemas.microsoft.com/office/drawing/2008/diagram}dataModelExt"
_SLIDE_KINDS: Final = frozenset({"if", "unless", "each"})


def mark_alternative_texts(root: Element, marking: Marking) -> None:
    """Fill the tags in alternative texts, and do what directives in them ask for."""
    for properties in list(root.iter("{*}cNvPr")):
        if "{{" in f"{properties.get('descr')}{properties.get('title')}":
            _mark_alternative_text(properties, marking)


def mark_shared_alternative_texts(root: Element, marking: Marking) -> None:
    """Fill the tags in the alternative texts of a layout or master; directives belong on slides."""
    for properties in list(root.iter("{*}cNvPr")):
        place = Place(properties.get("name", "") or "", 0, "alternative text")
        for attribute in ("descr", "title"):
            text, directives = _split(properties.get(attribute, "") or "")
            if directives or "{{" in text:
                properties.set(attribute, mark_plain(text, place, marking))
                marking.marks.changed()
            for directive in directives:
                message = (
                    f"{directive.source} stands on the {marking.kind}, which all slides share, and does nothing there: "
                    "put it into the alternative text of a shape on the slide."
                )
                marking.report(place, Problem("Warning", "missing-target", message, directive.source))


def _mark_alternative_text(properties: Element, marking: Marking) -> None:
    place = Place(properties.get("name", "") or "", 0, "alternative text")
    directives: list[Directive] = []
    for attribute in ("descr", "title"):
        if attribute in properties.attrib:
            text, found = _split(properties.get(attribute, "") or "")
            directives += found
            properties.set(attribute, mark_plain(text, place, marking))
    shape = _shape_of(properties)
    if shape is None or next(shape.iterancestors(MC + "Fallback"), None) is not None:
        # The fallback of something newer goes and stays with it.
        return
    taken: Directive | None = None
    # The conditions first: nobody asks for the picture of a shape that goes.
    for directive in sorted(directives, key=lambda directive: directive.kind in _FILL):
        if taken and directive.kind in _FILL:
            message = (
                f"{directive.source} finds its shape taken by {taken.source}: one picture, chart or table for each."
            )
            marking.report(place, Problem("Warning", "missing-target", message, directive.source))
            continue
        taken = directive if directive.kind in _FILL else taken
        _obey(directive, shape, place, marking)


def _split(text: str) -> tuple[str, list[Directive]]:
    """Return a text without its directives, and these."""
    directives: list[Directive] = []
    pieces: list[str] = []
    position = 0
    for start, end, what in scan(text):
        if isinstance(what, Directive):
            directives.append(what)
            pieces.append(text[position:start])
            position = end
    rest = "".join((*pieces, text[position:]))
    return (rest.strip() if directives else rest), directives


def _shape_of(properties: Element) -> Element | None:
    parent = properties.getparent()
    return parent.getparent() if parent is not None else None


def _obey(directive: Directive, shape: Element, place: Place, marking: Marking) -> None:
    if directive.kind in _SLIDE_KINDS and _is_title(shape):
        marking.slide_directives.append(directive)
    elif directive.kind in {"if", "unless"}:
        _drop_shape(shape, _condition(directive), marking)
    elif not _has_target(directive, shape, marking):
        message = f"{directive.source} {_TARGETS[directive.kind]}"
        marking.report(place, Problem("Warning", "missing-target", message, directive.source))
        return
    else:
        _drop_shape(shape, _has_value(directive, place, marking.package.words), marking)
        _FILL[directive.kind](shape, directive, place, marking)
    marking.use(directive, place)


def _has_target(directive: Directive, shape: Element, marking: Marking) -> bool:
    """Return whether the shape is of the kind that the directive needs."""
    match directive.kind:
        case "image":
            return can_show_pictures(shape)
        case "table":
            return is_table(shape)
        case "chart":
            return _chart_relationship(shape, marking) is not None
        case _:
            return False


def _is_title(shape: Element) -> bool:
    return any(placeholder.get("type") in _TITLES for placeholder in _PLACEHOLDERS(shape))


def _condition(directive: Directive) -> Callable[[Scope], bool]:
    return lambda scope: is_shown(directive, scope)


def _has_value(directive: Directive, place: Place, words: Collection[str]) -> Callable[[Scope], bool]:
    """Return what tells whether there is a value; it notes what of the value nothing reads."""

    def has_value(scope: Scope) -> bool:
        value = find(directive, scope)
        for ignored in _IGNORED[directive.kind](value):
            if ignored.path not in words:
                note_ignored(directive, place, scope, ignored)
        if directive.kind == "image":
            value = images.picture_source(value)
        if value is ABSENT or value is None or value == "":
            note_missing(directive, place, scope, f"the {directive.kind} is left out")
            return False
        return True

    return has_value


def _drop_shape(shape: Element, is_shown: Callable[[Scope], bool], marking: Marking) -> None:
    """Make a shape go when the data says so, with what else there is to it: see `ShapeRule`."""
    slot = shape_slot(marking.part, len(marking.shape_rules))
    relationships = _relationships_within(shape) | _drawings_within(shape, marking)
    around = {shape, *shape.iterancestors()}
    rules = zip(marking.shape_rules, marking.ruled_shapes, strict=True)
    within = frozenset(rule.slot for rule, ruled in rules if ruled in around)
    marking.shape_rules.append(ShapeRule(slot, is_shown, _ids_within(shape), relationships, within))
    marking.ruled_shapes.append(shape)
    choice = next(shape.iterancestors(MC + "AlternateContent"), None)
    marking.marks.wrap(shape if choice is None else choice, lambda body: Range(slot, body))


def _ids_within(shape: Element) -> frozenset[str]:
    return frozenset(properties.get("id", "") or "" for properties in shape.iter("{*}cNvPr"))


def _relationships_within(shape: Element) -> frozenset[str]:
    """Return the ids of the relationships that nothing else in the part uses."""
    inside = _relationship_ids(shape.iter())
    if not inside:
        return frozenset()
    within = set(shape.iter())
    root = next(iter(list(shape.iterancestors())[-1:]), shape)
    return frozenset(inside - _relationship_ids(element for element in root.iter() if element not in within))


def _drawings_within(shape: Element, marking: Marking) -> frozenset[str]:
    """Return the ids of the relationships to the drawings of SmartArt, which its data part names and not the shape."""
    parts = {relationship.id: relationship.part for relationship in marking.package.relationships(marking.part)}
    data = (parts.get(diagram.get(R + "dm", "") or "") for diagram in shape.iter(_DIAGRAM))
    roots = (marking.package.peek(part) for part in data if part)
    found = (extension.get("relId", "") for root in roots if root is not None for extension in root.iter(_DRAWING))
    return frozenset(filter(None, found))


def _relationship_ids(elements: Iterable[Element]) -> set[str]:
    return {value for element in elements for name, value in element.attrib.items() if name.startswith(R)}


def _chart_relationship(shape: Element, marking: Marking) -> str | None:
    """Return the id of the relationship that leads to a shape's native chart."""
    identifiers = {reference.get(R + "id", "") for reference in _CHART_REFERENCE(shape)}
    for relationship in marking.package.relationships(marking.part):
        if relationship.id in identifiers and marking.package.content_type(relationship.part or "") == _CHART_TYPE:
            return relationship.id
    return None


def _mark_chart(shape: Element, directive: Directive, place: Place, marking: Marking) -> None:
    """Note which chart part the directive is about; the part itself is marked when its turn comes."""
    identifier = _chart_relationship(shape, marking)
    if identifier:
        marking.charts[identifier] = (directive, place)


_IGNORED: Final[dict[str, Callable[[object], Iterable[Ignored]]]] = {
    "image": images.find_ignored,
    "chart": charts.find_ignored,
    "table": tables.find_ignored,
}
_FILL: Final[dict[str, Callable[[Element, Directive, Place, Marking], None]]] = {
    "image": mark_image,
    "chart": _mark_chart,
    "table": mark_table,
}


def take_notes_directives(root: Element, marking: Marking) -> None:
    """Take the directives for the slide out of the first line of its notes."""
    paragraph = next(iter(_NOTES_BODY(root)), None)
    if paragraph is None:
        return
    text = ParagraphText(paragraph)
    found = [one for one in text.scan() if isinstance(one.what, Directive) and one.what.kind in _SLIDE_KINDS]
    for start, end, what in found:
        if isinstance(what, Directive):
            place = Place("", 1, marking.kind)
            marking.use(what, place)
            marking.slide_directives.append(what)
        text.replace(start, end, "")
    text.apply()
    if found:
        marking.marks.changed()
        _remove_blank(paragraph)


def _remove_blank(paragraph: Element) -> None:
    body = paragraph.getparent()
    if body is not None and len(body.findall(A + "p")) > 1 and not ParagraphText(paragraph).text.strip():
        remove(paragraph)
