from collections.abc import Sequence

class LoggedQuery:
    query: str
    args: Sequence[object]
