"""Layouts that another template had, too: they are compiled once, unless data or deck decide about them."""

import zipfile
from collections.abc import Callable, Mapping
from io import BytesIO

import pytest

from meetdeck.present.deck import TemplateError, compile_template, whole_deck
from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.parts import compiler
from meetdeck.present.deck.compile.parts.fixed_parts import mark_fixed_part
from meetdeck.present.deck.opc.xml import Element

Replace = Callable[[bytes, Mapping[str, bytes | None]], bytes]


@pytest.fixture
def template_with(text_template: Callable[[str], bytes], replace_parts: Replace) -> Callable[[str, str], bytes]:
    """Make a template in whose layout one text is replaced by another."""

    def make(old: str, new: str) -> bytes:
        data = text_template("<a:p><a:r><a:t>{{name}}</a:t></a:r></a:p>")
        with zipfile.ZipFile(BytesIO(data)) as archive:
            (name,) = (name for name in archive.namelist() if name.startswith("ppt/slideLayouts/slide"))
            layout = archive.read(name).decode()
        assert old in layout
        return replace_parts(data, {name: layout.replace(old, new).encode()})

    return make


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """List the parts that are marked from now on, in turn."""
    found: list[str] = []

    def mark(root: Element, context: PartContext) -> None:
        found.append(context.part.kind)
        mark_fixed_part(root, context)

    monkeypatch.setattr(compiler, "mark_fixed_part", mark)
    return found


def test_a_layout_without_tags_is_marked_once_for_all_templates(
    template_with: Callable[[str, str], bytes], marked: list[str]
) -> None:
    one, other = template_with("Blank", "Blank of ours"), template_with("Blank", "Blank of ours")
    first = compile_template(one)
    assert "layout" in marked
    marked.clear()
    assert compile_template(other) == first
    assert not {"layout", "slideMaster", "theme"} & set(marked)


def test_a_layout_with_a_tag_is_filled_in_each_template(template_with: Callable[[str, str], bytes]) -> None:
    data = template_with('name="Blank"', 'name="{{office}}"')
    templates = [compile_template(data) for _ in range(2)]
    assert templates[0] == templates[1]
    decks = [whole_deck(template, {"name": "Ole", "office": "Aarhus"}).content for template in templates]
    assert decks[0] == decks[1]
    with zipfile.ZipFile(BytesIO(decks[0])) as archive:
        layouts = [archive.read(name).decode() for name in archive.namelist() if "slideLayouts/slide" in name]
    assert 'name="Aarhus"' in layouts[0]


def test_a_broken_layout_is_refused_each_time(template_with: Callable[[str, str], bytes]) -> None:
    data = template_with("</p:sldLayout>", "")
    for _ in range(2):
        with pytest.raises(TemplateError) as refusal:
            compile_template(data)
        assert {finding.code for finding in refusal.value.findings} == {"broken-xml"}


def test_a_layout_with_a_link_is_never_known(template_with: Callable[[str, str], bytes], marked: list[str]) -> None:
    data = template_with("<p:grpSpPr", '<p:extLst><x:sldZmObj xmlns:x="urn:x"/></p:extLst><p:grpSpPr')
    for _ in range(2):
        marked.clear()
        compile_template(data)
        assert "layout" in marked
