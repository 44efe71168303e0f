"""The style sheet of a page's colors: every name that Designsystemet's CSS asks for, in its layers, light and dark."""

import re

import pytest

from meetdeck.pages.theme.scale import make_scale
from meetdeck.pages.theme.stylesheet import write_theme
from meetdeck.platform.values import DEFAULT_BRAND_COLOR, Color

SCALES = ["accent", "neutral", "success", "warning", "danger", "info"]
# Colors that the library's version 1.22 reads beside those of scales.
OTHERS = {"--ds-color-focus-inner", "--ds-color-focus-outer", "--ds-link-color-visited"}


def read_rules(css: str, layer: str) -> dict[str, dict[str, str]]:
    """Return the declarations of a layer's rules by selector."""
    (text,) = re.findall(rf"^@layer {re.escape(layer)}\{{(.*)\}}$", css, re.MULTILINE)
    text = text.removeprefix("@media screen and (prefers-color-scheme:dark){")
    return {
        selector: dict(declaration.split(":", 1) for declaration in declarations.split(";"))
        for selector, declarations in re.findall(r"([^{}]+)\{([^{}]+)\}", text)
    }


def test_every_color_has_a_value_on_light_and_on_dark_ground() -> None:
    css = write_theme(None)
    expected = {f"--ds-color-{scale}-{step}" for scale in SCALES for step in make_scale(Color(0, 0, 0)).light} | OTHERS
    for scheme in ("light", "dark"):
        (declared,) = read_rules(css, f"ds.theme.color-scheme.{scheme}").values()
        assert declared.pop("color-scheme") == scheme
        assert set(declared) == expected
        assert all(re.fullmatch("#[0-9A-F]{6}", color) for color in declared.values())
    assert css.count("@media screen and (prefers-color-scheme:dark)") == 1


def test_a_part_of_a_page_takes_the_colors_of_its_scale_and_all_else_the_brands() -> None:
    rules = read_rules(write_theme(None), "ds.theme.color")
    assert list(rules) == [":root,[data-color=accent]", *(f"[data-color={name}]" for name in SCALES[1:])]
    for name, declared in zip(SCALES, rules.values(), strict=True):
        assert len(declared) == 16
        assert all(
            value == f"var({key.replace('--ds-color-', f'--ds-color-{name}-')})" for key, value in declared.items()
        )


def test_the_brand_color_is_that_of_buttons_and_changes_no_other_scale() -> None:
    ours, theirs = (
        read_rules(write_theme(color), "ds.theme.color-scheme.light")[":root"] for color in (None, "#7A1F3D")
    )
    assert ours["--ds-color-accent-base-default"] == DEFAULT_BRAND_COLOR
    assert theirs["--ds-color-accent-base-default"] == "#7A1F3D"
    assert {name for name in ours if ours[name] != theirs[name]} <= {name for name in ours if "-accent-" in name}


def test_layers_come_in_the_librarys_order() -> None:
    assert write_theme(None).startswith("@layer ds.theme, ds.base, ds.components;\n")


def test_braces_are_closed_and_nothing_is_fetched() -> None:
    css = write_theme("#ffcc00")
    assert css.count("{") == css.count("}")
    assert "url(" not in css
    assert "#FFCC00" not in css


@pytest.mark.parametrize("color", ["red", "#FFF", "#000000}", ""])
def test_what_is_no_color_writes_no_theme(color: str) -> None:
    with pytest.raises(ValueError, match="write #RRGGBB"):
        write_theme(color)
