"""Paragraphs of table cells that may be left without text: their height comes from their end mark.

A row is as high as its highest line, also where that line is empty. PowerPoint and LibreOffice pass over a run without
text and take the size of the paragraph's end mark (`a:endParaRPr`), 18 points where there is none.
"""

from copy import deepcopy
from typing import Final

from meetdeck.present.deck.opc.xml import A, Element, find_child, parse, remove, without

_END: Final = A + "endParaRPr"
_RUNS: Final = (A + "r", A + "fld")
_EMPTY_END: Final = f'<a:endParaRPr xmlns:a="{A[1:-1]}"/>'.encode()


def in_cell(paragraph: Element) -> bool:
    """Return whether a paragraph stands in a cell of a table."""
    body = paragraph.getparent()
    cell = body.getparent() if body is not None else None
    return cell is not None and cell.tag == A + "tc"


def keep_format(paragraph: Element) -> None:
    """Give a paragraph an end mark in the format of its first run, to be read before anything in it is marked."""
    holder = next(paragraph.iterchildren(*_RUNS), None)
    if holder is None:
        return
    properties, before = find_child(holder, A + "rPr"), find_child(paragraph, _END)
    if properties is None and before is None:
        return
    end = parse(_EMPTY_END) if properties is None else deepcopy(properties)
    end.tag, end.tail = _END, None
    if len(end) or end.text:
        # A link is the text's, and marks of what fills it must not be written twice.
        without(end, "hlinkClick", "hlinkMouseOver")
        end.text = None
        for child in end.iter():
            child.tail = None
    if before is not None:
        remove(before)
    paragraph.insert(len(list(paragraph.iterchildren())), end)


def remove_empty_runs(table: Element) -> None:
    """Remove the template's own runs without text; a paragraph of nothing else keeps the format of the first."""
    for paragraph in table.iter(A + "p"):
        runs = [run for run in paragraph.iterchildren(A + "r") if not _has_text(run)]
        if not runs or not in_cell(paragraph):
            continue
        if len(runs) == len(list(paragraph.iterchildren(*_RUNS, A + "br"))):
            keep_format(paragraph)
        for run in runs:
            remove(run)


def _has_text(run: Element) -> bool:
    carrier = find_child(run, A + "t")
    return carrier is not None and bool(carrier.text)
