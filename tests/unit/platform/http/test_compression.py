"""Compressed answers, message by message (docs/api/index.md#compression)."""

import asyncio
import zlib
from collections.abc import Callable
from time import sleep
from typing import Any

import brotli
import pytest

from meetdeck.platform.http.around import Compression, choose_coding, compression

TEXT = b'{"name":"Anna Holm","email":"anna@nordlys.test"},' * 200


class CountingEncoder:
    """Counts how many of its kind compress at once."""

    running = most = 0

    def encode(self, piece: bytes, *, is_last: bool) -> bytes:
        cls = type(self)
        cls.running += 1
        cls.most = max(cls.most, cls.running)
        sleep(0.005)
        cls.running -= 1
        return piece[: 1 + is_last]


def make_counting_encoder(_coding: str) -> CountingEncoder:
    return CountingEncoder()


async def test_large_pieces_leave_processors_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are compressed by one thread, however many answers there are (docs/decisions/0157)."""
    monkeypatch.setattr(compression, "make_encoder", make_counting_encoder)
    answers = await asyncio.gather(*(answer(TEXT * 10, TEXT * 10) for _ in range(6)))
    assert all(bodies == [TEXT[:1], TEXT[:2]] for _, bodies in answers)
    assert CountingEncoder.most == 1


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("", None),
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("x-gzip", "gzip"),
        ("GZIP;q=0.5", "gzip"),
        ("GZIP;q=0.5, identity;q=0.1", "gzip"),
        ("gzip;q=1.0, br;q=0.9", "gzip"),
        ("br;q=0, *", "gzip"),
        ("*", "br"),
        ("*;q=0", None),
        ("br;q=0, gzip; q=0.000", None),
        ("identity", None),
        ("identity, gzip;q=0.5", None),
        ("deflate, zstd", None),
        (",;q=,garbage;;=", None),
    ],
)
def test_the_caller_gets_the_coding_that_it_likes_best(accepted: str, coding: str | None) -> None:
    assert choose_coding(accepted) == coding


async def answer(
    *pieces: bytes, accepts: str = "gzip", status: int = 200, asked: tuple[tuple[bytes, bytes], ...] = (), **named: str
) -> tuple[dict[str, str], list[bytes]]:
    """Return the headers and the pieces that a caller gets."""
    sent: list[Any] = []
    headers = {"content-type": "application/json"} | {name.replace("_", "-"): value for name, value in named.items()}

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        coded = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": coded})
        for number, piece in enumerate(pieces, 1):
            await send({"type": "http.response.body", "body": piece, "more_body": number < len(pieces)})

    async def send(message: Any) -> None:
        sent.append(message)

    scope: Any = {"type": "http", "method": "GET", "headers": [(b"accept-encoding", accepts.encode()), *asked]}
    await Compression(app)(scope, None, send)  # pyright: ignore[reportArgumentType] - nothing is received
    head, *bodies = sent
    assert [body["more_body"] for body in bodies] == [True] * (len(bodies) - 1) + [False]
    return {name.decode(): value.decode() for name, value in head["headers"]}, [body["body"] for body in bodies]


def unpack_brotli(reader: Any) -> Callable[[bytes], bytes]:
    """Return a function that unpacks all of a piece: the reader itself returns 32 KB at a time."""
    return lambda piece: b"".join([reader.process(piece), *iter(lambda: reader.process(b""), b"")])


@pytest.mark.parametrize("accepts", ["gzip", "br"])
async def test_each_piece_of_a_stream_can_be_read_as_soon_as_it_is_sent(accepts: str) -> None:
    pieces = [b"[", TEXT, TEXT * 50, b"", b"]"]
    headers, packed = await answer(*pieces, accepts=accepts)
    assert (headers["content-encoding"], "content-length" in headers) == (accepts, False)
    unpack = zlib.decompressobj(wbits=31).decompress if accepts == "gzip" else unpack_brotli(brotli.Decompressor())
    assert [unpack(each) for each in packed] == [b"[", TEXT, TEXT * 50, b"]"]
    assert sum(map(len, packed)) < len(TEXT)


async def test_a_stream_begins_before_its_second_piece_is_made() -> None:
    first_is_there = asyncio.Event()
    received: list[bytes] = []
    reader = zlib.decompressobj(wbits=31)

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/csv")]}
        await send(start)
        await send({"type": "http.response.body", "body": TEXT, "more_body": True})
        async with asyncio.timeout(5):
            await first_is_there.wait()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def send(message: Any) -> None:
        received.append(message.get("body", b""))
        if received[-1] and reader.decompress(received[-1]) == TEXT:
            first_is_there.set()

    scope: Any = {"type": "http", "method": "GET", "headers": [(b"accept-encoding", b"gzip")]}
    await Compression(app)(scope, None, send)  # pyright: ignore[reportArgumentType] - nothing is received


async def test_a_whole_answer_says_how_long_it_is_compressed() -> None:
    headers, [packed] = await answer(TEXT, content_length=str(len(TEXT)), etag='"7"', vary="Accept")
    assert zlib.decompress(packed, wbits=31) == TEXT
    assert headers["content-length"] == str(len(packed))
    assert (headers["etag"], headers["vary"]) == ('"7-gzip"', "Accept, Accept-Encoding")


SENT_AS_THEY_ARE: list[dict[str, Any]] = [
    {"content_type": "application/pdf"},
    {"content_type": "image/png"},
    {"content_type": "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
    {"content_type": "application/zip"},
    {"content_type": "text/csv", "accept_ranges": "bytes"},
    {"content_type": "text/csv", "content_range": "bytes 0-9/10", "status": 206},
    {"content_type": "text/css", "content_encoding": "br"},
    {"accepts": "identity"},
    {"accepts": "gzip;q=0"},
]


@pytest.mark.parametrize("given", SENT_AS_THEY_ARE)
async def test_what_is_packed_or_answered_in_parts_is_sent_as_it_is(given: dict[str, Any]) -> None:
    headers, [body] = await answer(TEXT, content_length=str(len(TEXT)), etag='"7"', **given)
    assert (body, headers["etag"], headers["content-length"]) == (TEXT, '"7"', str(len(TEXT)))
    assert headers.get("content-encoding") == given.get("content_encoding")


async def test_a_small_answer_is_sent_as_it_is_and_says_that_others_may_not_be() -> None:
    headers, [body] = await answer(b"{}", content_length="2")
    assert (body, headers["vary"], "content-encoding" in headers) == (b"{}", "Accept-Encoding", False)


@pytest.mark.parametrize("media_type", ["text/html; charset=utf-8", "application/problem+json", "image/svg+xml"])
async def test_text_of_all_kinds_is_compressed(media_type: str) -> None:
    headers, _ = await answer(TEXT, content_length=str(len(TEXT)), content_type=media_type)
    assert headers["content-encoding"] == "gzip"


@pytest.mark.parametrize("known", ['"7-br"', '"1", W/"7-br"'])
async def test_what_the_caller_has_in_a_coding_is_known_by_its_tag(known: str) -> None:
    headers, _ = await answer(b"", status=304, etag='"7"', asked=((b"if-none-match", known.encode()),))
    assert headers["etag"] == '"7-br"'
