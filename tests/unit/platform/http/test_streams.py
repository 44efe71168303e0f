"""Answers that are streamed: what is read for them is closed, also when nobody wants them."""

from collections.abc import AsyncGenerator

from meetdeck.platform.http.lists import answer_stream


async def test_a_stream_that_never_begins_is_closed_with_the_answer() -> None:
    closed: list[str] = []

    async def read() -> AsyncGenerator[bytes]:
        try:
            yield b"first"
            yield b"second"
        finally:
            closed.append("closed")

    answer = await answer_stream(read(), {})
    assert closed == []
    assert answer.background is not None
    await answer.background()
    assert closed == ["closed"]
