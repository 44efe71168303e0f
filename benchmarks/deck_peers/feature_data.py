"""The data of the template with every feature, as a caller would send it: other values for each customer."""

import base64
import io
from datetime import date
from functools import cache
from random import Random
from typing import NamedTuple

from PIL import Image

PRODUCTS = 2
CATEGORIES = ("East", "West", "North", "South")
# The number of the picture that all slides show.
LOGO = -1
_ROWS, _POINTS, _HOLDINGS = 8, 5, 5
_PHOTO_SIZE = (200, 150)


class Fund(NamedTuple):
    """A row of a table whose row repeats; `share` of 1."""

    name: str
    value: float
    share: float
    since: date


class Holding(NamedTuple):
    """A row of a table that takes its columns from the data, too."""

    name: str
    before: int
    now: int


def make_feature_data(kind: str, customer: int) -> dict[str, object]:
    """Return the data of a kind of slide for a customer, from number 0."""
    about = {"name": f"Customer & Sons {customer}", "id": f"C {customer}"}
    return {"customer": about, "logo": _photo_uri(LOGO), **_MAKE[kind](customer)}


def fund_rows(customer: int) -> list[Fund]:
    """Return the rows of a table."""
    return [
        Fund(
            f"Fund {customer}/{row}",
            1_234.5 * (row + 1) + customer,
            row / _ROWS,
            date(2010 + row, 3, 1 + customer % 28),
        )
        for row in range(_ROWS)
    ]


def points(customer: int) -> list[str]:
    """Return the bullets of a text box."""
    return [f"we said {customer} times {point}" for point in range(_POINTS)]


def offers_address(customer: int) -> str:
    """Return where the advice's Markdown links to."""
    return f"https://example.com/offers/{customer}"


def report_address(customer: int) -> str:
    """Return an address that a tag makes a link."""
    return f"https://example.com/reports/{customer}"


def sales(customer: int) -> dict[str, list[float]]:
    """Return the values of a chart's series by name."""
    return {"Sales": [customer + 1.5, 2, 3, 4], "Goal": [2, 3, customer, 5]}


def holdings(customer: int) -> list[Holding]:
    """Return the rows of a table."""
    return [Holding(f"Holding {customer}/{row}", 1_000 * row, 1_100 * row + customer) for row in range(_HOLDINGS)]


@cache
def photo(number: int) -> bytes:
    """Return a picture that nothing can compress, as photos are: some 30 kB."""
    width, height = _PHOTO_SIZE
    out = io.BytesIO()
    Image.frombytes("L", _PHOTO_SIZE, Random(number).randbytes(width * height)).save(out, "PNG")
    return out.getvalue()


@cache
def _photo_uri(number: int) -> str:
    return f"data:image/png;base64,{base64.b64encode(photo(number)).decode()}"


def _funds(customer: int) -> dict[str, object]:
    funds = [{**row._asdict(), "since": row.since.isoformat()} for row in fund_rows(customer)]
    return {"premium": not customer % 2, "funds": funds}


def _advice(customer: int) -> dict[str, object]:
    advice = (
        f"Your rate is adjusted in **October {customer}**.\n\n"
        f"- Choose a *fixed* rate now\n- See [both offers]({offers_address(customer)})"
    )
    return {"points": points(customer), "advice": advice, "report": report_address(customer)}


def _sales(customer: int) -> dict[str, object]:
    series = [{"name": name, "values": values} for name, values in sales(customer).items()]
    rows = [{"Fund": row.name, "Before": row.before, "Now": row.now} for row in holdings(customer)]
    return {"sales": {"categories": list(CATEGORIES), "series": series}, "holdings": rows}


def _products(customer: int) -> dict[str, object]:
    photos = (_photo_uri(PRODUCTS * customer + product) for product in range(PRODUCTS))
    return {"products": [{"name": f"Product {customer}/{i}", "photo": uri} for i, uri in enumerate(photos)]}


_MAKE = {"Funds": _funds, "Advice": _advice, "Sales": _sales, "Products": _products}
