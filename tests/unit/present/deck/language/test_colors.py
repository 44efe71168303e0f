"""Colors in the data."""

import pytest

from meetdeck.present.deck.language.colors import UnknownColor, read_color


@pytest.mark.parametrize(
    ("value", "xml"),
    [
        ("#C00000", '<a:srgbClr val="C00000"/>'),
        ("c00000", '<a:srgbClr val="C00000"/>'),
        ("#c0f", '<a:srgbClr val="CC00FF"/>'),
        ("accent2", '<a:schemeClr val="accent2"/>'),
        ("Accent 2", '<a:schemeClr val="accent2"/>'),
        ("folhlink", '<a:schemeClr val="folHlink"/>'),
        (" red ", '<a:srgbClr val="FF0000"/>'),
        ("Dark Blue", '<a:srgbClr val="002060"/>'),
    ],
)
def test_a_color_is_of_the_theme_or_rgb_or_a_word(value: str, xml: str) -> None:
    assert read_color(value).write("a:") == xml


@pytest.mark.parametrize("value", ["", "chartreuse", "#12345", "C00", "accent7", "rgb(1,2,3)", 5, None, True, ["red"]])
def test_what_is_no_color_is_refused_with_what_to_write(value: object) -> None:
    with pytest.raises(
        UnknownColor, match=r"is not a color; write a color of the theme .*#C00000, or a word: amber, black"
    ):
        read_color(value)
