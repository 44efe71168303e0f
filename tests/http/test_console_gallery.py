"""The console's gallery of templates: their list, one of them, its revisions, and uploads."""

import re
from html import unescape

import pytest

from support.console import ANNA, SIGNE, Browser, list_links, read_heading
from support.factories import Api
from support.renderers import BlankPages
from support.slide_pictures import make_template, upload


@pytest.fixture
def renderer() -> BlankPages:
    return BlankPages(pages=30)


async def check(browser: Browser, **files: bytes) -> str:
    """Send files to be checked, and return the page."""
    sent = [("files", (f"{name}.pptx", content)) for name, content in files.items()]
    return (await browser.http.post("/console/templates/upload/check", files=sent)).text


def read_hidden(page: str, name: str) -> list[str]:
    """Return the values of the hidden inputs of a name."""
    return [unescape(value) for value in re.findall(rf'type="hidden" name="{name}" value="([^"]*)"', page)]


def list_cards(page: str) -> list[str]:
    """Return the headings of the cards of a page."""
    headings = re.findall(r'<h[23] class="ds-heading" data-size="2xs">(.*?)</h[23]>', page, re.DOTALL)
    return [re.sub(r"<[^>]*>", "", unescape(one)).strip() for one in headings]


async def find_template(browser: Browser, name: str) -> str:
    """Return the path of a template's page below the console."""
    page = await browser.get(f"/templates?q={name}")
    return next(link for link in list_links(page) if re.search(r"templates/[0-9a-f-]{36}$", link)).partition("console")[
        2
    ]


async def test_what_is_found_is_shown_before_a_file_becomes_a_template(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    page = await check(
        browser, Good=make_template("Hello {{customer.name}}"), Bad=make_template("{{#open}} never ends")
    )
    assert "Store it as a template" in page
    assert "This file cannot be used as a template yet" in page
    assert "open" in page
    (content,) = read_hidden(page, "content")
    assert list_cards((await browser.get("/templates?q=good")).text) == []
    form = {"content": content, "file": "Good.pptx", "name": "Good one", "type": "Private", "chosen": content}
    stored = await browser.post("/templates/upload/store", form)
    assert "Good one is stored." in stored.text
    assert "Good one" in list_cards(stored.text)


async def test_a_name_that_cannot_be_is_refused_beside_its_file_and_nothing_is_lost(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    (content,) = read_hidden(await check(browser, Good=make_template("Hello")), "content")
    form = {"content": content, "file": "Good.pptx", "name": "..", "type": "Private", "chosen": content}
    refused = await browser.post("/templates/upload/store", form)
    assert refused.status_code == 422
    assert "Good.pptx: Give another name." in unescape(refused.text)
    assert read_hidden(refused.text, "content") == [content]
    assert 'value="Private"' in refused.text


async def test_nothing_and_files_that_are_no_presentation_are_refused_in_words(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    nothing = await browser.post("/templates/upload/check", {})
    assert (nothing.status_code, "Choose a PowerPoint file." in nothing.text) == (422, True)
    page = await check(browser, Picture=b"no presentation")
    assert "This file cannot be used as a template yet" in page
    assert "Error" in page


async def test_templates_are_found_by_words_of_their_names_labels_and_customer_types(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    await upload(api, make_template("First"))
    path = await find_template(browser, "Welcome")
    saved = await browser.post(f"{path}/labels", {"labels": "Spring, Private"})
    assert "The labels are saved." in saved.text
    for query in ("q=welc", "q=spring", "label=Spring", "q=welcome+spring"):
        assert list_cards((await browser.get(f"/templates?{query}")).text) == ["Welcome"]
    assert list_cards((await browser.get("/templates?tag={{customer.first")).text) == ["Annual review"]
    for query in ("q=autumn", "tag=autumn"):
        assert "No template has that" in (await browser.get(f"/templates?{query}")).text


async def test_a_template_shows_each_slide_by_section_with_its_findings_beside_it(api: Api) -> None:
    browser = await Browser.open(api, ANNA)
    path = await find_template(browser, "Annual")
    page = await browser.get(path)
    assert read_heading(page) == "Annual review"
    assert "1 Cover" in [" ".join(card.split()) for card in list_cards(page.text)]
    pictures = [unescape(one) for one in re.findall(r'<img src="[^"]*/(templates/picture[^"]*)"', page.text)]
    picture = await browser.get(f"/{pictures[0]}")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/webp")
    tags = await browser.get(f"{path}/tags?q=customer.name")
    assert "customer.name" in tags.text
    assert "balance" not in tags.text


async def test_two_revisions_are_compared_slide_by_slide(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    await upload(api, make_template("First", "Second"))
    path = await find_template(browser, "Welcome")
    assert "This is the first file." in (await browser.get(f"{path}/revisions")).text
    await upload(api, make_template("First", "Third"))
    compared = " ".join(re.sub(r"<[^>]*>", " ", (await browser.get(f"{path}/revisions")).text).split())
    assert "First The same" in compared
    assert "Third Added" in compared
    assert "Second Removed" in compared
    assert "Not in revision 1" in compared
    changed = await browser.get(f"{path}/revisions?from=1&to=2&only=changed")
    assert [card.split()[0] for card in list_cards(changed.text)] == ["Second", "Third"]


async def test_a_template_is_deleted_after_a_question(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    await upload(api, make_template("First"))
    path = await find_template(browser, "Welcome")
    question = await browser.post(f"{path}/delete", {})
    assert read_heading(question) == "Delete Welcome?"
    (tag,) = read_hidden(question.text, "tag")
    deleted = await browser.post(f"{path}/delete", {"sure": "yes", "tag": tag})
    assert "Welcome is deleted." in deleted.text
    assert (await browser.get(path)).status_code == 404


async def test_an_employee_looks_and_does_not_change(api: Api) -> None:
    browser = await Browser.open(api, ANNA)
    listed = await browser.get("/templates")
    assert "Upload" not in listed.text
    path = await find_template(browser, "Annual")
    assert "Delete the template" not in (await browser.get(path)).text
    for refused in (
        await browser.get("/templates/upload"),
        await browser.post(f"{path}/labels", {"labels": "Mine"}),
        await browser.post(f"{path}/delete", {"sure": "yes"}),
    ):
        assert refused.status_code == 403
