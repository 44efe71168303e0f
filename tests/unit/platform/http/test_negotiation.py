"""The media type that a caller gets (RFC 9110, section 12.5.1)."""

from time import thread_time

import pytest

from meetdeck.platform.http.answers import choose_media_type

JSON, TEXT, PNG, WEBP = "application/json", "text/plain", "image/png", "image/webp"
OFFERED = (JSON, TEXT, PNG, WEBP)


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, JSON),
        ("", JSON),
        ("*/*", JSON),
        ("text/plain", TEXT),
        ("TEXT/Plain; charset=utf-8", TEXT),
        ("image/*", PNG),
        ("image/png;q=0.4, image/webp;q=0.5", WEBP),
        ("image/png;q=0.401, image/webp;q=0.402", WEBP),
        ("text/plain;q=0.5, */*;q=0.1", TEXT),
        ("text/plain;q=0.5, */*", JSON),
        ("application/json, text/plain, */*", JSON),
        ("image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", WEBP),
        ("image/avif,image/webp,*/*", WEBP),
        ("image/png,image/svg+xml,image/*;q=0.8,video/*;q=0.8,*/*;q=0.5", PNG),
        ("*/*, image/png;q=0, application/json;q=0.0", TEXT),
        ("image/*;q=0.000, image/webp", WEBP),
        ("text/html, application/xml", None),
        ("text/plain;q=0", None),
        ("*/*;q=0", None),
        ('text/plain;title="a, b;q=0", image/png;q=0.5', TEXT),
    ],
)
def test_the_caller_gets_what_it_likes_best(accept: str | None, chosen: str | None) -> None:
    assert choose_media_type(accept, OFFERED) == chosen


@pytest.mark.parametrize("weight", ["inf", "nan", "-1", "2", "1e400", "x", "", "0x1", "1.5", "0.0001"])
def test_a_weight_that_is_none_counts_as_one(weight: str) -> None:
    assert choose_media_type(f"image/png;q={weight}", OFFERED) == PNG


@pytest.mark.parametrize("accept", ["garbage", "/", "image/", "/png", ",", ";q=1", "a/b/c", '"', "image/png/x"])
def test_what_is_no_media_range_takes_nothing(accept: str) -> None:
    assert choose_media_type(accept, OFFERED) is None


def test_what_is_no_media_range_does_not_spoil_the_rest() -> None:
    assert choose_media_type('garbage, "\\', OFFERED) is None
    assert choose_media_type("garbage, text/plain", OFFERED) == TEXT


@pytest.mark.parametrize("accept", ['"' + '\\"' * 30_000, '"' * 60_001, '"' + "\\" * 60_000, '"a,' * 20_000])
def test_quoted_strings_without_an_end_are_read_in_linear_time(accept: str) -> None:
    began = thread_time()
    assert choose_media_type(accept, OFFERED) is None
    assert thread_time() - began < 1
