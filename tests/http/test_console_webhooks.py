"""Webhooks at the console."""

import re
from html import unescape

import pytest
from lxml import html

from meetdeck.platform.changes import EventType
from support.console import SIGNE, THOMAS, Browser, read_heading
from support.factories import Api

HOOK = {"url": "https://93.184.216.34/meetdeck", "description": "The CRM", "types": ["meeting.created"]}
LIST = "/settings/webhooks"


async def add(browser: Browser, **members: str) -> tuple[str, str]:
    """Add a webhook; return its path and what is shown once."""
    shown = await browser.post(f"{LIST}/new", HOOK | {"signature": "v1"} | members)
    assert shown.status_code == 201, shown.text
    (key,) = set(re.findall(r"settings/webhooks/([0-9a-f-]{36})", shown.text))
    (secret,) = re.findall(r'readonly value="([^"]+)"', shown.text)
    return f"{LIST}/{key}", secret


async def test_only_administrators_see_webhooks(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    assert "settings/webhooks" not in (await browser.get("/settings")).text
    assert (await browser.get(LIST)).status_code == 403
    assert (await browser.post(f"{LIST}/new", HOOK)).status_code == 403


@pytest.mark.parametrize(("signature", "begin"), [("v1", "whsec_"), ("v1a", "whpk_")])
async def test_the_secret_of_a_new_webhook_is_shown_once(api: Api, signature: str, begin: str) -> None:
    browser = await Browser.open(api, THOMAS)
    path, secret = await add(browser, signature=signature)
    assert secret.startswith(begin)
    assert secret not in (await browser.get(path)).text
    rotated = await browser.post(f"{path}/secret", {})
    assert begin in rotated.text
    assert secret not in rotated.text


async def test_a_webhook_is_changed_turned_off_and_deleted(api: Api) -> None:
    browser = await Browser.open(api, THOMAS)
    path, _ = await add(browser)
    page = await browser.get(path)
    tag = unescape(re.findall(r'name="tag" value="([^"]+)"', page.text)[0])
    changed = await browser.post(path, HOOK | {"description": "The other CRM", "types": [], "tag": tag})
    assert "The webhook is saved." in changed.text
    late = await browser.post(path, HOOK | {"description": "Typed in vain", "tag": tag})
    assert late.status_code == 412
    (description, _) = html.fromstring(late.text).xpath("//section[contains(@class, 'conflict')]//tbody/tr")
    assert description.xpath("*/text()") == ["Description", "Typed in vain", "The other CRM"]
    assert "It is off: nothing is sent." in (await browser.post(f"{path}/active", {"active": "no"})).text
    listed = (await browser.get(LIST)).text
    assert "The other CRM" in listed
    asked = await browser.post(f"{path}/delete", {})
    assert read_heading(asked) == f"Delete {HOOK['url']}?"
    tag = unescape(re.findall(r'name="tag" value="([^"]+)"', asked.text)[0])
    deleted = await browser.post(f"{path}/delete", {"sure": "yes", "tag": tag})
    assert "The webhook is deleted." in deleted.text
    assert (await browser.get(path)).status_code == 404


async def test_what_is_wrong_is_said_and_nothing_is_lost(api: Api) -> None:
    browser = await Browser.open(api, THOMAS)
    page = await browser.post(f"{LIST}/new", HOOK | {"url": "http://127.0.0.1/", "signature": "v1a"})
    assert page.status_code == 422
    assert "There is a problem" in page.text
    assert "The CRM" in page.text
    assert re.search(r'value="meeting.created" checked', page.text)


async def test_a_test_is_a_delivery_and_events_are_sent_again(api: Api) -> None:
    browser = await Browser.open(api, THOMAS)
    path, _ = await add(browser)
    assert "Nothing has been sent yet." in (await browser.get(path)).text
    assert "webhook.test" in (await browser.post(f"{path}/test", {})).text
    assert "webhook.test" in (await browser.get(f"{path}?status=Waiting")).text
    assert "webhook.test" not in (await browser.get(f"{path}?status=Failed")).text
    again = await browser.post(f"{path}/replay", {"from": "2026-03-01T00:00", "to": ""})
    assert "sent again." in again.text
    assert (await browser.post(f"{path}/replay", {"from": "soon", "to": "never"})).status_code == 422


async def test_each_type_of_event_is_named_in_words(api: Api) -> None:
    browser = await Browser.open(api, THOMAS)
    page = html.fromstring((await browser.get(f"{LIST}/new")).text)
    labels = page.xpath("//fieldset[@id='types']//label")
    named = {label.xpath("string(code)"): label.text_content().split("\n")[0] for label in labels}
    assert set(named) == set(EventType)
    assert all(len(words.removesuffix(kind).split()) > 2 for kind, words in named.items()), named
    assert named["meeting.moved"].startswith("A meeting's time, people or room changed")
