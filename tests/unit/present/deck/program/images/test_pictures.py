"""Pictures in the data, and refusals of other values."""

import base64
import io
import struct
import zlib
from contextlib import suppress
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from meetdeck.present.deck.program.images.pictures import NoPicture, Picture, decode_picture, read_picture

_RED, _BLUE = (255, 0, 0), (0, 0, 255)


def _encode(kind: str, size: tuple[int, int] = (40, 20), *, mode: str = "RGB", **options: Any) -> bytes:
    """Return a picture whose left half is red and whose right half is blue."""
    image = Image.new("RGB", size, _BLUE)
    image.paste(_RED, (0, 0, size[0] // 2, size[1]))
    out = io.BytesIO()
    image.convert(mode).save(out, kind, **options)
    return out.getvalue()


def _png_of_size(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def _emf() -> bytes:
    return struct.pack("<II4i4i4s", 1, 88, 0, 0, 99, 49, 0, 0, 3_000, 1_500, b" EMF") + bytes(44)


def _wmf() -> bytes:
    return struct.pack("<IH4hHIH", 0x9AC6CDD7, 0, 0, 0, 600, 200, 1440, 0, 0) + b"\x01\x00\x09\x00" + bytes(14)


def _refusal(content: bytes) -> str:
    with pytest.raises(NoPicture) as refused:
        read_picture(content)
    return str(refused.value)


@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "bmp", "tiff"])
def test_a_picture_that_powerpoint_shows_stays_as_it_is(kind: str) -> None:
    content = _encode(kind)

    assert read_picture(content) == Picture(content, kind, 40, 20)


@pytest.mark.parametrize(("content", "kind", "proportions"), [(_emf(), "emf", 2.0), (_wmf(), "wmf", 3.0)])
def test_a_metafile_stays_as_it_is(content: bytes, kind: str, proportions: float) -> None:
    picture = read_picture(content)

    assert (picture.content, picture.extension, picture.width / picture.height) == (content, kind, proportions)


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"mode": "RGBA", "lossless": True}, "png"),
        ({"mode": "RGBA", "quality": 80}, "jpeg"),
        ({"mode": "RGB", "lossless": True}, "png"),
        ({"mode": "RGB", "quality": 80}, "jpeg"),
    ],
)
def test_webp_becomes_a_picture_that_powerpoint_shows(options: dict[str, Any], kind: str) -> None:
    picture = read_picture(_encode("webp", **options))

    shown = Image.open(io.BytesIO(picture.content))
    assert (picture.extension, picture.width, picture.height) == (kind, 40, 20)
    assert (shown.format or "").lower() == kind
    red, _, blue = shown.convert("RGB").crop((1, 1, 2, 2)).tobytes()
    assert red > 200 > blue


def test_transparent_webp_stays_transparent() -> None:
    out = io.BytesIO()
    Image.new("RGBA", (30, 10), (255, 0, 0, 0)).save(out, "webp", quality=80)

    picture = read_picture(out.getvalue())

    assert picture.extension == "png"
    assert Image.open(io.BytesIO(picture.content)).getchannel("A").getextrema() == (0, 0)


@pytest.mark.parametrize("orientation", range(2, 9))
def test_a_photo_that_the_camera_held_sideways_is_turned_upright(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    content = _encode("jpeg", exif=exif, quality=95)

    picture = read_picture(content)

    shown = Image.open(io.BytesIO(picture.content))
    is_turned = orientation >= 5
    assert picture[1:4] == ("jpeg", *((20, 40) if is_turned else (40, 20)))
    assert shown.size == (picture.width, picture.height)
    assert not shown.getexif(), "it would be turned a second time, and tells where it was taken"
    red_corner = {2: "right", 3: "right", 4: "left", 5: "top", 6: "top", 7: "bottom", 8: "bottom"}[orientation]
    at = {"left": (1, 10), "right": (38, 10), "top": (10, 1), "bottom": (10, 38)}[red_corner]
    red, _, blue = shown.convert("RGB").crop((*at, at[0] + 1, at[1] + 1)).tobytes()
    assert red > 200 > blue


def test_an_upright_photo_is_not_encoded_again() -> None:
    exif = Image.Exif()
    exif[0x0112] = 1
    content = _encode("jpeg", exif=exif)

    assert read_picture(content).content is content


@pytest.mark.parametrize("exif", ["ffffff7f", "0800000001001201030001000000ff000000"])
def test_a_photo_with_broken_exif_data_is_shown_as_it_is(exif: str) -> None:
    content = _encode("jpeg", exif=b"Exif\0\0II*\0" + bytes.fromhex(exif))

    assert read_picture(content).content == content


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"),
        (b"\xef\xbb\xbf <?xml version='1.0'?><svg/>", "SVG"),
        (b"%PDF-1.7", "PDF"),
        (b"\0\0\0\x18ftypheic", "HEIC"),
        (b"Dear Freja", "not a picture"),
        (b"", "not a picture"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "damaged"),
        (b"BM", "damaged"),
        (b"GIF89a" + bytes(20), "damaged"),
        (b"BM" + bytes(60), "damaged"),
    ],
)
def test_what_is_no_picture_is_refused_in_words(content: bytes, word: str) -> None:
    assert word in _refusal(content)


@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "webp"])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.99])
def test_a_picture_that_was_cut_short_is_refused(kind: str, share: float) -> None:
    content = _encode(kind, (400, 300))

    assert "cut short" in _refusal(content[: int(len(content) * share)])


def test_a_damaged_png_is_refused() -> None:
    content = bytearray(_encode("png", (400, 300)))
    content[len(content) // 2] ^= 1

    assert "damaged" in _refusal(bytes(content))


def test_a_decompression_bomb_is_refused_without_decoding_it() -> None:
    assert "50 megapixels" in _refusal(_png_of_size(60_000, 60_000))
    vp8x = b"RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + b"\xff\xff\xff" * 2
    assert "16,777,216 times 16,777,216" in _refusal(vp8x)


def test_a_frame_beyond_the_screen_of_a_gif_counts() -> None:
    content = _encode("gif")
    frame = content.index(b"\x2c" + bytes(4) + struct.pack("<HH", 40, 20))

    huge = content[: frame + 5] + struct.pack("<HH", 60_000, 60_000) + content[frame + 9 :]

    assert "60,000 times 60,000 pixels" in _refusal(huge)


def test_a_tiff_that_says_two_sizes_has_the_greater_one() -> None:
    entries = [(256, 1), (256, 60_000), (257, 60_000), (257, 1)]
    directory = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in entries)

    assert "50 megapixels" in _refusal(b"II*\0" + struct.pack("<IH", 8, len(entries)) + directory + bytes(4))


def test_a_bitmap_written_from_top_to_bottom_has_a_height() -> None:
    content = _encode("bmp")

    assert read_picture(content[:22] + struct.pack("<i", -20) + content[26:]).height == 20


def test_an_animated_gif_stays_as_it_is() -> None:
    frames = [Image.new("P", (30, 20), number) for number in range(3)]
    out = io.BytesIO()
    frames[0].save(out, "gif", save_all=True, append_images=frames[1:], duration=100, loop=0)

    assert read_picture(out.getvalue()) == Picture(out.getvalue(), "gif", 30, 20)


def test_a_picture_of_more_than_20_megabytes_is_refused() -> None:
    assert "at most 20 MB" in _refusal(_encode("png") + bytes(20_000_000))
    with pytest.raises(NoPicture, match="at most 20 MB"):
        decode_picture("A" * 40_000_001)


_BYTES = bytes(range(256)) + b"!"
_BASE64 = base64.b64encode(_BYTES).decode()


@pytest.mark.parametrize(
    "text",
    [
        _BASE64,
        "\r\n".join([_BASE64[:76], _BASE64[76:]]),
        f"data:image/png;base64,{_BASE64}",
        f"DATA:image/jpeg;charset=utf-8;BASE64,{_BASE64}",
        f"data:;base64,{quote(_BASE64, safe='')}",
    ],
)
def test_base64_and_data_uris_are_read(text: str) -> None:
    assert decode_picture(text) == _BYTES


def test_a_data_uri_without_base64_is_read() -> None:
    assert decode_picture("data:image/svg+xml,%3Csvg/%3E") == b"<svg/>"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("https://example.com/logo.png", "nothing is fetched"),
        ("data:image/png;base64", "without a comma"),
        ("data:image/png;base64,iVBORw0KG", "cut short"),
        ("iVBORw0KG", "cut short"),
        ("Logo of Nordea!", "not a data URI, base64"),
        ("3f2504e0-4f89-41d3-9a0c-0305e82c3301", "or the id of an existing content"),
        ("blåbær", "not a data URI"),
        ("\ud800", "not a data URI"),
        ("data:,\ud800", "not a data URI"),
    ],
)
def test_a_text_that_encodes_no_picture_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(NoPicture, match=words):
        decode_picture(text)


_WHOLE = [_encode(kind) for kind in ("png", "jpeg", "gif", "bmp", "tiff", "webp")] + [_emf(), _wmf()]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(_WHOLE), st.data())
def test_no_damage_ends_in_anything_but_a_refusal(content: bytes, data: st.DataObject) -> None:
    damaged = bytearray(content)
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(4, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    try:
        picture = read_picture(bytes(damaged[: data.draw(st.integers(0, len(damaged)))]))
    except NoPicture:
        return
    assert picture.width > 0
    assert picture.height > 0


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=100), st.text(max_size=100))
def test_neither_bytes_nor_texts_end_in_anything_but_a_refusal(content: bytes, text: str) -> None:
    for read in (lambda: read_picture(content), lambda: decode_picture(text), lambda: decode_picture("data:" + text)):
        with suppress(NoPicture):
            read()
