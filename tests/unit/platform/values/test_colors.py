"""Colors: OKLCH and back, contrast, and the nearest color in which text can be read."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meetdeck.platform.values import WHITE, Color, Oklch, find_nearest_readable, measure_contrast
from meetdeck.platform.values.colors import BLACK

colors = st.builds(Color, *[st.integers(0, 255)] * 3)


@given(colors)
def test_a_color_comes_back_from_oklch_and_from_its_text(color: Color) -> None:
    assert Oklch.of(color).to_color() == color
    assert Color.parse(str(color)) == color
    assert Color.parse(str(color).lower()) == color


def test_oklch_is_that_of_css() -> None:
    # CSS Color 4 gives these of its named colors.
    for text, (lightness, chroma, degrees) in {
        "#FF0000": (0.628, 0.258, 29.2),
        "#00FF00": (0.866, 0.295, 142.5),
        "#0000FF": (0.452, 0.313, 264.1),
    }.items():
        found = Oklch.of(Color.parse(text))
        assert found.lightness == pytest.approx(lightness, abs=0.001)
        assert found.chroma == pytest.approx(chroma, abs=0.001)
        assert math.degrees(found.hue) % 360 == pytest.approx(degrees, abs=0.1)


def test_contrast_is_that_of_wcag() -> None:
    assert measure_contrast(BLACK, WHITE) == pytest.approx(21)
    assert measure_contrast(WHITE, WHITE) == 1
    assert measure_contrast(Color.parse("#767676"), WHITE) == pytest.approx(4.54, abs=0.01)
    assert measure_contrast(WHITE, Color.parse("#777777")) == pytest.approx(4.48, abs=0.01)


@given(colors)
def test_the_nearest_readable_color_is_readable_of_the_same_hue_and_no_darker_than_need_be(color: Color) -> None:
    nearest = find_nearest_readable(color)
    contrast = measure_contrast(nearest, WHITE)
    assert contrast >= 4.5
    if nearest == color:
        return
    assert contrast < 4.65  # a step of one channel
    before, after = Oklch.of(color), Oklch.of(nearest)
    assert after.lightness < before.lightness
    if after.chroma > 0.04:  # below, rounding to 256 values turns the hue
        assert abs(math.remainder(after.hue - before.hue, math.tau)) < math.radians(5)


@pytest.mark.parametrize("text", ["", "#FFF", "FFFFFF", "#GGGGGG", "#FFFFFFFF", "#12 34 ", "red"])
def test_what_is_no_color_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="write #RRGGBB"):
        Color.parse(text)
