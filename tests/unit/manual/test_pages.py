"""The pages of the manual, made of docs/: every link leads somewhere, and every page is in the order."""

import re
from pathlib import Path

import pytest
from tools.manual.markdown import UnknownMarkup, render
from tools.manual.navigation import WrongNavigation, read_navigation
from tools.manual.pages import Manual, make_manual
from tools.manual.sources import DOCS

from meetdeck.pages.manual.links import place_links, remove_links_to_installation

_TOML = """
left_out = {}
readers = []
[[sections]]
name = "start"
title = "Start"
lead = "Begin here."
icon = "sparkles"
pages = [%s]
"""


@pytest.fixture(scope="module")
def manual() -> Manual:
    return make_manual(DOCS, {})


def test_every_link_leads_to_a_page_and_a_heading_of_it(manual: Manual) -> None:
    links = [(page, *link.partition("#")[::2]) for page, body in manual.bodies.items() for link in body.links]
    assert len(links) > 400
    broken = [
        (page, name, anchor)
        for page, name, anchor in links
        if name not in manual.bodies or (anchor and anchor not in manual.bodies[name].anchors)
    ]
    assert broken == []


def test_a_page_has_every_anchor_once_and_its_links_within_lead_to_them(manual: Manual) -> None:
    for name, page in manual.pages.items():
        ids = re.findall(r' id="([^"]+)"', page)
        assert len(ids) == len(set(ids)), name
        assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids), name


def test_pages_have_no_script_or_style_of_their_own_and_load_nothing_from_elsewhere(manual: Manual) -> None:
    for name, page in manual.pages.items():
        assert re.findall(r"<style|<script(?! src=)|style=|\son[a-z]+=\"|javascript:", page) == [], name
        assert re.findall(r'(?:src|<link [^>]*href)="(?!manual:)', page) == [], name


@pytest.mark.parametrize(
    ("listed", "fault"),
    [
        ('"a"', "b is in no section"),
        ('"a", "b", "c"', "c is listed, and there is no such page"),
        ('"a", "b", "a"', "a is listed twice"),
    ],
)
def test_a_page_that_the_order_lacks_or_invents_is_told(tmp_path: Path, listed: str, fault: str) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.md").write_text("# Title\n\nText.\n")
    (tmp_path / "manual.toml").write_text(_TOML % listed)
    with pytest.raises(WrongNavigation, match=fault):
        read_navigation(tmp_path, {})


def test_a_page_with_the_address_of_the_api_page_is_told(tmp_path: Path) -> None:
    (tmp_path / "api.md").write_text("# Title\n\nText.\n")
    (tmp_path / "manual.toml").write_text(_TOML % '"api"')
    with pytest.raises(WrongNavigation, match="api is the address of something else"):
        read_navigation(tmp_path, {})


def test_markdown_becomes_a_page() -> None:
    text = """# Cards & tables

The first *paragraph* of `it`.

## Same
[a page](text.md#x), [below](#same-1), [the code](../../src/x.py), [elsewhere](https://example.com/a?b=1&c=2)
<!-- left out -->
## Same
| a | b |
|---|---|
| 1 | `{{x \\| y}}` |

```sh
echo "$API" # says it
```
"""
    body = render("templates/cards", text, DOCS)
    assert (body.title, body.lead) == ("Cards & tables", "The first paragraph of it.")
    assert [(each.level, each.text, each.anchor) for each in body.headings] == [
        (2, "Same", "same"),
        (2, "Same", "same-1"),
    ]
    assert body.links == ["templates/text#x", "templates/cards#same-1"]
    for part in (
        '<a href="manual:page/templates/text#x">a page</a>',
        '<a href="#same-1">below</a>',
        "<span>the code</span>",
        '<a href="https://example.com/a?b=1&amp;c=2" rel="noreferrer">elsewhere</a>',
        '<div class="table" role="region" aria-label="Same" tabindex="0"><table>',
        "<code>{{x | y}}</code>",
        '<div class="code" data-language="Shell">',
        '<span class="c"># says it</span>',
    ):
        assert part in body.html, part
    assert "left out" not in body.html


@pytest.mark.parametrize(
    "text", ["Text without a title.", "# Title\n\n<script>alert(1)</script>", "# Title\n\n<b>x</b>"]
)
def test_a_page_without_title_or_with_other_html_is_refused(text: str) -> None:
    with pytest.raises(UnknownMarkup):
        render("page", text, DOCS)


def _place(kind: str, name: str) -> str:
    return "docs" if name == "index" else {"page": f"docs/{name}", "base": "docs/", "root": name}[kind]


@pytest.mark.parametrize(
    ("at", "target", "address"),
    [
        ("docs", "page/index", "docs"),
        ("docs", "page/a/b#c", "docs/a/b#c"),
        ("docs/", "page/a/b", "a/b"),
        ("docs/x", "page/index", "../docs"),
        ("docs/a/x", "page/a/b", "b"),
        ("docs/a/x", "page/b", "../b"),
        ("docs/a/x", "base/", "../"),
        ("docs/x", "base/", "./"),
        ("docs/a/x", "root/docs/api?version=v2#/Rooms", "../api?version=v2#/Rooms"),
    ],
)
def test_links_are_relative_to_the_page(at: str, target: str, address: str) -> None:
    assert place_links(f'<a href="manual:{target}">', at, _place) == f'<a href="{address}">'


def test_links_to_the_installation_can_be_removed() -> None:
    html = '<p><a class="api" href="manual:root/docs/api">API\npage</a> <a href="manual:page/a">A</a></p>'
    assert remove_links_to_installation(html) == '<p> <a href="manual:page/a">A</a></p>'
