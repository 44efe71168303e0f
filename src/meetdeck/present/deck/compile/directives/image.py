"""`{{image:logo fit=cover}}` in an alternative text: the shape shows a picture from the data.

`contain`, the default, shrinks the shape around its centre to the picture's proportions where needed. PowerPoint's own
way, margins by a negative `a:srcRect`, would keep the shape's size, but LibreOffice distorts pictures with margins in
every shape that is not a plain rectangle.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Final

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.directives.fillings import Filling
from meetdeck.present.deck.compile.directives.paint import FILLS
from meetdeck.present.deck.compile.directives.reading import list_directives
from meetdeck.present.deck.compile.directives.shapes import WITH_RELATIONSHIPS
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.language.directives import CODES, PICTURES
from meetdeck.present.deck.opc.xml import (
    MC,
    A,
    Element,
    P,
    R,
    append_text,
    insert_after,
    local_name,
    parse,
    remove,
    without,
)
from meetdeck.present.deck.presentation.alternatives import DECORATIVE, is_decorative
from meetdeck.present.deck.presentation.geometry import Frame, drawn_size, find_frame, find_placeholder
from meetdeck.present.deck.presentation.paragraphs import paragraph_text
from meetdeck.present.deck.program.images.codes import HasCode
from meetdeck.present.deck.program.images.nodes import (
    ContainedFrame,
    CoveringCrop,
    CoveringFill,
    HasPicture,
    IfDecorative,
    PictureId,
    VectorExtension,
    describe_picture,
)

_DECORATIVE: Final = (
    f'<a:ext xmlns:a="{A[1:-1]}" uri="{{C183D7F6-B498-43B3-948B-1728B52AA6E4}}"><adec:decorative '
    f'xmlns:adec="{DECORATIVE[1:].partition("}")[0]}" val="1"/></a:ext>'
).encode()
_PREFIXES: Final = {A: "a", P: "p"}
_BEFORE_FILLS: Final = frozenset({"xfrm", "custGeom", "prstGeom"})
# The placeholders that PowerPoint puts a picture into, given as `type`.
_FOR_PICTURES: Final = frozenset({"pic", "obj", "clipArt"})


def can_show_pictures(shape: Element, _: PartContext) -> bool:
    """Return whether a shape can show a picture, either as a picture or as its fill."""
    return shape.tag in {P + "pic", P + "sp"}


def _mark_image(shape: Element, directive: Directive, place: Place, context: PartContext) -> None:
    """Mark a shape, whose alternative text had the directive, to show the picture.

    A `p:pic` gets another picture, an empty placeholder becomes a `p:pic`, any other `p:sp` is filled with the picture.
    """
    _Image(shape, directive, place, context).mark()


class _Image:
    """A shape that is to show a picture."""

    def __init__(self, shape: Element, directive: Directive, place: Place, context: PartContext) -> None:
        self._shape = shape
        self._directive = directive
        self._place = place
        self._markers = context.markers
        self._in_card = context.repeats(shape)
        self._frame = find_frame(shape, context.part.name, context.package)
        self._fit = dict(directive.options).get("fit", directive.type.fit)

    def mark(self) -> None:
        self._mark_description()
        if is_empty_placeholder(self._shape):
            make_picture(self._shape)
        properties = get_properties(self._shape)
        if self._fit == "contain" and self._frame:
            self._mark_frame(properties, self._frame)
        if self._shape.tag == P + "pic":
            self._mark_picture()
        else:
            self._mark_fill(properties)

    def _mark_description(self) -> None:
        directive, place = self._directive, self._place
        opening, closing = self._markers.range(lambda body: describe_picture(directive, place, body))
        properties = self._shape.find(f"*/{P}cNvPr")
        if properties is not None:
            properties.set("descr", opening + (properties.get("descr") or "") + closing)
            self._mark_decorative(properties)

    def _mark_decorative(self, properties: Element) -> None:
        """Mark the shape as decorative, as PowerPoint does, if the data says so."""
        if is_decorative(properties):
            return
        extensions, extension = properties.find(A + "extLst"), parse(_DECORATIVE)
        if extensions is None:
            extensions = _append(properties, "extLst")
            extensions.insert(0, extension)
            extension = extensions
        else:
            extensions.insert(0, extension)
        self._markers.wrap(extension, lambda body: IfDecorative(self._directive, self._place, body))

    def _mark_frame(self, properties: Element, frame: Frame) -> None:
        transform = properties.find(A + "xfrm")
        if transform is None:
            transform = deepcopy(frame.element)
            properties.insert(0, transform)
        without(transform.iterchildren(), "off", "ext")
        _, x, y, width, height = frame
        prefix, ratio = _prefix(transform), self._ratio(frame)
        node = ContainedFrame(self._directive, self._place, prefix, x, y, width, height, ratio, in_card=self._in_card)
        transform.text = self._markers.node(node)

    def _ratio(self, frame: Frame) -> float:
        width, height = drawn_size(self._shape, frame)
        return width / height

    def _mark_picture(self) -> None:
        fill = self._shape.find(P + "blipFill")
        if fill is None:
            fill = _new(P, "blipFill")
            self._shape.insert(1, fill)
        blip = self._replace_blip(fill)
        if self._fit == "cover" and self._frame:
            node = CoveringCrop(self._directive, self._place, _prefix(blip), self._ratio(self._frame))
            insert_after(blip, self._markers.node(node))
        stretch = _append(fill, "stretch")
        _append(stretch, "fillRect")

    def _mark_fill(self, properties: Element) -> None:
        if self._shape.get("useBgFill"):
            self._shape.set("useBgFill", "0")
        without(properties.iterchildren(), *FILLS)
        fill = _new(A, "blipFill")
        fill.set("dpi", "0")
        fill.set("rotWithShape", "1")
        properties.insert(sum(local_name(child) in _BEFORE_FILLS for child in properties.iterchildren()), fill)
        self._replace_blip(fill)
        stretch = _append(fill, "stretch")
        if self._fit == "cover" and self._frame:
            node = CoveringFill(self._directive, self._place, _prefix(stretch), self._ratio(self._frame))
            stretch.text = self._markers.node(node)
        else:
            _append(stretch, "fillRect")

    def _replace_blip(self, fill: Element) -> Element:
        """Empty a `blipFill` except for a new `a:blip`; effects are kept, extensions describe the old picture."""
        old = fill.find(A + "blip")
        effects = [child for child in old.iterchildren() if local_name(child) != "extLst"] if old is not None else []
        for child in list(fill.iterchildren()):
            remove(child)
        blip = _append(fill, "blip")
        blip.set(R + "embed", self._markers.node(PictureId(self._directive, self._place)))
        for index, effect in enumerate(effects):
            blip.insert(index, effect)
        if self._directive.kind not in CODES:
            node = VectorExtension(self._directive, self._place, _prefix(blip))
            append_text(blip, self._markers.node(node))
        return blip


def _new(namespace: str, name: str) -> Element:
    prefix = _PREFIXES[namespace]
    return parse(f'<{prefix}:{name} xmlns:{prefix}="{namespace[1:-1]}"/>'.encode())


def _append(parent: Element, name: str) -> Element:
    child = _new(A, name)
    parent.insert(sum(1 for _ in parent.iterchildren()), child)
    return child


def _prefix(element: Element) -> str:
    return f"{element.prefix}:" if element.prefix else ""


def get_properties(shape: Element) -> Element:
    """Return the `p:spPr`, which the schema requires."""
    properties = shape.find(P + "spPr")
    if properties is None:
        properties = _new(P, "spPr")
        shape.insert(2 if shape.tag == P + "pic" else 1, properties)
    return properties


def is_empty_placeholder(shape: Element) -> bool:
    """Return whether a shape is a placeholder that waits for a picture."""
    placeholder = find_placeholder(shape)
    if placeholder is None or shape.tag != P + "sp" or shape.get("useBgFill"):
        return False
    kind = placeholder.get("type") or "obj"
    return kind == "pic" or (kind in _FOR_PICTURES and not any(map(paragraph_text, shape.iter(A + "p"))))


def make_picture(shape: Element) -> None:
    """Turn an empty placeholder into the `p:pic` that PowerPoint creates when a picture is inserted."""
    shape.tag = P + "pic"
    without(shape.iterchildren(), "txBody")
    for names in shape.iterchildren(P + "nvSpPr"):
        names.tag = P + "nvPicPr"
        without(names.iterchildren(), "cNvSpPr")
        properties = _new(P, "cNvPicPr")
        names.insert(1, properties)
        locks = _append(properties, "picLocks")
        locks.set("noGrp", "1")
        locks.set("noChangeAspect", "1")


IMAGE: Final = Filling(can_show_pictures, _mark_image, HasPicture)
CODE: Final = Filling(can_show_pictures, _mark_image, HasCode)


def replaced_relationships(root: Element) -> frozenset[str]:
    """Return the ids of relationships used only by pictures that the data replaces.

    `root` is a part's tree before anything in it is marked.
    """
    gone = {element for shape in _image_shapes(root) for element in _replaced_elements(shape)}
    if not gone:
        return frozenset()
    gone_ids, kept_ids = set[str](), set[str]()
    for element in WITH_RELATIONSHIPS(root):
        ids = gone_ids if element in gone else kept_ids
        ids.update(value for name, value in element.attrib.items() if name.startswith(R))
    return frozenset(gone_ids - kept_ids)


def _image_shapes(root: Element) -> Iterator[Element]:
    for properties in root.iter(P + "cNvPr"):
        found = list_directives(properties)
        if not found or not any(directive.kind in PICTURES for directive in found):
            continue
        shape = next(properties.iterancestors(P + "pic", P + "sp"), None)
        if shape is not None and next(shape.iterancestors(MC + "Fallback"), None) is None:
            yield shape


def _replaced_elements(shape: Element) -> Iterator[Element]:
    """Yield the elements that `_mark_image` removes from a shape."""
    blip = shape.find(f"{P}blipFill/{A}blip")
    if blip is not None:
        yield blip
        for extensions in blip.iterchildren(A + "extLst"):
            yield from extensions.iter()
    if shape.tag == P + "sp" and not is_empty_placeholder(shape):
        for fill in shape.iterchildren(P + "spPr"):
            yield from fill.iter(A + "blip")
