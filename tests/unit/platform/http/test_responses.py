import asyncio
from collections.abc import AsyncIterator
from typing import cast
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meetdeck.platform.http.answers import PDF, answer_file, answer_json_stream


def disposition_of(file_name: str) -> str:
    return answer_file(b"", media_type=PDF, file_name=file_name).headers["Content-Disposition"]


@pytest.mark.parametrize(
    ("file_name", "plain"),
    [
        ("Annual review.pptx", "Annual review.pptx"),
        ("Årsmøde på Ærø.pptx", "Aarsmoede paa Aeroe.pptx"),
        ('The "big" one.pdf', "The _big_ one.pdf"),
        ("a\\b/c.pdf", "a_b_c.pdf"),
        ("Café 税 😀.pdf", "Cafe _ _.pdf"),
        ("in; two=parts.pdf", "in; two=parts.pdf"),
    ],
)
def test_a_file_has_a_plain_name_and_its_own(file_name: str, plain: str) -> None:
    disposition = disposition_of(file_name)
    assert disposition.startswith(f'attachment; filename="{plain}"; ')
    assert unquote(disposition.partition("filename*=UTF-8''")[2]) == file_name


@given(st.text())
def test_no_name_puts_more_into_the_headers(file_name: str) -> None:
    disposition = disposition_of(file_name)
    assert disposition.isascii()
    assert disposition.isprintable()
    assert disposition.count('"') == 2


def test_a_lone_half_of_a_character_is_no_crash() -> None:
    assert "filename*=" in disposition_of("\ud83d.pdf")


async def test_others_have_their_turn_after_each_piece_of_a_long_answer() -> None:
    turns: list[str] = []

    async def take_turns() -> None:
        for _ in range(3):
            turns.append("another caller")
            await asyncio.sleep(0)

    answer = answer_json_stream(iter([b"[1,", b"2,", b"3]"]))
    other = asyncio.create_task(take_turns())
    async for piece in cast("AsyncIterator[bytes]", answer.iterator):
        turns.append(piece.decode())  # noqa: PERF401 - both write the list, in turns
    await other
    assert turns == ["[1,", "another caller", "2,", "another caller", "3]", "another caller"]
