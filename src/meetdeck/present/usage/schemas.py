"""The report of templates: its query, and the rows that it answers."""

from datetime import date, datetime
from typing import Annotated

import msgspec
from msgspec import Meta, field

from meetdeck.platform.values import AnyCase, ReportFormat


class UseGrouping(AnyCase):
    """Criteria by which decks are grouped into rows."""

    TEMPLATE = "template"
    DAY = "day"
    MONTH = "month"


class TemplatesReportQuery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """GET /present/reports/templates."""

    first: Annotated[date, Meta(description="The first day, in UTC.", examples=["2026-03-02"])] = field(name="from")
    last: Annotated[date, Meta(description="The last day, inclusive; at most 366 days.", examples=["2026-03-31"])] = (
        field(name="to")
    )
    by: Annotated[UseGrouping, Meta(description="The grouping of the rows.")] = UseGrouping.TEMPLATE
    limit: Annotated[int, Meta(ge=1, le=10_000, description="The maximum number of rows; `totals` include all.")] = (
        1_000
    )
    format: Annotated[
        ReportFormat | None, Meta(description="`csv` instead of `Accept: text/csv`, for links, which send no headers.")
    ] = None


class TemplatesRow(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The decks that were made of a template, or on some days."""

    key: str
    """The template's name, or the first day; empty for the total."""
    name: str
    """The same as `key`; `Total` for the total."""
    decks: int
    """The decks that contain slides of it; for days and the total, one for each of a deck's templates."""
    last_built_at: datetime | None
    """When the last of them was made; null without one."""


class TemplatesReport(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The number of decks made from each template."""

    first: date = field(name="from")
    """The first day."""
    last: date = field(name="to")
    """The last day."""
    by: UseGrouping
    """The criterion that groups the rows."""
    time_zone: str
    """The zone in which days begin and end: UTC."""
    rows: list[TemplatesRow]
    """Days with decks in order, or templates with the most decks first."""
    rows_left_out: int
    """The number of rows beyond `limit`."""
    totals: TemplatesRow
    """The totals, including rows left out."""
