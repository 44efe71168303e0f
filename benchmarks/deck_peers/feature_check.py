"""Read a deck with every feature back, and compare what a person would see with what the data says."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from io import BytesIO
from itertools import islice
from typing import Any
from xml.etree.ElementTree import fromstring
from zipfile import ZipFile

from PIL import Image

from deck_peers.check import Checked, WrongDeckError, find_shape, open_slides
from deck_peers.feature_data import (
    CATEGORIES,
    LOGO,
    PRODUCTS,
    fund_rows,
    holdings,
    offers_address,
    photo,
    points,
    report_address,
    sales,
)
from deck_peers.job import SlideJob

# The compared feature, its expected value, its value.
_Comparison = tuple[str, object, object]
_CELLS = "{*}sheetData/{*}row/{*}c"


def check_features(deck: bytes, jobs: list[SlideJob]) -> Checked:
    """Count what was compared. Raises `WrongDeckError` at the first thing that is not as it should be."""
    repeats = [PRODUCTS if job.name == "Products" else 1 for job in jobs]
    made = iter(open_slides(deck, sum(repeats)))
    checked = Checked(Counter(), Counter())
    for number, (job, count) in enumerate(zip(jobs, repeats, strict=True)):
        customer = number // len(_COMPARE)
        for repeat, slide in enumerate(islice(made, count)):
            for kind, expected, found in (
                *_compare_logo(slide, customer),
                *_COMPARE[job.name](slide, customer, repeat),
            ):
                if expected != found:
                    raise WrongDeckError(f"{job.name} {customer}: {kind} should be {expected!r} and is {found!r}.")
                checked.expected[kind] += 1
                checked.found[kind] += 1
    workbooks = [name for name in ZipFile(BytesIO(deck)).namelist() if name.endswith(".xlsx")]
    if len(workbooks) != checked.found["workbooks"]:
        raise WrongDeckError(f"{checked.found['workbooks']} charts share {len(workbooks)} workbooks.")
    return checked


def _compare_logo(slide: Any, customer: int) -> Iterator[_Comparison]:
    logo = find_shape(slide, "Logo")
    yield "logos", photo(LOGO), logo.image.blob
    yield "alternative texts", f"Logo of {_name(customer)}", _alternative_text(logo)


def _compare_funds(slide: Any, customer: int, _repeat: int) -> Iterator[_Comparison]:
    yield "titles", f"Funds for {_name(customer)}", slide.shapes.title.text_frame.text
    rows = [
        [row.name, f"DKK{row.value:,.2f}", f"{row.share:.1%}", _write_date(row.since)] for row in fund_rows(customer)
    ]
    yield "repeated rows", [["Fund", "Value", "Share", "Since"], *rows], _cells(slide)
    names = {shape.name for shape in slide.shapes}
    yield "conditions", {"Standard" if customer % 2 else "Premium"}, names & {"Premium", "Standard"}


def _compare_advice(slide: Any, customer: int, _repeat: int) -> Iterator[_Comparison]:
    yield "titles", f"Advice for {_name(customer)}", slide.shapes.title.text_frame.text
    bullets = [f"{number}. {text}" for number, text in enumerate(points(customer), 1)]
    yield "repeated paragraphs", bullets, [paragraph.text for paragraph in _paragraphs(slide, "Points")]
    formatted = [[(run.text, *_format(run)) for run in paragraph.runs] for paragraph in _paragraphs(slide, "Advice")]
    markdown = [
        [("Your rate is adjusted in ", *_PLAIN), (f"October {customer}", True, None, None), (".", *_PLAIN)],
        [("Choose a ", *_PLAIN), ("fixed", None, True, None), (" rate now", *_PLAIN)],
        [("See ", *_PLAIN), ("both offers", None, None, offers_address(customer))],
    ]
    yield "Markdown", markdown, formatted
    links = [run.hyperlink.address for name in ("Report", "File") for run in _paragraphs(slide, name)[0].runs]
    yield "links", [None, report_address(customer), f"https://crm.example.com/C%20{customer}"], links


def _compare_sales(slide: Any, customer: int, _repeat: int) -> Iterator[_Comparison]:
    yield "titles", f"Sales for {_name(customer)}", slide.shapes.title.text_frame.text
    chart = find_shape(slide, "Chart").chart
    yield "chart titles", f"Sales to {_name(customer)}", chart.chart_title.text_frame.text
    (plot,) = chart.plots
    yield "categories", list(CATEGORIES), list(plot.categories)
    yield "series", sales(customer), {series.name: list(series.values) for series in plot.series}
    columns = sales(customer)
    rows = zip(CATEGORIES, *columns.values(), strict=True)
    yield "workbooks", [*columns, *(cell for row in rows for cell in row)], _workbook_cells(chart)
    body = [[row.name, f"{row.before:,.2f}", f"{row.now:,.2f}"] for row in holdings(customer)]
    yield "tables", [["Fund", "Before", "Now"], *body], _cells(slide)
    notes = f"Tell {_name(customer).upper()} about {CATEGORIES[0]}"
    yield "notes", notes, slide.notes_slide.notes_text_frame.text


def _compare_products(slide: Any, customer: int, repeat: int) -> Iterator[_Comparison]:
    name = f"Product {customer}/{repeat}"
    yield "titles", f"{name} for {_name(customer)}", slide.shapes.title.text_frame.text
    yield "texts", f"Product {repeat + 1} is {name}", find_shape(slide, "Body").text_frame.text
    picture = find_shape(slide, "Photo")
    yield "photos", photo(PRODUCTS * customer + repeat), picture.image.blob
    width, height = Image.open(BytesIO(picture.image.blob)).size
    # Cut at top and bottom alone, until it has the shape's proportions.
    left_over = (1 - picture.crop_top - picture.crop_bottom) * height / width
    yield (
        "covering",
        (0, 0, round(picture.height / picture.width, 3)),
        (
            picture.crop_left,
            picture.crop_right,
            round(left_over, 3),
        ),
    )
    yield "alternative texts", f"A photo of {name}", _alternative_text(picture)


_COMPARE: dict[str, Callable[[Any, int, int], Iterator[_Comparison]]] = {
    "Funds": _compare_funds,
    "Advice": _compare_advice,
    "Sales": _compare_sales,
    "Products": _compare_products,
}
_PLAIN = (None, None, None)


def _name(customer: int) -> str:
    return f"Customer & Sons {customer}"


def _write_date(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _cells(slide: Any) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in find_shape(slide, "Table").table.rows]


def _paragraphs(slide: Any, name: str) -> Any:
    return find_shape(slide, name).text_frame.paragraphs


def _format(run: Any) -> tuple[object, object, object]:
    return run.font.bold, run.font.italic, run.hyperlink.address


def _alternative_text(shape: Any) -> str:
    return shape._element._nvXxPr.cNvPr.get("descr")


def _workbook_cells(chart: Any) -> list[str | float]:
    """Return the cells of a chart's sheet that hold anything, row by row."""
    with ZipFile(BytesIO(chart.part.chart_workbook.xlsx_part.blob)) as workbook:
        sheet = fromstring(workbook.read("xl/worksheets/sheet1.xml"))  # noqa: S314 - our own deck
    cells = [("".join(cell.itertext()), cell.get("t", "n")) for cell in sheet.iterfind(_CELLS)]
    return [float(text) if kind == "n" else text for text, kind in cells if text]
