"""The pages for authors of templates: what they show is what the engine does."""

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation

from meetdeck.present.deck import compile_template, whole_deck
from meetdeck.present.render.svg import SvgDrawer
from support.package_checker.soundness import assert_sound

ROOT = Path(__file__).parents[3]
PICTURES = ROOT / "docs/images/templates"
PAGES = {path.stem: path.read_text() for path in sorted((ROOT / "docs/templates").glob("*.md"))}
ALL_PAGES = PAGES | {"": (ROOT / "docs/templates.md").read_text()}
SHOWN = [(page, name) for page, text in PAGES.items() for name in re.findall(r"images/templates/([\w-]+)\.png", text)]
_ROW = re.compile(r"^\| `((?:[^`]|\\\|)+)` \| `([^`]+)` \| (.+) \|$", re.MULTILINE)
_MOST_BYTES = 60_000
Draw = Callable[[str, str], tuple[Any, bytes]]


@pytest.fixture(scope="module")
def scripts() -> Iterator[Mapping[str, Any]]:
    """The modules that draw the examples, by name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.path", [str(ROOT / "tools"), *sys.path])
        yield {
            name: import_module(f"template_pictures.{name}") for name in ("catalogue", "example", "reading", "stage")
        }
    for name in [name for name in sys.modules if name.startswith("template_pictures")]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def draw(scripts: Mapping[str, Any]) -> Draw:
    """Return an example of a page by its name, and its template, which is drawn once."""

    @cache
    def draw(page: str, name: str) -> tuple[Any, bytes]:
        example = next(example for example in scripts["catalogue"].EXAMPLES[page] if example.name == name)
        stage = scripts["stage"].Stage()
        example.draw(stage)
        return example, stage.save()

    return draw


@pytest.mark.parametrize(("page", "name"), SHOWN)
def test_the_data_of_a_page_makes_the_slides_of_its_picture(
    scripts: Mapping[str, Any], draw: Draw, page: str, name: str
) -> None:
    example, template = draw(page, name)
    data = scripts["example"].read_data(scripts["example"].read_examples(PAGES[page])[name])
    deck = whole_deck(example.compile(template), data, contents=example.files, drawer=SvgDrawer())
    assert scripts["reading"].read_slides(deck.content) == [list(texts) for texts in example.shown]
    assert [finding.code for finding in deck.findings] == list(example.findings)
    assert_sound(deck.content, template)


@pytest.mark.parametrize(("page", "name"), SHOWN)
def test_what_the_author_has_typed_stands_on_the_page(
    scripts: Mapping[str, Any], draw: Draw, page: str, name: str
) -> None:
    _, template = draw(page, name)
    about = scripts["example"].read_examples(PAGES[page])[name].replace("\\|", "|")
    typed = scripts["reading"].read_typed(template)
    assert typed
    assert [text for text in typed if text not in about] == []


def test_every_example_is_shown_once_and_every_picture_is_an_example(scripts: Mapping[str, Any]) -> None:
    examples = scripts["catalogue"].EXAMPLES
    assert sorted(SHOWN) == sorted((page, example.name) for page in examples for example in examples[page])
    assert sorted(path.stem for path in PICTURES.glob("*")) == sorted(name for _, name in SHOWN)


def test_pictures_are_small_and_large_enough_to_read() -> None:
    for path in PICTURES.glob("*.png"):
        assert path.stat().st_size < _MOST_BYTES, path.name
        with Image.open(path) as picture:
            assert (picture.mode, picture.width) == ("P", 1604), path.name


@pytest.mark.parametrize(("tag", "value", "results"), _ROW.findall(PAGES["filters"]))
def test_filters_write_what_their_table_says(scripts: Mapping[str, Any], tag: str, value: str, results: str) -> None:
    english, danish = (text.strip() for text in results.split(" | "))
    data: dict[str, object] = {"x": json.loads(value)}
    assert _fill(scripts, tag, data) == english
    assert _fill(scripts, tag, data | {"$locale": "da-DK"}) == danish


@pytest.mark.parametrize(("tag", "data", "result"), _ROW.findall(PAGES["text"]))
def test_names_lead_to_what_their_table_says(scripts: Mapping[str, Any], tag: str, data: str, result: str) -> None:
    assert _fill(scripts, tag, json.loads(data)) == result


def _fill(scripts: Mapping[str, Any], typed: str, data: dict[str, object]) -> str:
    stage = scripts["stage"].Stage()
    stage.begin("")
    stage.text(typed.replace("\\|", "|"))
    presentation: Any = Presentation(BytesIO(whole_deck(compile_template(stage.save()), data).content))
    return presentation.slides[0].shapes[-1].text_frame.text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(("tag", "data", "result"), _ROW.findall(PAGES["expressions"].partition("## Syntax")[2]))
def test_expressions_show_what_their_table_says(scripts: Mapping[str, Any], tag: str, data: str, result: str) -> None:
    assert _fill(scripts, tag, json.loads(data)).strip() == result


@pytest.mark.parametrize("page", ALL_PAGES)
def test_json_is_json(page: str) -> None:
    for block in re.findall(r"```json\n(.*?)```", ALL_PAGES[page], re.DOTALL):
        json.loads(block)
