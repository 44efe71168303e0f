"""Portals that are drawn before they are saved."""

from typing import Any

import pytest

from support.factories import Api

PREVIEW = "v3/booking/config/portals/preview"
DRAFT = {
    "name": "Fjord & Sønner",
    "address": "fjord-drawn",
    "brandColor": "#12355B",
    "styling": "h1 { color: rebeccapurple }",
    "logoUrl": "https://cdn.fjord.example/logo.svg",
    "fields": [
        {"name": "about", "label": "What is it about, roughly?", "order": 2},
        {"name": "phone", "label": "Where do we reach you?", "order": 1},
        {"name": "campaign", "label": "Nobody sees this", "hidden": True},
    ],
}


async def draw(api: Api, body: dict[str, Any], **query: str) -> dict[str, str]:
    """Return a drawn page of a portal."""
    return (await api.post(PREVIEW, json=body, params=query)).raise_for_status().json()


async def test_the_first_page_of_a_portal_is_drawn_and_nothing_is_stored(api: Api) -> None:
    page = await draw(api, DRAFT, language="da")
    assert '<html lang="da">' in page["html"]
    assert "Fjord &amp; Sønner" in page["html"]
    assert "https://cdn.fjord.example/logo.svg" in page["html"]
    assert "<script" not in page["html"]
    assert "img-src https://cdn.fjord.example data:" in page["policy"]
    assert (await api.http.get("/p/fjord-drawn")).status_code == 404
    listed = (await api.get("v3/booking/config/portals")).json()
    assert "Fjord & Sønner" not in {one["name"] for one in listed}


@pytest.mark.parametrize("authentication", ["Anonymous", "IdentityProvider"])
async def test_the_form_is_drawn_with_its_fields_in_their_order(api: Api, authentication: str) -> None:
    page = await draw(api, DRAFT | {"authenticationType": authentication}, step="Details", language="en")
    phone, about = page["html"].find("Where do we reach you?"), page["html"].find("What is it about, roughly?")
    assert 0 < phone < about
    assert "Nobody sees this" not in page["html"]


async def test_a_portal_that_could_not_be_saved_is_not_drawn(api: Api) -> None:
    answer = await api.post(PREVIEW, json=DRAFT | {"styling": "p { color: red }\n}", "brandColor": "#FFFF00"})
    assert answer.status_code == 400
    faults = {fault["pointer"]: fault["detail"] for fault in answer.json()["errors"]}
    assert faults["/styling"].startswith("Line 2:")
    assert "#" in faults["/brandColor"]
