"""The console's pages of a template with 200 slides: no page shows, or asks for, more than a part."""

import gzip
import re
from typing import Any

import pytest

from meetdeck.pages.console.kit import Api as ConsoleApi
from meetdeck.pages.console.kit import ApiAnswer
from support.console import ANNA, Browser
from support.factories import Api
from support.renderers import BlankPages
from support.slide_pictures import make_template, upload

SLIDES = 200
MOST_COMPRESSED = 12 * 1024


@pytest.fixture
def renderer() -> BlankPages:
    return BlankPages(SLIDES)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note the paths of the calls that pages make of the API."""
    noted: list[str] = []
    send = ConsoleApi.send

    async def note(api: ConsoleApi, method: str, path: str, *args: Any, **named: Any) -> ApiAnswer:
        noted.append(path)
        return await send(api, method, path, *args, **named)

    monkeypatch.setattr(ConsoleApi, "send", note)
    return noted


async def test_a_page_of_200_slides_shows_24_by_a_few_calls(api: Api, calls: list[str]) -> None:
    content = make_template(*(f"Slide {number}" for number in range(SLIDES)))
    for _ in range(2):
        await upload(api, content, name="Large")
    browser = await Browser.open(api, ANNA)
    found = re.search(r"templates/([0-9a-f-]{36})", (await browser.get("/templates?q=large")).text)
    assert found
    for view, most_calls in (("", 4), ("/revisions", 6 + 24)):
        calls.clear()
        page = await browser.get(f"/templates/{found[1]}{view}")
        assert page.status_code == 200, view
        assert page.text.count('loading="lazy"') == 24, view
        assert len(calls) <= most_calls, (view, calls)
        assert len(gzip.compress(page.content)) < MOST_COMPRESSED, view
    last = await browser.get(f"/templates/{found[1]}?page=9")
    assert last.text.count('loading="lazy"') == SLIDES % 24
