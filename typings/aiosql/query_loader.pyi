"""What Meetdeck uses of aiosql's loader: it reads the queries of a file."""

from pathlib import Path
from typing import Any

class QueryLoader:
    def load_query_data_from_sql(self, sql: str, ns_parts: list[str], fname: Path | str = "<unknown>") -> list[Any]: ...
    def _make_query_datum(self, query: str, ns_parts: list[str], floc: tuple[Path | str, int]) -> Any: ...
