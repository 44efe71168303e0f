"""The structure of a document, which screen readers use: elements over the contents of pages (PDF 32000-1, 14.7)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from pikepdf import Array, Dictionary, Name, Page, Pdf, String

from meetdeck.present.render.conformance.contents import Raw

# Elements that only contain others: their children count.
_AROUND: Final = frozenset({"Document", "Sect", "Part", "Art", "StructTreeRoot"})
_DEEPEST: Final = 50


@dataclass(slots=True)
class Content:
    """A marked content of a page, or an annotation on it."""

    page: int
    number: int = -1
    annotation: Raw = None


@dataclass(slots=True)
class Node:
    """An element: its kind (standard structure type), its children, its text for people who cannot see it."""

    kind: str
    children: "list[Node | Content]" = field(default_factory=list)
    alternative: str = ""
    attributes: Raw = None

    def contents(self) -> Iterator[Content]:
        """Yield all contents below."""
        for child in self.children:
            if isinstance(child, Content):
                yield child
            else:
                yield from child.contents()

    def walk(self) -> "Iterator[Node]":
        """Yield the element and all elements below."""
        yield self
        for child in self.children:
            if isinstance(child, Node):
                yield from child.walk()


def read_structure(document: Pdf) -> list[list[Node]]:
    """Return the elements of each page, in their order, without annotations."""
    pages = {page.obj.objgen: index for index, page in enumerate(document.pages)}
    by_page: list[list[Node]] = [[] for _ in document.pages]
    root = document.Root.get("/StructTreeRoot")
    for node in _read_children(root, None, pages, _roles(root), 0) if root is not None else ():
        content = next(node.contents(), None) if isinstance(node, Node) else None
        if isinstance(node, Node) and content is not None:
            by_page[content.page].append(node)
    return by_page


def _roles(root: Raw) -> Mapping[str, str]:
    return {str(name): str(kind) for name, kind in dict(root.get("/RoleMap", {})).items()} if root is not None else {}


def _read_children(
    element: Raw, page: int | None, pages: Mapping[tuple[int, int], int], roles: Mapping[str, str], depth: int
) -> "Iterator[Node | Content]":
    kids = element.get("/K")
    if "/Pg" in element:
        page = pages.get(element.Pg.objgen, page)
    for kid in () if kids is None else kids if isinstance(kids, Array) else (kids,):
        if isinstance(kid, Dictionary):
            yield from _read(kid, page, pages, roles, depth)
        elif page is not None:
            yield Content(page, int(kid))


def _read(
    kid: Dictionary, page: int | None, pages: Mapping[tuple[int, int], int], roles: Mapping[str, str], depth: int
) -> "Iterator[Node | Content]":
    if "/MCID" in kid:
        page = pages.get(kid.Pg.objgen, page) if "/Pg" in kid else page
        if page is not None:
            yield Content(page, int(kid.MCID))  # pyright: ignore[reportArgumentType] - an integer
        return
    if "/S" not in kid or depth > _DEEPEST:
        return
    kind = roles.get(str(kid.S), str(kid.S)).removeprefix("/")
    children = list(_read_children(kid, page, pages, roles, depth + 1))
    if kind in _AROUND:
        yield from children
    else:
        yield Node(kind, children, str(kid.get("/Alt", "")), kid.get("/A"))


def write_structure(document: Pdf, pages: list[list[Node]]) -> None:
    """Write the structure: a section for each page, and the elements of its contents (the parent tree)."""
    writer = _Writer(document)
    root = document.make_indirect(Dictionary(Type=Name.StructTreeRoot))
    top = document.make_indirect(Dictionary(Type=Name.StructElem, S=Name.Document, P=root))
    sections = [
        writer.write(Node("Sect", list(nodes)), top, page)
        for page, nodes in zip(document.pages, pages, strict=True)
        if nodes
    ]
    top.K = Array(sections)
    root.K = Array([top])
    root.ParentTree = document.make_indirect(Dictionary(Nums=Array(writer.parents())))
    root.ParentTreeNextKey = len(document.pages) + len(writer.annotations)
    document.Root.StructTreeRoot = root
    document.Root.MarkInfo = Dictionary(Marked=True)


class _Writer:
    def __init__(self, document: Pdf) -> None:
        self._document = document
        self._contents: list[dict[int, Raw]] = [{} for _ in document.pages]
        self.annotations: list[Raw] = []

    def write(self, node: Node, parent: Raw, page: Page) -> Raw:
        """Return the element of a node, written with everything below it."""
        element: Raw = self._document.make_indirect(
            Dictionary(Type=Name.StructElem, S=Name("/" + node.kind), P=parent, Pg=page.obj)
        )
        if node.alternative:
            element.Alt = String(node.alternative)
        if node.attributes is not None:
            element.A = node.attributes
        element.K = Array([self._child(child, element, page) for child in node.children])
        return element

    def _child(self, child: Node | Content, element: Raw, page: Page) -> Raw:
        if isinstance(child, Node):
            return self.write(child, element, page)
        if child.annotation is None:
            self._contents[child.page][child.number] = element
            return child.number
        child.annotation.StructParent = len(self._contents) + len(self.annotations)
        self.annotations.append(element)
        return Dictionary(Type=Name.OBJR, Obj=child.annotation, Pg=page.obj)

    def parents(self) -> Iterator[Raw]:
        """Yield the parent tree's keys and values: pages by their index, then annotations."""
        for index, (page, contents) in enumerate(zip(self._document.pages, self._contents, strict=True)):
            page.obj.StructParents = index
            yield index
            yield Array([contents.get(number) for number in range(max(contents, default=-1) + 1)])
        for number, element in enumerate(self.annotations, start=len(self._contents)):
            yield number
            yield element
