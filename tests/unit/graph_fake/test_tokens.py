"""Entra's token endpoint: a secret or a certificate, really checked."""

from datetime import timedelta
from typing import Any

import pytest

from support.graph import CLIENT, Graph, make_assertion, make_key


async def test_a_token_is_taken_until_it_expires(graph: Graph) -> None:
    assert (await graph.http.get("/v1.0/users")).status_code == 200
    graph.world.clock.move(timedelta(hours=1))
    assert (await graph.http.get("/v1.0/users")).status_code == 401


@pytest.mark.parametrize(
    ("form", "status", "error"),
    [
        ({"client_secret": "another"}, 401, "invalid_client"),
        ({"client_id": "nobody"}, 400, "unauthorized_client"),
        ({"scope": "Calendars.Read"}, 400, "invalid_scope"),
        ({"grant_type": "password"}, 400, "unsupported_grant_type"),
    ],
)
async def test_a_wrong_request_for_a_token_is_refused(
    graph: Graph, form: dict[str, str], status: int, error: str
) -> None:
    answer = await graph.request_token(**form)
    assert (answer.status_code, answer.json()["error"]) == (status, error)


async def test_a_certificate_is_proved_by_its_signature(graph: Graph) -> None:
    (key, certificate), (other_key, _) = make_key(graph.world.clock), make_key(graph.world.clock, "another")
    graph.plant(applications=[{"clientId": CLIENT, "certificates": [certificate], "permissions": ["User.Read.All"]}])
    good = await graph.request_token(**make_assertion(key, certificate, graph.world.clock))
    assert good.status_code == 200
    forged = await graph.request_token(**make_assertion(other_key, certificate, graph.world.clock))
    assert (forged.status_code, forged.json()["error"]) == (401, "invalid_client")


@pytest.mark.parametrize(
    ("claims", "code"),
    [
        ({"aud": "https://elsewhere.test"}, "AADSTS700023"),
        ({"iss": "another"}, "AADSTS700021"),
        ({"exp": 0}, "AADSTS700024"),
        ({"jti": ""}, "AADSTS7000120"),
    ],
)
async def test_an_assertion_for_something_else_is_refused(graph: Graph, claims: dict[str, Any], code: str) -> None:
    key, certificate = make_key(graph.world.clock)
    graph.plant(applications=[{"clientId": CLIENT, "certificates": [certificate]}])
    answer = await graph.request_token(**make_assertion(key, certificate, graph.world.clock, **claims))
    assert answer.json()["error_description"].startswith(code)


async def test_a_token_has_the_permissions_of_its_time(graph: Graph) -> None:
    graph.plant_firm("anna@firm.test", permissions=())
    assert (await graph.http.get("/v1.0/users")).status_code == 200  # the token was issued before
    await graph.sign_in()
    assert (await graph.http.get("/v1.0/users")).status_code == 403
