"""Answers of reports, as JSON or as a file of CSV."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import msgspec
from litestar import Response

from meetdeck.platform.http.answers import JSON, AnyRequest, answer_file
from meetdeck.platform.http.requests import require_accepts
from meetdeck.platform.values import CSV, ReportFormat, write_structs


def wants_csv(request: AnyRequest, asked: ReportFormat | None) -> bool:
    """Return whether the caller wants CSV: by `format`, else by `Accept`. Raises NotAcceptable."""
    if asked is not None:
        return asked is ReportFormat.CSV
    return require_accepts(request, JSON, CSV) == CSV


def answer_csv(
    name: str, first: date, last: date, rows: Sequence[msgspec.Struct], kind: type[msgspec.Struct]
) -> Response[Any]:
    """Answer rows of one kind as a file, named by its days."""
    days = f"{first}" if first == last else f"{first}-to-{last}"
    return answer_file(write_structs(kind, rows), media_type=f"{CSV}; header=present", file_name=f"{name}-{days}.csv")
