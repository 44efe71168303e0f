"""The pages of reports: selected by a form, shown as a table with bars, and available as CSV."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from meetdeck.pages.console.forms import read_length
from meetdeck.pages.console.kit import Api, ApiRefusal, ConsoleController, ConsolePage, CurrentPage
from meetdeck.pages.texts import mark
from meetdeck.platform.errors import NotFound
from meetdeck.platform.http.answers import answer_file

_DAYS: Final = 30
_MOST_ROWS: Final = 200
_CSV: Final = "text/csv"
_NOTHING: Final = (None, 0, "00:00:00")
COUNTS: Final = frozenset({"booked", "bookingsMade", "cancelled", "moved", "noShows", "bookedByPortal"})
"""The columns of the report of meetings whose meetings are listed."""


class Report(NamedTuple):
    """A report of the API in English words: its groupings, and its columns; the first one has the bars."""

    slug: str
    title: str
    groupings: tuple[tuple[str, str], ...]
    columns: tuple[tuple[str, str], ...]
    path: str = "booking/reports"


_PERIODS: Final = (("day", mark("Day")), ("week", mark("Week")), ("month", mark("Month")))
REPORTS: Final = (
    Report(
        "meetings",
        mark("Meetings"),
        (
            *_PERIODS,
            ("topic", mark("Meeting topic")),
            ("employee", mark("Employee")),
            ("location", mark("Location")),
            ("type", mark("Way to meet")),
        ),
        (
            ("booked", mark("Meetings")),
            ("bookingsMade", mark("Bookings made")),
            ("cancelled", mark("Cancelled")),
            ("moved", mark("Moved")),
            ("noShows", mark("No-shows")),
            ("bookedByPortal", mark("On portals")),
            ("totalLength", mark("Length")),
            ("leadTimeMedian", mark("Booked ahead (median)")),
        ),
    ),
    Report(
        "utilization",
        mark("Utilization"),
        (*_PERIODS, ("employee", mark("Employee")), ("location", mark("Location"))),
        (("share", mark("Share")), ("booked", mark("Booked")), ("bookable", mark("Bookable"))),
    ),
    Report(
        "templates",
        mark("Templates"),
        (("template", mark("Template")), ("day", mark("Day")), ("month", mark("Month"))),
        (("decks", mark("Decks")), ("lastBuiltAt", mark("Last made"))),
        "present/reports",
    ),
)


class Row(NamedTuple):
    """A row of a report: its name, the length of its bar (0 to 100), and a text for each column.

    `link` is the address below the console of the calendar with what the row counts; empty: there is none.
    """

    name: str
    link: str
    bar: int
    cells: list["Cell"]


class Cell(NamedTuple):
    """A number or text of a row, and the address below the console of the meetings that it counts; empty: none."""

    text: str
    link: str = ""


class ReportAnswer(msgspec.Struct, frozen=True, rename="camel"):
    """A report as the API answers it."""

    time_zone: str
    rows: list[dict[str, Any]]
    rows_left_out: int
    totals: dict[str, Any]


class Reports(ConsoleController):
    """Reports of meetings, hours and templates."""

    path = "/console/reports"

    @get()
    async def show_first(self, page: CurrentPage) -> Response[bytes]:
        """Show the meetings of the last thirty days."""
        return await _show(page, REPORTS[0])

    @get("/{slug:str}")
    async def show(self, page: CurrentPage, slug: FromPath[str]) -> Response[bytes]:
        """Show a report, or answer it as a CSV file."""
        report = next((one for one in REPORTS if one.slug == slug.removesuffix(".csv")), None)
        if report is None:
            raise NotFound("This page does not exist.")
        if slug.endswith(".csv"):
            page.require_recent_sign_in()
            query = read_query(page, report)
            answer = await page.api.send("GET", f"{report.path}/{report.slug}", query=query | {"format": "csv"})
            return answer_file(answer.content, media_type=_CSV, file_name=f"{report.slug} {query['from']}.csv")
        return await _show(page, report)


def read_query(page: ConsolePage, report: Report) -> dict[str, str]:
    """Return the API's query for a page's query: by default, the last thirty days by day."""
    asked = page.request.query_params
    by = asked.get("by", "")
    today = page.now.date()
    return {
        "from": _read_day(asked.get("from", ""), today - timedelta(days=_DAYS)),
        "to": _read_day(asked.get("to", ""), today),
        "by": by if by in dict(report.groupings) else report.groupings[0][0],
    }


def _read_day(text: str, otherwise: date) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return otherwise.isoformat()


async def _show(page: ConsolePage, report: Report) -> Response[bytes]:
    query = read_query(page, report)
    try:
        found = await load_report(page.api, report, query)
    except ApiRefusal as refused:
        if refused.status != HTTPStatus.BAD_REQUEST:
            raise
        errors = [("to", fault.detail) for fault in refused.faults] or [("to", refused.detail)]
        return page.show(
            "reports.html", HTTPStatus.UNPROCESSABLE_ENTITY, report=report, query=query, found=None, errors=errors
        )
    longest = _find_longest(report, found.rows)
    counted = [row for row in found.rows if _has_numbers(report, row)]
    rows = [_make_row(page, report, row, longest, query, str(row["key"])) for row in counted]
    totals = _make_row(page, report, found.totals | {"name": page.texts.translate("All")}, 0, query, None)
    return page.show("reports.html", report=report, query=query, found=found, rows=rows, totals=totals)


async def load_report(api: Api, report: Report, query: dict[str, str]) -> ReportAnswer:
    """Return a report by the API's query. Raises ApiRefusal."""
    answer = await api.send("GET", f"{report.path}/{report.slug}", query={**query, "limit": _MOST_ROWS})
    return answer.read(ReportAnswer)


def _find_longest(report: Report, rows: Sequence[dict[str, Any]]) -> float:
    """Return the number whose bar is as long as its column: all of a share, otherwise the largest."""
    is_share = report.columns[0][0] == "share"
    return 1.0 if is_share else max((_measure(report, row) for row in rows), default=0.0)


def _measure(report: Report, row: dict[str, Any]) -> float:
    return float(row[report.columns[0][0]] or 0)


def _has_numbers(report: Report, row: dict[str, Any]) -> bool:
    """Return whether any column of a row is neither empty nor zero."""
    return any(row[member] not in _NOTHING for member, _ in report.columns)


def _make_row(
    page: ConsolePage, report: Report, row: dict[str, Any], longest: float, query: dict[str, str], key: str | None
) -> Row:
    """Return a row as the page shows it; without a `key`, that of the totals."""
    bar = round(100 * _measure(report, row) / longest) if longest else 0
    cells = [
        Cell(show_cell(page, member, row[member]), _find_meetings(report, query, key, member) if row[member] else "")
        for member, _ in report.columns
    ]
    return Row(_name(page, row), _find_calendar(query["by"], key) if key else "", bar, cells)


def _find_meetings(report: Report, query: dict[str, str], key: str | None, member: str) -> str:
    """Return the address, below the console, of the meetings that a number counts; empty if it counts none."""
    if report.slug != "meetings" or member not in COUNTS:
        return ""
    return "reports/meetings/counted?" + urlencode(
        query | {"count": member} | ({} if key is None else {"key": key or "-"})
    )


def _find_calendar(by: str, key: str) -> str:
    """Return the address, below the console, of the calendar with a row's meetings; empty if there is none."""
    query = {"day": f"day={key}&view=day", "week": f"day={key}", "employee": f"whose=employee.{key}"}.get(by, "")
    return f"calendar?{query}" if key and query else ""


def _name(page: ConsolePage, row: dict[str, Any]) -> str:
    """Return the subject of a row: a day in words, a name, or that there is none."""
    key, name = str(row["key"]), str(row["name"])
    try:
        return page.texts.show_day(date.fromisoformat(key), page.now.date())
    except ValueError:
        return name or (key if key and not _is_id(key) else page.texts.translate("None"))


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def show_cell(page: ConsolePage, member: str, value: Any) -> str:  # noqa: ANN401 - any member
    """Return a number, a percentage, or a length of time in words."""
    if value is None:
        return ""
    if member == "lastBuiltAt":
        return page.texts.show_day(datetime.fromisoformat(value).date(), page.now.date())
    if member == "share":
        return f"{round(100 * value)} %"
    return (
        page.texts.show_length_in_hours(read_length(value)) if isinstance(value, str) else page.texts.show_number(value)
    )
