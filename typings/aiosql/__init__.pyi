"""What Meetdeck uses of aiosql: a method for each named query, which only running code can know."""

from pathlib import Path
from typing import Any

from aiosql.queries import Queries
from aiosql.query_loader import QueryLoader

def from_path(sql_path: str | Path, driver_adapter: str) -> Any: ...
def from_str(
    sql: str,
    driver_adapter: str,
    *,
    loader_cls: type[QueryLoader] = ...,
    queries_cls: type[Queries] = ...,
    mandatory_parameters: bool = ...,
) -> Any: ...
