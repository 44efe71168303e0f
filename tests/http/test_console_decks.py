"""Building a deck at the console: choosing slides, filling them in, and what comes of it."""

import io
import re
from html import unescape
from typing import Any

import httpx
import pytest
import pytest_asyncio
from pptx import Presentation

from support.console import ANNA, Browser, list_links
from support.factories import Api
from support.renderers import BlankPages
from support.slide_pictures import make_template, upload

Form = dict[str, str | list[str]]


@pytest.fixture
def renderer() -> BlankPages:
    return BlankPages(pages=2)


@pytest_asyncio.fixture
async def browser(api: Api) -> Browser:
    """Lend the browser of an employee; there is a template of three slides."""
    await upload(api, make_template("Dear {{customer.name}}", "{{#goals}}{{name}}: {{target}}{{/goals}}", "The end"))
    return await Browser.open(api, ANNA)


async def find_template(browser: Browser) -> str:
    """Return the id of the template."""
    page = await browser.get("/decks?q=Welcome")
    return next(found[1] for link in list_links(page) if (found := re.search(r"decks/new\?template=(.*)", link)))


def list_order(answer: httpx.Response) -> list[str]:
    """Return the slides in the order of a page's cards."""
    return [unescape(name) for name in re.findall(r'name="order" value="([^"]*)"', answer.text)]


def list_chosen(answer: httpx.Response) -> list[str]:
    """Return the slides that are ticked."""
    return [unescape(name) for name in re.findall(r'name="slide" value="([^"]*)" checked', answer.text)]


def read_slides(content: bytes) -> list[str]:
    """Return the names of a deck's slides."""
    deck: Any = Presentation(io.BytesIO(content))
    return [slide.name for slide in deck.slides]


async def open_form(browser: Browser, *slides: str) -> Form:
    """Choose slides, and return what the form for their data sends as it is."""
    template = await find_template(browser)
    shown = await browser.get(f"/decks/new?template={template}")
    names = list_order(shown)
    chosen = [names[int(slide) - 1] for slide in slides]
    page = await browser.post("/decks/new", {"template": template, "order": chosen, "slide": chosen})
    assert page.status_code == 200, page.text
    return {"template": template, "slide": chosen, "mode": "form", "rest": "{}", "shown": chosen[0]}


async def test_slides_are_chosen_and_put_in_order_without_scripts(browser: Browser) -> None:
    template = await find_template(browser)
    page = await browser.get(f"/decks/new?template={template}")
    one, two, three = list_order(page)
    assert list_chosen(page) == [one, two, three]
    form: Form = {"template": template, "order": [one, two, three], "slide": [one, two]}
    moved = await browser.post("/decks/new", form | {"act": f"down:{one}"})
    assert (list_order(moved), list_chosen(moved)) == ([two, one, three], [two, one])
    assert list_chosen(await browser.post("/decks/new", form | {"act": "all"})) == [one, two, three]
    assert list_chosen(await browser.post("/decks/new", form | {"act": "none"})) == []
    nothing = await browser.post("/decks/new", {"template": template, "order": [one]})
    assert (nothing.status_code, "Choose at least one slide." in nothing.text) == (422, True)


async def test_the_form_asks_for_what_the_chosen_slides_want_alone(browser: Browser) -> None:
    template = await find_template(browser)
    names = list_order(await browser.get(f"/decks/new?template={template}"))
    first = await browser.post("/decks/new", {"template": template, "order": names, "slide": names[0]})
    assert ('name="/customer/name"' in first.text, 'name="/goals#"' in first.text) == (True, False)
    last = await browser.post("/decks/new", {"template": template, "order": names, "slide": names[2]})
    assert "These slides need no data." in last.text


async def test_a_deck_is_made_of_the_slides_in_their_order_with_the_data(browser: Browser) -> None:
    form = await open_form(browser, "3", "1")
    made = await browser.post("/decks/data", form | {"/customer/name": "Freja"})
    assert "The deck is made" in made.text
    links = [link.partition("console")[2] for link in list_links(made) if "/made/" in link]
    deck = await browser.get(links[0])
    assert read_slides(deck.content) == ["The end", "Dear Freja"]
    opened: Any = Presentation(io.BytesIO(deck.content))
    assert len(opened.slides) == 2
    assert "filename*=UTF-8''Welcome.pptx" in deck.headers["content-disposition"]
    for link in links[1:]:
        pdf = await browser.get(link)
        assert (pdf.status_code, pdf.content[:5]) == (200, b"%PDF-")


async def test_values_that_miss_are_named_beside_their_fields_and_the_deck_is_made_all_the_same(
    browser: Browser,
) -> None:
    form = await open_form(browser, "1", "2")
    refused = await browser.post("/decks/data", form | {"/goals#": "1", "/goals/0/name": "House"})
    assert refused.status_code == 422
    assert 'href="#/customer/name"' in refused.text
    assert "customer &gt; name: There is no value yet." in refused.text
    assert 'id="/customer/name-error"' in refused.text
    assert "House" in refused.text
    made = await browser.post("/decks/data", form | {"act": "anyway"})
    assert "The deck is made" in made.text


async def test_items_are_added_and_removed_and_nothing_typed_is_lost(browser: Browser) -> None:
    form = await open_form(browser, "1", "2")
    typed = {"/customer/name": "Freja", "/goals#": "1", "/goals/0/name": "House"}
    more = await browser.post("/decks/data", form | typed | {"act": "add:/goals"})
    assert ('name="/goals/1/name"' in more.text, "Freja" in more.text, "House" in more.text) == (True, True, True)
    fewer = await browser.post("/decks/data", form | typed | {"act": "remove:/goals/0"})
    assert ('name="/goals/0/name"' in fewer.text, "Freja" in fewer.text) == (False, True)


async def test_json_is_pasted_and_the_form_shows_it_and_what_is_no_json_is_said(browser: Browser) -> None:
    form = await open_form(browser, "1")
    pasted = {"mode": "json", "json": '{"customer": {"name": "Freja"}, "more": 1}'}
    shown = await browser.post("/decks/data", form | pasted | {"act": "form"})
    assert ("Freja</textarea>" in shown.text, "&#34;more&#34;: 1" in shown.text) == (True, True)
    for wrong in ("{", "[1]"):
        refused = await browser.post("/decks/data", form | {"mode": "json", "json": wrong})
        assert (refused.status_code, "This is not a JSON object" in refused.text) == (422, True)


async def test_a_slide_is_drawn_while_it_is_filled(browser: Browser, renderer: BlankPages) -> None:
    form = await open_form(browser, "1", "3")
    drawn = await browser.post("/decks/preview", form | {"/customer/name": "Freja"})
    assert 'src="data:image/webp;base64,' in drawn.text
    assert "<html" not in drawn.text
    assert renderer.drawn
    whole = await browser.post("/decks/data", form | {"act": "preview"})
    assert 'src="data:image/webp;base64,' in whole.text


async def test_the_example_fills_the_form(browser: Browser) -> None:
    form = await open_form(browser, "1", "2")
    filled = await browser.post("/decks/data", form | {"act": "example"})
    assert ">\nName</textarea>" in filled.text
    assert 'name="/goals/1/name"' in filled.text


async def test_a_choice_of_slides_is_kept_as_a_recipe_and_used_again(browser: Browser) -> None:
    form = await open_form(browser, "3", "1")
    nameless = await browser.post("/decks/data", form | {"act": "keep"})
    assert (nameless.status_code, "Enter a name for the recipe." in nameless.text) == (422, True)
    typed = {"/customer/name": "Freja", "recipe-name": "In short"}
    saved = await browser.post("/decks/data", form | typed | {"act": "keep"})
    assert "In short is saved." in saved.text
    path = next(link.partition("console")[2] for link in list_links(saved) if "/recipes/" in link)
    recipe = await browser.get(path)
    assert [unescape(name) for name in re.findall(r'name="slide" value="([^"]*)"', recipe.text)] == form["slide"]
    again = {"template": form["template"], "order": form["slide"], "slide": form["slide"], "recipe": path[-36:]}
    assert "Freja" not in (await browser.post("/decks/new", again)).text
    deleted = await browser.post(f"{path}/delete", {})
    assert "In short is deleted." in deleted.text
    assert (await browser.get(path)).status_code == 404


async def test_a_recipe_keeps_data_when_that_is_wanted_and_names_what_is_gone(browser: Browser, api: Api) -> None:
    form = await open_form(browser, "1", "2")
    typed = {"/customer/name": "Freja", "recipe-name": "With data", "with-data": "yes"}
    saved = await browser.post("/decks/data", form | typed | {"act": "keep"})
    path = next(link.partition("console")[2] for link in list_links(saved) if "/recipes/" in link)
    again = {"template": form["template"], "order": form["slide"], "slide": form["slide"], "recipe": path[-36:]}
    assert "Freja" in (await browser.post("/decks/new", again)).text
    await upload(api, make_template("Another"))
    assert "These slides are no longer in the template" in (await browser.get(path)).text
