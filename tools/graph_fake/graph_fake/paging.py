"""Pages of lists, each with the address of the next, and members that are chosen by `$select`."""

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlencode

from graph_fake.problems import GraphProblem

_MOST: Final = 999


def write_page(
    items: Sequence[dict[str, object]], query: Mapping[str, str], address: str, default: int
) -> dict[str, object]:
    """Return the page of a list that a query asks for. Raises GraphProblem."""
    size = _read_number(query.get("$top", str(default)))
    skipped = _read_number(query.get("$skiptoken", query.get("$skip", "0")))
    if not 1 <= size <= _MOST:
        raise GraphProblem(400, "Request_BadRequest", f"$top must be 1 to {_MOST}.")
    page = [select(each, query) for each in items[skipped : skipped + size]]
    answer: dict[str, object] = {"value": page}
    if skipped + size < len(items):
        kept = {name: value for name, value in query.items() if name not in {"$skiptoken", "$skip"}}
        answer["@odata.nextLink"] = f"{address}?{urlencode(kept | {'$skiptoken': skipped + size}, safe='$')}"
    return answer


def select(item: dict[str, object], query: Mapping[str, str]) -> dict[str, object]:
    """Return the members that `$select` names; without it, all."""
    if not (names := {each.strip() for each in query.get("$select", "").split(",")} - {""}):
        return item
    return {name: value for name, value in item.items() if name in names or name == "id" or name.startswith("@")}


def _read_number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise GraphProblem(400, "Request_BadRequest", f"{text} is not a number.")
    return int(text)
