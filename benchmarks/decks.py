"""Decks per second: Meetdeck beside the usual python-pptx clone recipe, in one run on the same template.

    python benchmarks/decks.py [--rounds N]

The template has four kinds of slide (text, table, chart with workbook and notes, picture), the deck twenty slides of
them, each with data of its own. `warm` builds from a compiled template, `cold` compiles it for each deck.
"""

import argparse
import copy
import io
import os
import platform
import re
import resource
import statistics
import sys
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.parts.chart import ChartPart
from pptx.util import Inches

from meetdeck.present.deck import SlideRequest, build_deck, compile_template

SLIDES = 20
KINDS = ("Text", "Table", "Chart", "Picture")
TARGET_SLIDES_PER_SECOND = 5_000
TARGET_COLD_MS = 15
TARGET_RATIO = 25
_TAG = re.compile(r"\{\{([\w.]+)\}\}")


def make_template(slides: int = len(KINDS)) -> bytes:
    """Make a template of the kinds in turn, with tags."""
    presentation: Any = Presentation()
    for kind in islice(cycle(KINDS), slides):
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.name = kind
        slide.shapes.title.text = f"{kind} for {{{{customer.name}}}}"
        box = slide.shapes.add_textbox(Inches(1), Inches(6), Inches(8), Inches(1)).text_frame
        box.text = "Prepared by {{advisor.name}} on {{date}}"
        for number in range(5):
            box.add_paragraph().text = f"Point {number}: {{{{points.{number}}}}}, as agreed with {{{{customer.name}}}}"
        _ADD[kind](slide)
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def _add_nothing(_slide: Any) -> None:
    """Add nothing."""


def _add_table(slide: Any) -> None:
    table = slide.shapes.add_table(8, 4, Inches(1), Inches(2), Inches(8), Inches(3)).table
    for row in range(8):
        for column in range(4):
            table.cell(row, column).text = f"{{{{rows.{row}.{column}}}}}"


def _add_chart(slide: Any) -> None:
    data: Any = CategoryChartData()
    data.categories = ["East", "West", "North", "South"]
    data.add_series("Sales", (1, 2, 3, 4))
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, Inches(4), Inches(3), data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Sales to {{customer.name}}"
    slide.notes_slide.notes_text_frame.text = "Tell {{customer.name}} about {{points.0}}"


def _add_picture(slide: Any) -> None:
    out = io.BytesIO()
    Image.effect_noise((400, 300), 60).save(out, "PNG")
    out.seek(0)
    slide.shapes.add_picture(out, 0, 0)


_ADD: dict[str, Callable[[Any], None]] = {
    "Text": _add_nothing,
    "Table": _add_table,
    "Chart": _add_chart,
    "Picture": _add_picture,
}


def make_data(number: int) -> dict[str, object]:
    """Return the data of one slide."""
    return {
        "customer": {"name": f"Customer & Sons {number}"},
        "advisor": {"name": "Åse Sørensen"},
        "date": "31 January 2026",
        "points": [f"we said {number} times {point}" for point in range(5)],
        "rows": [[f"{row}/{column}" for column in range(4)] for row in range(8)],
    }


def build_with_python_pptx(template: bytes, requests: list[tuple[str, dict[str, object]]]) -> bytes:
    """Build a deck the usual way: copy shapes and parts, replace text run by run, drop the template's own slides."""
    presentation: Any = Presentation(io.BytesIO(template))
    originals = {slide.name: slide for slide in presentation.slides}
    own = list(presentation.slides._sldIdLst)
    for name, data in requests:
        source = originals[name]
        target = presentation.slides.add_slide(source.slide_layout)
        for shape in list(target.shapes):
            shape.element.getparent().remove(shape.element)
        _copy_relationships(source, target)
        for shape in source.shapes:
            target.shapes._spTree.append(copy.deepcopy(shape.element))
        if source.has_notes_slide:
            target.notes_slide.notes_text_frame.text = source.notes_slide.notes_text_frame.text
            _fill(target.notes_slide.notes_text_frame, data)
        for shape in target.shapes:
            _fill_shape(shape, data)
    for entry in own:
        presentation.part.drop_rel(entry.rId)
        presentation.slides._sldIdLst.remove(entry)
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def _copy_relationships(source: Any, target: Any) -> None:
    for identifier, relationship in source.part.rels.items():
        if "notesSlide" in relationship.reltype or "slideLayout" in relationship.reltype:
            continue
        part = relationship._target
        if "chart" in relationship.reltype:
            part = _copy_chart(part)
        target.part.rels._rels[identifier] = type(relationship)(
            target.part.partname.baseURI, identifier, relationship.reltype, "Internal", part
        )


def _copy_chart(part: Any) -> Any:
    package = part.package
    name = package.next_partname("/ppt/charts/chart%d.xml")
    chart: Any = ChartPart.load(name, part.content_type, package, part.blob)
    for external_data in chart._element.xpath("c:externalData"):
        chart._element.remove(external_data)
    chart.chart_workbook.update_from_xlsx_blob(part.chart_workbook.xlsx_part.blob)
    return chart


def _fill_shape(shape: Any, data: dict[str, object]) -> None:
    if shape.has_text_frame:
        _fill(shape.text_frame, data)
    elif getattr(shape, "has_table", False) and shape.has_table:
        for cell in shape.table.iter_cells():
            _fill(cell.text_frame, data)
    elif getattr(shape, "has_chart", False) and shape.has_chart:
        _fill(shape.chart.chart_title.text_frame, data)


def _fill(frame: Any, data: dict[str, object]) -> None:
    for paragraph in frame.paragraphs:
        for run in paragraph.runs:
            if "{{" in run.text:
                run.text = _TAG.sub(lambda match: _look_up(data, match[1]), run.text)


def _look_up(data: Any, path: str) -> str:
    for name in path.split("."):
        data = data[int(name) if name.isdigit() else name]
    return str(data)


def measure(run: Callable[[], object], rounds: int) -> float:
    """Return the median seconds of one run."""
    run()
    times: list[float] = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def measure_memory(run: Callable[[], object]) -> int:
    """Return by how many kB a fresh process grows at most while it runs."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        run()
        os.write(writer, str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before).encode())
        os._exit(0)
    os.waitpid(child, 0)
    return int(os.read(reader, 32))


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if sys.platform == "linux" else []
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor()
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=50, help="decks per measurement (python-pptx: a tenth)")
    rounds = parser.parse_args().rounds
    template = make_template()
    pairs = [(KINDS[number % len(KINDS)], make_data(number)) for number in range(SLIDES)]
    requests = [SlideRequest(name, data) for name, data in pairs]
    compiled = compile_template(template)
    deck = build_deck(compiled, requests).content
    our_memory = measure_memory(lambda: build_deck(compile_template(template), requests))
    their_memory = measure_memory(lambda: build_with_python_pptx(template, pairs))
    warm = measure(lambda: build_deck(compiled, requests), rounds)
    large = make_template(SLIDES)
    names = [SlideRequest(f"Slide {number + 1}", data) for number, (_, data) in enumerate(pairs)]
    cold_large = measure(lambda: build_deck(compile_template(large), names), rounds)
    cold = measure(lambda: build_deck(compile_template(template), requests), rounds)
    theirs_deck = build_with_python_pptx(template, pairs)
    theirs = measure(lambda: build_with_python_pptx(template, pairs), max(3, rounds // 10))
    print(f"machine           {_processor()}, Python {platform.python_version()}")
    print(f"template, deck    {len(template):,} bytes, {len(deck):,} bytes (python-pptx {len(theirs_deck):,})")
    print(
        f"warm              {warm * 1e3:8.2f} ms  {SLIDES / warm:8,.0f} slides/s  (goal {TARGET_SLIDES_PER_SECOND:,})"
    )
    print(f"cold              {cold * 1e3:8.2f} ms  {SLIDES / cold:8,.0f} slides/s  (goal below {TARGET_COLD_MS} ms)")
    print(f"cold, 20 designs  {cold_large * 1e3:8.2f} ms  {SLIDES / cold_large:8,.0f} slides/s  (each slide its own)")
    print(f"python-pptx       {theirs * 1e3:8.2f} ms  {SLIDES / theirs:8,.0f} slides/s")
    print(f"ratio             {theirs / warm:8.1f} x warm, {theirs / cold:.1f} x cold  (goal {TARGET_RATIO} x warm)")
    print(f"memory, one deck  {our_memory:,} kB cold (python-pptx {their_memory:,} kB)")
    print(f"compiled template {compiled.cost_bytes:,} bytes")


if __name__ == "__main__":
    main()
