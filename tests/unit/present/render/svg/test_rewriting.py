"""Safe SVGs: the parts that are kept, and the files that are refused."""

import re

import pytest

from meetdeck.present.deck import NoPicture
from meetdeck.present.render.pictures import defuse
from meetdeck.present.render.svg.rewriting import SafeSvg, make_safe
from support.svgs import HOSTILE, make_svg

_OUTSIDE = re.compile(rb"evil|passwd|alert|script|import|font-face|<image|foreign|javascript|xlink:href", re.IGNORECASE)


def refusal_of(svg: bytes) -> str:
    with pytest.raises(NoPicture) as refused:
        make_safe(svg)
    return str(refused.value)


def inside(svg: SafeSvg) -> str:
    return svg.content.decode().partition(">")[2].removesuffix("</svg>")


@pytest.mark.parametrize("name", HOSTILE)
def test_what_runs_or_leads_outside_is_taken_out_and_named(name: str) -> None:
    safe = make_safe(make_svg(HOSTILE[name]))

    assert not _OUTSIDE.search(safe.content.partition(b">")[2])
    assert safe.dropped
    assert defuse(safe.content) == safe.content


def test_a_drawing_stays_as_it_is() -> None:
    drawing = (
        '<defs><linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient><g id="star">'
        '<path d="M0 0h9z"/></g><clipPath id="c"><circle r="9"/></clipPath></defs>'
        '<use href="#star" transform="translate(3)scale(2)"/>'
        '<rect width="9" height="9" fill="url(#g)" clip-path="url(\'#c\')" style="stroke:rgb(1,2,3)"/>'
        '<text x="1"><tspan font-weight="bold">Net</tspan> of all</text>'
    )

    safe = make_safe(make_svg(drawing))

    assert inside(safe) == drawing
    assert not safe.dropped
    assert safe.has_text


def test_what_editors_write_for_themselves_goes_without_a_word() -> None:
    noise = (
        '<metadata>x</metadata><!-- Made by hand --><e:view xmlns:e="urn:editor" e:zoom="1"/>'
        '<rect class="none" data-name="Layer" e:label="x" xmlns:e="urn:editor" width="9" style="line-height:2"/>'
    )

    safe = make_safe(make_svg(noise))

    assert re.sub(' xmlns:e="[^"]*"', "", inside(safe)) == '<rect width="9"/>'
    assert not safe.dropped


def test_style_sheets_become_the_styles_of_their_elements() -> None:
    safe = make_safe(
        make_svg(
            "<style>.a{fill:red;stroke:blue} #one{fill:lime} rect{fill:gray;opacity:.5} rect.b,.c{stroke-width:4}"
            "*{font-size:9px}</style>"
            '<rect id="one" class="a b"/><circle class="a" style="stroke:none"/>'
        )
    )

    rect, circle = inside(safe).split("<circle")
    assert set(rect.partition('style="')[2].removesuffix('"/>').split(";")) == {
        *("fill:lime", "stroke:blue", "opacity:.5", "stroke-width:4", "font-size:9px"),
    }
    assert "stroke:none" in circle
    assert "fill:red" in circle
    assert not safe.dropped


@pytest.mark.parametrize(
    "rule", ["g rect{fill:red}", "rect:hover{fill:red}", "@media print{rect{fill:red}}", "[x]{fill:red}"]
)
def test_other_rules_of_style_sheets_are_named(rule: str) -> None:
    assert make_safe(make_svg(f"<style>{rule}</style><rect/>")).dropped == ("style sheet rule",)


def test_links_leave_what_they_were_around() -> None:
    safe = make_safe(make_svg('<a><path d="M0 0h9"/></a><text><a href="#x">Net</a></text>'))

    assert inside(safe) == '<g><path d="M0 0h9"/></g><text><tspan>Net</tspan></text>'
    assert "a" in safe.dropped


def test_of_a_switch_the_drawing_for_every_program_stays() -> None:
    old_editor = '<foreignObject requiredExtensions="urn:ai"/><g><path d="M0 0h9"/></g><text>Too old</text>'

    safe = make_safe(make_svg(f"<switch>{old_editor}</switch>"))

    assert inside(safe) == '<g><g><path d="M0 0h9"/></g></g>'
    assert not safe.dropped


def test_paint_that_is_taken_out_leaves_no_black() -> None:
    safe = make_safe(make_svg('<pattern id="p"/><rect fill="url(#p)" style="stroke:url(#p)" mask="url(#m)"/>'))

    assert inside(safe) == '<rect fill="none" style="stroke:none"/>'
    assert safe.dropped == ("pattern",)


def test_a_style_sheet_of_another_file_beside_the_root_is_gone() -> None:
    safe = make_safe(b'<?xml-stylesheet href="http://evil.example/x.css"?><!-- x -->' + make_svg() + b"<!-- y -->")

    assert safe.content.startswith(b"<svg")
    assert safe.content.endswith(b"</svg>")


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ('viewBox="0 0 200 100"', (200, 100)),
        ('width="2in" height="1in"', (192, 96)),
        ('width="40" viewBox="5 5 200 100"', (40, 20)),
        ('height="40" viewBox="0,0,200,100"', (80, 40)),
        ('width="100%" height="100%" viewBox="0 0 200 100"', (200, 100)),
        ('width="72pt" height="48.0PX"', (96, 48)),
    ],
)
def test_the_size_is_the_root_s_own(size: str, expected: tuple[float, float]) -> None:
    safe = make_safe(make_svg(size=size))

    assert (safe.width, safe.height) == pytest.approx(expected)
    assert b"viewBox=" in safe.content


@pytest.mark.parametrize(
    ("size", "word"),
    [
        ("", "without a size"),
        ('width="100%" height="100%"', "without a size"),
        ('viewBox="0 0 0 100"', "unusable size"),
        ('viewBox="0 0 nan 100"', "unusable size"),
        ('viewBox="0 0 5000 1"', "unusable size"),
        ('width="1e300" height="1e300"', "unusable size"),
        (f'width="{"1" * 300_000}x" height="1"', "unusable size"),
    ],
)
def test_an_svg_without_a_usable_size_is_refused(size: str, word: str) -> None:
    assert word in refusal_of(make_svg(size=size))


def test_what_is_no_svg_is_refused() -> None:
    assert "no SVG" in refusal_of(b"<html/>")
    assert "xmlns" in refusal_of(b"<svg/>")
    assert "cannot be read" in refusal_of(b"<svg>")


def test_a_doctype_is_refused() -> None:
    bomb = b'<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + make_svg("<text>&b;</text>")

    assert "DOCTYPE" in refusal_of(bomb)
    assert "cannot be read" in refusal_of(make_svg("<text>&b;</text>"))


def test_large_svgs_are_refused() -> None:
    assert "2 MB" in refusal_of(make_svg(f"<title>{'x' * 2_000_000}</title>"))
    assert "20,000" in refusal_of(make_svg("<g/>" * 20_001))
    assert "20,000" in refusal_of(make_svg("<g/>" * 60_000))
    assert make_safe(make_svg("<g/>" * 20_000))


def test_elements_that_uses_would_make_are_counted() -> None:
    doubled = "".join(f'<g id="g{n}"><use href="#g{n + 1}"/><use xlink:href="#g{n + 1}"/></g>' for n in range(30))

    assert "20,000" in refusal_of(make_svg(f'{doubled}<rect id="g30"/>'))
    masked = '<mask id="m">' + "<g/>" * 1000 + "</mask>" + '<rect mask="url(#m)"/>' * 100
    assert "20,000" in refusal_of(make_svg(masked))


@pytest.mark.parametrize(
    "circle",
    [
        '<g id="a"><use href="#a"/></g>',
        '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>',
        '<mask id="m"><rect mask="url(#m)"/></mask>',
        '<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/>',
        '<clipPath id="c" style="clip-path:url(#c)"/>',
    ],
)
def test_circles_of_references_are_refused(circle: str) -> None:
    assert "circle" in refusal_of(make_svg(circle))


def test_layers_are_bounded_also_by_way_of_uses() -> None:
    chain = "".join(f'<g id="g{n}"><use href="#g{n + 1}"/></g>' for n in range(90))

    assert make_safe(make_svg("<g>" * 99 + "</g>" * 99))
    assert "100 layers" in refusal_of(make_svg("<g>" * 101 + "</g>" * 101))
    assert "100 layers" in refusal_of(make_svg("<g>" * 300 + "</g>" * 300))
    assert "100 layers" in refusal_of(make_svg(chain + '<g id="g90"/>'))


def test_style_sheets_do_not_multiply_without_end() -> None:
    sheet = f"<style>*{{font-family:{'x' * 100_000}}}</style>"

    assert "style sheets" in refusal_of(make_svg(sheet + "<g/>" * 10_000))
    assert make_safe(make_svg(f"<style>a{{x:{'(' * 50_000}</style>")).dropped
