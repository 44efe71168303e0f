"""The fake as an ASGI application."""

from typing import Any

from litestar import Litestar, Request, Response
from litestar.datastructures import State

from graph_fake.endpoints import calendars, control, directory, login, schedules, subscriptions
from graph_fake.problems import GraphProblem, to_json
from graph_fake.traffic import Traffic
from graph_fake.world import World


def make_app(world: World) -> Traffic:
    """Return the application that shows a world: Graph, Entra's token endpoint and the control."""
    app = Litestar(
        route_handlers=[
            *login.HANDLERS,
            *directory.HANDLERS,
            *schedules.HANDLERS,
            *calendars.HANDLERS,
            *subscriptions.HANDLERS,
            *control.HANDLERS,
        ],
        exception_handlers={GraphProblem: _answer_problem},
        openapi_config=None,
        state=State({"world": world}),
    )
    return Traffic(app, world)


def _answer_problem(_: Request[Any, Any, Any], problem: GraphProblem) -> Response[bytes]:
    return Response(
        to_json(problem.to_body()),
        status_code=problem.status,
        headers=problem.headers,
        media_type="application/json",
    )
