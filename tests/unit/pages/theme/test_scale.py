"""The scale of any color: text can be read, borders and buttons can be seen, on light ground and on dark."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meetdeck.pages.theme.scale import BASES, GROUNDS, TEXTS, make_scale
from meetdeck.platform.values import WHITE, Color, find_nearest_readable, measure_contrast

colors = st.builds(Color, *[st.integers(0, 255)] * 3)
STEPS = {
    *GROUNDS,
    *TEXTS,
    *BASES,
    "border-subtle",
    "border-default",
    "border-strong",
    "base-contrast-subtle",
    "base-contrast-default",
}


@given(colors, colors)
def test_text_of_any_scale_can_be_read_on_the_grounds_of_any_other(one: Color, other: Color) -> None:
    for texts, grounds in zip(make_scale(one), make_scale(other), strict=True):
        for text, ground in itertools.product(TEXTS, GROUNDS):
            assert measure_contrast(texts[text], grounds[ground]) >= 4.5, (text, ground)
        for ground in GROUNDS:
            assert measure_contrast(texts["text-default"], grounds[ground]) >= 7, ground


@given(colors, colors)
def test_borders_and_buttons_can_be_seen_on_grounds_at_rest(one: Color, other: Color) -> None:
    for seen, grounds in zip(make_scale(one), make_scale(other), strict=True):
        for name, ground in itertools.product(("border-default", "border-strong", *BASES), GROUNDS[:5]):
            assert measure_contrast(seen[name], grounds[ground]) >= 3, (name, ground)


@given(colors)
def test_what_stands_on_a_button_can_be_read_in_each_of_its_states(color: Color) -> None:
    for scheme in make_scale(color):
        for base, text in itertools.product(BASES, ("base-contrast-default", "base-contrast-subtle")):
            assert measure_contrast(scheme[base], scheme[text]) >= 4.5, (base, text)


@given(colors)
def test_a_scale_has_every_step_and_states_that_differ(color: Color) -> None:
    for scheme in make_scale(color):
        assert set(scheme) == STEPS
        for names in (BASES, GROUNDS[2:]):
            assert len({scheme[name] for name in names}) == len(names)


@given(colors)
def test_light_grounds_grow_darker_and_dark_ones_lighter(color: Color) -> None:
    order = [*GROUNDS[2:], "border-subtle", "border-default", "border-strong", "text-default"]
    light, dark = make_scale(color)
    assert sorted(order, key=lambda name: -light[name].luminance) == order
    assert sorted(order, key=lambda name: dark[name].luminance) == order


@pytest.mark.parametrize("text", ["#0B5563", "#767676", "#000000", "#B3261E"])
def test_a_readable_color_is_the_base_itself(text: str) -> None:
    assert str(make_scale(Color.parse(text)).light["base-default"]) == text


def test_a_color_that_is_too_light_is_replaced_by_the_nearest() -> None:
    yellow = Color.parse("#FFCC00")
    assert make_scale(yellow).light["base-default"] == find_nearest_readable(yellow)
    assert make_scale(WHITE).dark == make_scale(Color.parse("#767676")).dark
