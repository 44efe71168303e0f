"""What Meetdeck uses of aiosql's queries: they make a method for each query."""

from typing import Any

class Queries:
    def _make_async_fn(self, query_datum: Any) -> Any: ...
    def _make_sync_fn(self, query_datum: Any) -> Any: ...
