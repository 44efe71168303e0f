"""The words of messages at the console: chosen, seen before they are saved, and given up again."""

import httpx
from lxml import html

from meetdeck.messages.writing.kinds import TextKind
from meetdeck.messages.writing.placeholders import Placeholder
from meetdeck.pages.console.settings.messages import KINDS, PLACEHOLDERS
from support.console import EVA, SIGNE, Browser
from support.factories import Api

TEXTS = "v3/booking/config/message-texts"
PAGE = "/settings/messages/Invitation/en"


def read_form(page: httpx.Response) -> dict[str, str]:
    """Return what the page's form sends when nothing is typed."""
    (form,) = html.fromstring(page.text).xpath("//form[@id='settings-form']")
    return {name: value.removeprefix("\n") for name, value in form.form_values()}


def test_all_messages_and_placeholders_are_told() -> None:
    assert set(KINDS) == {kind.value for kind in TextKind}
    assert set(PLACEHOLDERS) == {one.value for one in Placeholder}


async def test_who_may_not_configure_sees_no_words(api: Api) -> None:
    browser = await Browser.open(api, EVA)
    assert (await browser.get("/settings/messages")).status_code == 403


async def test_words_are_chosen_seen_in_the_list_and_given_up_again(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    before = (await api.get(f"{TEXTS}/Invitation/en")).json()
    form = read_form(await browser.get(PAGE)) | {"subject": "Welcome on {{day}}"}
    listed = await browser.post(PAGE, form)
    assert "Invitation is saved." in listed.text
    assert listed.text.count("Your words") == 1
    now = (await api.get(f"{TEXTS}/Invitation/en")).json()
    assert now == before | {"subject": "Welcome on {{day}}", "isDefault": False}
    assert (await browser.post(PAGE, form | {"subject": "Mine"})).status_code == 412
    tag = read_form(await browser.get(PAGE))["tag"]
    await browser.post(f"{PAGE}/reset", {"tag": tag})
    assert (await api.get(f"{TEXTS}/Invitation/en")).json() == before


async def test_a_message_is_seen_in_words_that_are_not_saved(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    form = read_form(await browser.get(PAGE)) | {"subject": "Welcome, {{name}}", "heading": "Good to see you"}
    mail = await browser.post(f"{PAGE}/preview", form)
    assert "Good to see you" in mail.text
    assert mail.headers["Content-Security-Policy"].endswith("; sandbox; frame-ancestors 'self'")
    text = await browser.post(f"{PAGE}/preview", form | {"preview-as": "text"})
    assert "<h1" in text.text
    assert "Welcome, " in text.text
    assert "{{name}}" not in text.text
    assert (await api.get(f"{TEXTS}/Invitation/en")).json()["isDefault"]


async def test_what_is_no_placeholder_is_said_beside_its_field_and_in_the_preview(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    form = read_form(await browser.get(PAGE)) | {"body": "Hello {{advisr}}"}
    for path in (PAGE, f"{PAGE}/preview"):
        answer = await browser.post(path, form)
        assert answer.status_code == 422
        assert "Did you mean advisor?" in answer.text


async def test_a_text_message_has_one_text_alone(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    page = "/settings/messages/TextReminder/da"
    form = read_form(await browser.get(page))
    assert set(form) == {"tag", "body"}
    (await browser.post(page, form | {"body": "Vi ses {{day}}"})).raise_for_status()
    assert (await api.get(f"{TEXTS}/TextReminder/da")).json()["body"] == "Vi ses {{day}}"
    drawn = await browser.post(f"{page}/preview", form | {"body": "Vi ses på {{place}}"})
    assert "Vi ses på " in drawn.text


async def test_there_is_no_page_for_other_messages(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    for path in ("Nothing/en", "Invitation/xx", "Invitation/..%2Fen"):
        assert (await browser.get(f"/settings/messages/{path}")).status_code == 404
