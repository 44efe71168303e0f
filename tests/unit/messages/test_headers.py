"""Texts in headers of mails: the standard library's `Header` writes the same, eight times as slowly."""

from email.charset import SHORTEST, Charset
from email.header import Header

import pytest

from meetdeck.messages.writing.headers import encode_header

TEXTS = [
    "",
    "Your meeting",
    "Dit møde: Rådgivning hos Nordlys, tirsdag den 10. marts 2026, kl. 14.00 til 15.00 i mødelokale 3 på første sal",
    "日本語の件名" * 12,
    "a" * 64 + "ø" * 40,
    "😀" * 30,
    "looks like =?utf-8?q?encoded?= words",
    "word, " * 40,
    "x" * 120,
]


@pytest.mark.parametrize("name", ["From", "Subject"])
@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_folded_and_encoded_as_the_standard_library_does(text: str, name: str) -> None:
    charset = Charset("us-ascii" if text.isascii() and "=?" not in text else "utf-8")
    if charset.input_charset == "utf-8":
        charset.header_encoding = SHORTEST  # as it is unless a library has changed it for the process
    assert encode_header(text, name) == Header(text, charset, header_name=name).encode(linesep="\r\n")
