"""Marked contents of pages: each is an element of the structure, or an artifact (PDF 32000-1, 14.6 and 14.8.2).

LibreOffice begins some in a form and ends them on the page, and leaves others unmarked.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import pikepdf
from pikepdf import Dictionary, Name, Page, Pdf

_ARTIFACT: Final = Name.Artifact
_BEGINS: Final = frozenset({"BDC", "BMC"})
_PATHS: Final = frozenset({"m", "l", "c", "v", "y", "h", "re", "S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "n"})
_SHOWN: Final = frozenset({"BT", "Do", "sh", "INLINE IMAGE"})

Raw = Any
"""An object that pikepdf reads; its types are partial."""


class PageContents:
    """The marked contents of a page: `numbers` of all, `shown` those that are more than lines and areas."""

    def __init__(self, document: Pdf, page: Page) -> None:
        self._page = page
        self._forms = _Forms(document)
        self._instructions = list(self._balanced(page))
        self.numbers: set[int] = set()
        self.shown: set[int] = set()
        self._scan()

    def write(self, numbers: Mapping[int, str]) -> None:
        """Write the page: contents of these numbers as elements of the given kinds, all others as artifacts."""
        open_tags: list[bool] = []
        out: list[Raw] = []
        is_artifact = False
        for one in self._instructions:
            operator = str(one.operator)
            if operator in _BEGINS:
                if is_artifact:
                    out.append(_end())
                    is_artifact = False
                number = _number(one)
                is_told = number is not None and number in numbers
                if is_told and number is not None:
                    out.append(_begin(numbers[number], number))
                open_tags.append(is_told)
                continue
            if operator == "EMC":
                if open_tags.pop():
                    if is_artifact:
                        out.append(_end())
                        is_artifact = False
                    out.append(_end())
                continue
            if not is_artifact and not any(open_tags) and (operator in _PATHS or operator in _SHOWN):
                out.append(pikepdf.ContentStreamInstruction([_ARTIFACT], pikepdf.Operator("BMC")))
                is_artifact = True
            out.append(one)
        if is_artifact:
            out.append(_end())
        self._page.obj.Contents = pikepdf.Stream(self._forms.document, pikepdf.unparse_content_stream(out))

    def _balanced(self, page: Page) -> Iterator[Raw]:
        """Yield the page's instructions; marks inside a form are moved to the page, around the form."""
        forms: Raw = page.resources.get("/XObject", Dictionary())
        depth = 0
        for one in pikepdf.parse_content_stream(page):
            operator = str(one.operator)
            if operator == "EMC":
                if not depth:
                    continue
                depth -= 1
            elif operator in _BEGINS:
                depth += 1
            marks, stays_open = [], False
            if operator == "Do" and str(one.operands[0]) in forms:
                marks, stays_open = self._forms.strip(forms[one.operands[0]])
            if marks:
                yield _begin("Span", marks[0])
                depth += stays_open
            yield one
            if marks and not stays_open:
                yield _end()
        for _ in range(depth):
            yield _end()

    def _scan(self) -> None:
        open_numbers: list[int | None] = []
        for one in self._instructions:
            operator = str(one.operator)
            if operator in _BEGINS:
                open_numbers.append(_number(one))
            elif operator == "EMC":
                open_numbers.pop()
            elif operator in _SHOWN:
                self.shown.update(number for number in open_numbers if number is not None)
            self.numbers.update(number for number in open_numbers if number is not None)


def strip_marks(document: Pdf) -> None:
    """Remove all marks of contents: the slides will be pictures in another document."""
    forms = _Forms(document)
    for page in document.pages:
        for form in dict(page.resources.get("/XObject", Dictionary())).values():
            forms.strip(form)
        page.obj.Contents = pikepdf.Stream(document, pikepdf.unparse_content_stream(_unmarked(page)))


class _Forms:
    """The forms of a document; their marks are removed once."""

    def __init__(self, document: Pdf) -> None:
        self.document = document
        self._known: dict[tuple[int, int], tuple[list[int], bool]] = {}

    def strip(self, form: Raw) -> tuple[list[int], bool]:
        """Remove a form's marks; return their numbers, and whether the last one ends outside of it."""
        if form.get("/Subtype") != Name.Form:
            return [], False
        if form.objgen not in self._known:
            self._known[form.objgen] = ([], False)  # a form within itself
            self._known[form.objgen] = self._strip(form)
        return self._known[form.objgen]

    def _strip(self, form: Raw) -> tuple[list[int], bool]:
        numbers: list[int] = []
        depth = 0
        instructions = list(pikepdf.parse_content_stream(form))
        for one in instructions:
            operator = str(one.operator)
            depth += (operator in _BEGINS) - (operator == "EMC")
            if operator in _BEGINS and (number := _number(one)) is not None:
                numbers.append(number)
        for inner in dict(form.get("/Resources", Dictionary()).get("/XObject", Dictionary())).values():
            marks, stays_open = self.strip(inner)
            numbers += marks
            depth += stays_open
        if any(str(one.operator) in _BEGINS or str(one.operator) == "EMC" for one in instructions):
            form.write(pikepdf.unparse_content_stream(list(_unmarked(form))))
        return numbers, depth > 0


def _unmarked(source: Raw) -> list[Raw]:
    marks = _BEGINS | {"EMC"}
    return [one for one in pikepdf.parse_content_stream(source) if str(one.operator) not in marks]


def _number(begin: Raw) -> int | None:
    properties = begin.operands[1] if str(begin.operator) == "BDC" else None
    number = properties.get("/MCID") if isinstance(properties, Dictionary) else None
    return int(number) if number is not None else None


def _begin(kind: str, number: int) -> Raw:
    operands = [Name("/" + kind), Dictionary(MCID=number)]
    return pikepdf.ContentStreamInstruction(operands, pikepdf.Operator("BDC"))


def _end() -> Raw:
    return pikepdf.ContentStreamInstruction([], pikepdf.Operator("EMC"))
