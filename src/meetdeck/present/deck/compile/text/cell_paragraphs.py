"""Paragraphs of table cells that may be left without text: their height comes from their end mark.

A row is as high as its highest line, even if that line is empty. PowerPoint and LibreOffice ignore a run without text
and use the size of the paragraph's end mark (`a:endParaRPr`), 18 points without one.
"""

from copy import copy
from typing import Final

from meetdeck.present.deck.opc.xml import A, Element, find_child, parse, remove, without

_END: Final = A + "endParaRPr"
_RUN: Final = A + "r"
_RUNS: Final = (_RUN, A + "fld")
_PROPERTIES: Final = A + "rPr"
_TEXT: Final = A + "t"
_EMPTY_END: Final = f'<a:endParaRPr xmlns:a="{A[1:-1]}"/>'.encode()


def in_cell(paragraph: Element) -> bool:
    """Return whether a paragraph is in a cell of a table."""
    body = paragraph.getparent()
    cell = body.getparent() if body is not None else None
    return cell is not None and cell.tag == A + "tc"


def keep_format(paragraph: Element) -> None:
    """Give a paragraph an end mark in the format of its first run; must run before anything in it is marked."""
    holder = before = None
    for child in paragraph:
        tag = child.tag
        if tag == _END:
            before = child if before is None else before
        elif holder is None and tag in _RUNS:
            holder = child
    if holder is None:
        return
    properties = find_child(holder, _PROPERTIES)
    if properties is None and before is None:
        return
    if before is not None:
        remove(before)
    end = parse(_EMPTY_END) if properties is None else copy(properties)
    end.tag, end.tail = _END, None
    if len(end) or end.text:
        # A link belongs to the text, and the marks of what fills it must not be written twice.
        without(end, "hlinkClick", "hlinkMouseOver")
        end.text = None
        for child in end.iter():
            child.tail = None
    paragraph.append(end)


def remove_empty_runs(table: Element) -> None:
    """Remove the template's own runs without text; a paragraph of nothing else keeps the format of the first."""
    empty: dict[Element, list[Element]] = {}
    for run in table.iter(_RUN):
        paragraph = None if _has_text(run) else run.getparent()
        if paragraph is not None and in_cell(paragraph):
            empty.setdefault(paragraph, []).append(run)
    for paragraph, runs in empty.items():
        if len(runs) == len(list(paragraph.iterchildren(*_RUNS, A + "br"))):
            keep_format(paragraph)
        for run in runs:
            remove(run)


def _has_text(run: Element) -> bool:
    carrier = find_child(run, _TEXT)
    return carrier is not None and bool(carrier.text)
