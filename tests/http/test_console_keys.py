"""Keys and clients at the console: shown once, and asked about before they end."""

import re

import httpx
import pytest
from lxml import html

from support.console import SIGNE, THOMAS, Browser, read_heading
from support.factories import Api

KEYS = "/settings/keys"


def read_secrets(page: httpx.Response) -> list[str]:
    """Return the values that a page shows once."""
    return html.fromstring(page.text).xpath("//input[@readonly]/@value")


def find_row(page: httpx.Response, name: str) -> str:
    """Return the text of the row of a key or client."""
    rows = html.fromstring(page.text).xpath(f"//tr[th[normalize-space()='{name}']]")
    return " ".join(" ".join(rows[0].itertext()).split()) if rows else ""


def find_path(page: httpx.Response, deed: str) -> str:
    """Return the path below the console of the first form that does a deed."""
    (path,) = re.findall(rf'action="[^"]*console(/settings/keys/[^"]+/{deed})"', page.text)[:1]
    return path


@pytest.mark.parametrize("path", [KEYS, f"{KEYS}/clients"])
async def test_only_an_administrator_sees_and_makes_keys(api: Api, path: str) -> None:
    browser = await Browser.open(api, SIGNE)
    assert (await browser.get(KEYS)).status_code == 403
    assert (await browser.post(path, {"name": "CRM"})).status_code == 403
    assert "Keys and clients" not in (await browser.get("/settings")).text


async def test_a_key_is_shown_once_and_revoked_after_a_question(api: Api) -> None:
    browser = await Browser.open(api, THOMAS)
    made = await browser.post(KEYS, {"name": "A first CRM"})
    (key,) = read_secrets(made)
    assert (made.status_code, read_heading(made)) == (201, "A first CRM has a new key")
    listed = await browser.get(KEYS)
    assert key not in listed.text
    assert f"…{key[-4:]}" in find_row(listed, "A first CRM")
    assert "Never" in find_row(listed, "A first CRM")
    assert (await api.get("v3/booking/rooms", headers={"Ocp-Apim-Subscription-Key": key})).status_code == 200
    path = find_path(listed, "revoke")
    asked = await browser.post(path, {})
    assert read_heading(asked) == f"Revoke A first CRM, which ends with {key[-4:]}?"
    assert "In use" in find_row(await browser.get(KEYS), "A first CRM")
    revoked = await browser.post(path, {"sure": "yes"})
    assert "The key is revoked" in revoked.text
    assert "Revoked" in find_row(revoked, "A first CRM")


async def test_a_third_live_key_of_a_name_is_refused_beside_the_name(api: Api) -> None:
    browser = await Browser.open(api, THOMAS)
    for status in (201, 201, 422):
        answer = await browser.post(KEYS, {"name": "A first CRM"})
        assert answer.status_code == status
    assert "2 live keys already" in html.fromstring(answer.text).xpath("//*[@id='key-name-error']/text()")[0]
    assert html.fromstring(answer.text).xpath("//*[@id='key-name']/@value") == ["A first CRM"]
    rotated = await browser.post(find_path(answer, "rotate"), {})
    assert rotated.status_code == 422
    nameless = await browser.post(KEYS, {"name": " "})
    assert nameless.status_code == 422


async def test_a_client_is_shown_once_and_deleted_after_a_question(api: Api) -> None:
    browser = await Browser.open(api, THOMAS)
    made = await browser.post(f"{KEYS}/clients", {"name": "A booking site", "roles": ["elevated"]})
    client_id, secret = read_secrets(made)
    grant = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": secret}
    assert (await api.http.post("/oauth/token", data=grant)).status_code == 200
    listed = await browser.get(KEYS)
    assert secret not in listed.text
    assert "Elevated" in find_row(listed, "A booking site")
    path = f"{KEYS}/clients/{client_id}/delete"
    assert read_heading(await browser.post(path, {})) == "Delete A booking site?"
    deleted = await browser.post(path, {"sure": "yes"})
    assert "The client is deleted" in deleted.text
    assert find_row(deleted, "A booking site") == ""
    assert (await api.http.post("/oauth/token", data=grant)).status_code == 401
    assert (await browser.post(path, {})).status_code == 404
