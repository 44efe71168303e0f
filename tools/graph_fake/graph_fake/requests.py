"""Reading requests: their paths, tokens and bodies."""

from typing import Any

from litestar import Request, Response

from graph_fake.calendars import Calendars
from graph_fake.directory import Caller, Person
from graph_fake.problems import to_json
from graph_fake.world import World

Call = Request[Any, Any, Any]

READS = ("Calendars.ReadBasic", "Calendars.Read", "Calendars.ReadWrite", "Calendars.ReadBasic.All")
WRITES = ("Calendars.ReadWrite",)


def get_world(call: Call) -> World:
    """Return the world that the application shows."""
    return call.app.state["world"]


def get_caller(call: Call) -> Caller:
    """Return the application that calls."""
    return call.scope["state"]["caller"]


def open_mailbox(call: Call, key: str, permissions: tuple[str, ...]) -> tuple[Calendars, Person]:
    """Return the calendars of the caller's tenant and the person of an allowed mailbox. Raises GraphProblem."""
    world, caller = get_world(call), get_caller(call)
    person = caller.require_mailbox(key, permissions, world.clock.now())
    return world.get_calendars(caller.tenant), person


def find_zone_wanted(call: Call) -> str:
    """Return the zone that `Prefer: outlook.timezone="…"` asks for."""
    for wish in call.headers.get("prefer", "").split(","):
        name, _, value = wish.strip().partition("=")
        if name == "outlook.timezone":
            return value.strip('"')
    return "UTC"


def get_address(call: Call) -> str:
    """Return the address that was called, without its query, for the next page."""
    return f"{str(call.base_url).rstrip('/')}{call.url.path}"


def answer(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response[bytes]:
    """Return an answer of JSON."""
    return Response(to_json(value), status_code=status, headers=headers or {}, media_type="application/json")


def answer_nothing(status: int = 204) -> Response[bytes]:
    """Return an answer without a body."""
    return Response(b"", status_code=status)
