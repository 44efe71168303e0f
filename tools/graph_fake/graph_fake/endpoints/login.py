"""Entra's token endpoint."""

from typing import Final
from urllib.parse import parse_qsl

from litestar import Response, post
from litestar.params import FromPath

from graph_fake.requests import Call, answer, get_world
from graph_fake.tokens import TokenRefused


@post("/{tenant_id:str}/oauth2/v2.0/token", status_code=200)
async def issue_token(tenant_id: FromPath[str], request: Call) -> Response[bytes]:
    """Return an access token for a client secret or a signed assertion."""
    world = get_world(request)
    form = dict(parse_qsl((await request.body()).decode("latin-1")))
    if (tenant := world.tenants.get(tenant_id)) is None:
        text = f"AADSTS90002: Tenant '{tenant_id}' not found."
        return answer({"error": "invalid_request", "error_description": text}, 400)
    endpoint = f"{str(request.base_url).rstrip('/')}{request.url.path}"
    try:
        return answer(world.tokens.issue(tenant, form, endpoint, world.clock.now()))
    except TokenRefused as refused:
        return answer({"error": refused.error, "error_description": refused.description}, refused.status)


HANDLERS: Final = [issue_token]
