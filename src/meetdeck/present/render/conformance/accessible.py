"""PDF/UA-1: everything visible on a page is read by screen readers, in order, or is an artifact.

The renderer's elements are kept where they are good, and corrected by the presentation's alternative texts.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from pikepdf import Array, Name, Page, Pdf

from meetdeck.present.deck import Alternative, SpokenSlide
from meetdeck.present.render.conformance.contents import PageContents
from meetdeck.present.render.conformance.reading_order import Box, around, by_position, read_boxes
from meetdeck.present.render.conformance.structure import Content, Node, read_structure, write_structure
from meetdeck.present.render.postprocess import save
from meetdeck.present.render.renderer import RenderingFailed

_HEADINGS: Final = frozenset({"H", "H1", "H2", "H3", "H4", "H5", "H6", "Title"})
_FIGURES: Final = frozenset({"Figure", "Formula"})
# The greatest distance between a shape's edges and its drawing: shadows and thick lines.
_NEAR: Final = 24.0  # points
_MOSTLY: Final = 0.6


def make_accessible(document: Pdf, slides: Sequence[SpokenSlide]) -> None:
    """Write the structure of a PDF of slides, one for each page, and connect its links to it.

    Raises RenderingFailed when the renderer's PDF has no tags for its pages.
    """
    if "/StructTreeRoot" not in document.Root:
        raise RenderingFailed("The renderer writes PDFs without tags, which cannot become PDF/UA.")
    structure = read_structure(document)
    pages: list[list[Node]] = []
    for page, nodes, slide in zip(document.pages, structure, slides, strict=True):
        contents = PageContents(document, page)
        told = [node for node in _visible_nodes(nodes, page, slide.alternatives) if (_keep_shown(node, contents))]
        contents.write({one.number: node.kind for top in told for node in top.walk() for one in _own_content(node)})
        pages.append(told)
    boxes = read_boxes(save(document))
    for index, (page, slide) in enumerate(zip(document.pages, slides, strict=True)):
        pages[index] = _by_reading_order(pages[index], slide.alternatives, boxes[index])
        _place_links(page, index, pages[index], boxes[index])
    write_structure(document, pages)


def _own_content(node: Node) -> list[Content]:
    return [child for child in node.children if isinstance(child, Content)]


# ---------------------------------------------------------------- elements for screen readers


def _visible_nodes(nodes: Sequence[Node], page: Page, alternatives: Sequence[Alternative]) -> list[Node]:
    """Return the elements without the purely decorative ones; figures with their texts."""
    drawn = [one for one in alternatives if one.is_drawn]
    figures = {id(node): _match(node, page, drawn) for top in nodes for node in top.walk() if node.kind in _FIGURES}
    return [kept for node in nodes if (kept := _mended(node, figures)) is not None]


def _mended(node: Node, figures: dict[int, Alternative | None]) -> Node | None:
    if node.kind in _FIGURES:
        known = figures[id(node)]
        text = known.text if known is not None else node.alternative
        return replace(node, children=list(node.contents()), alternative=text) if text else None
    if node.kind in _HEADINGS:
        return Node("H1", list(node.contents()))
    children = [
        kept
        for child in node.children
        if (kept := child if isinstance(child, Content) else _mended(child, figures)) is not None
    ]
    attributes = node.attributes if node.kind == "TH" else None
    return Node(node.kind, children, node.alternative, attributes)


def _match(figure: Node, page: Page, drawn: list[Alternative]) -> Alternative | None:
    """Return the drawn shape that a figure shows, by its position, and remove it from the list."""
    box = _box_of(figure)
    near = [(distance, one) for one in drawn if box and (distance := _distance(box, one, page)) <= _NEAR]
    if not near:
        return None
    _, found = min(near, key=lambda entry: entry[0])
    drawn.remove(found)
    return found


def _box_of(figure: Node) -> Box | None:
    attributes: Any = figure.attributes
    for one in attributes if isinstance(attributes, Array) else () if attributes is None else (attributes,):
        if "/BBox" in one:
            return Box(*(float(edge) for edge in one.BBox))
    return None


def _distance(box: Box, shape: Alternative, page: Page) -> float:
    """Return the distance between the edges of a figure and a shape, in points."""
    place = shape.place
    if place is None:
        return float("inf")
    left, bottom, right, top = (float(edge) for edge in page.mediabox)
    width, height = right - left, top - bottom
    expected = Box(
        left + place.x * width,
        top - (place.y + place.height) * height,
        left + (place.x + place.width) * width,
        top - place.y * height,
    )
    return max(abs(one - other) for one, other in zip(box, expected, strict=True))


def _keep_shown(node: Node, contents: PageContents) -> bool:
    """Remove missing contents, and lines and areas around text; return whether anything remains."""
    known = contents.numbers if node.kind in _FIGURES else contents.shown
    node.children = [
        child
        for child in node.children
        if (child.number in known if isinstance(child, Content) else _keep_shown(child, contents))
    ]
    return bool(node.children) or node.kind in {"TH", "TD"}


# ---------------------------------------------------------------- order and links


def _by_reading_order(nodes: list[Node], alternatives: Sequence[Alternative], boxes: dict[int, Box]) -> list[Node]:
    """Return the elements in reading order: the title first, the rest as the author ordered the shapes.

    If the shapes are in the order of their creation, the author has not ordered them: then position decides.
    """
    titles = [node for node in nodes if node.kind == "H1"]
    others = [node for node in nodes if node.kind != "H1"]
    numbers = [one.number for one in alternatives]
    placed = {id(node): found for node in others if (found := _place(node, boxes)) is not None}
    if numbers == sorted(numbers) and len(placed) == len(others):
        others = by_position(others, lambda node: placed[id(node)])
    return titles + others


def _place(node: Node, boxes: dict[int, Box]) -> Box | None:
    found = [boxes[content.number] for content in node.contents() if content.number in boxes]
    return around(found) if found else None


def _place_links(page: Page, index: int, nodes: list[Node], boxes: dict[int, Box]) -> None:
    """Put each link around its text, else after all other elements of its page."""
    annotations: Any = page.obj.get("/Annots", ())
    for annotation in annotations:
        annotation.F = 4  # shown, and printed
        link = Content(index, annotation=annotation)
        box = Box(*(float(edge) for edge in annotation.Rect))
        if not any(_link_in(node, link, box, boxes) for node in nodes):
            nodes.append(Node("Link", [link]))
    if annotations:
        page.obj.Tabs = Name.S


def _link_in(node: Node, link: Content, box: Box, boxes: dict[int, Box]) -> bool:
    if node.kind in _FIGURES:
        return False
    for position, child in enumerate(node.children):
        if isinstance(child, Node):
            if _link_in(child, link, box, boxes):
                return True
            continue
        text = boxes.get(child.number)
        if text is None or not _is_within(box, text):
            continue
        covers = box.right - box.left >= _MOSTLY * (text.right - text.left)
        if covers and node.kind != "Link":
            node.children[position] = Node("Link", [child, link])
        else:
            node.children.insert(position + 1, Node("Link", [link]))
        return True
    return False


def _is_within(box: Box, text: Box) -> bool:
    x, y = (box.left + box.right) / 2, (box.bottom + box.top) / 2
    return text.left <= x <= text.right and text.bottom <= y <= text.top
