import base64
import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meetdeck.present.render.pictures import EMPTY_SVG, defuse
from support.carriers import CARRIERS, emf, harmless, nested, packed
from support.image_decks import make_png

FILE = '<image xlink:href="file:///etc/passwd"/>'
PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)


def svg(content: str = "", before: str = "", code: str = "utf-8") -> bytes:
    namespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f"{before}<svg {namespaces}>{content}</svg>".encode(code)


def data_uri(content: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(content).decode()}"


@pytest.mark.parametrize(
    "picture",
    [
        PNG,
        PNG + svg('<image href="file:///etc/passwd"/>'),
        emf(),
        svg('<path d="M0 0" fill="url(#gradient)"/><use xlink:href="#path"/>'),
        svg(f'<image xlink:href="{data_uri(PNG)}"/>'),
        svg('<a href="https://example.org"><text>x</text></a>'),
        svg("<rect fill=\"url( '#a' )\"/><style>text { color: red }</style><text>url(http://a) @import \\</text>"),
        svg(before='<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://example.org/svg.dtd">'),
    ],
    ids=[
        "PNG",
        "PNG with a tail",
        "metafile",
        "own references",
        "picture in place",
        "link to click",
        "text",
        "public doctype",
    ],
)
def test_a_picture_that_keeps_to_itself_is_left_alone(picture: bytes) -> None:
    assert defuse(picture) == picture


@pytest.mark.parametrize(
    "picture",
    [
        svg(FILE),
        svg('<image xlink:href="http://198.51.100.1/a.png"/>'),
        svg('<image xlink:href="other.png"/>'),
        svg(f'<image href="{data_uri(svg(FILE))}"/>'),
        svg('<rect style="fill:url(http://198.51.100.1/a.svg#b)"/>'),
        svg("<style>@import 'file:///x.css'</style>"),
        svg(before='<?xml-stylesheet href="file:///x.css"?>'),
        svg("<text>&x;</text>", before='<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
        svg("<g>"),
        svg('<image href="file:///etc/passwd"/>', code="utf-16"),
        gzip.compress(svg('<image href="file:///etc/passwd"/>')),
        b"%!PS-Adobe-3.0 EPSF-3.0\n",
        b"\xc5\xd0\xd3\xc6" + bytes(30),
    ],
    ids=[
        "file", "web", "neighbour", "nested", "style", "import", "stylesheet", "entity", "malformed", "UTF-16", "gzip",
        "PostScript", "PostScript with preview",
    ],
)  # fmt: skip
def test_a_picture_that_reaches_outside_of_itself_becomes_an_empty_one(picture: bytes) -> None:
    assert defuse(picture) == EMPTY_SVG


def test_a_packed_svg_that_keeps_to_itself_is_unpacked() -> None:
    assert defuse(gzip.compress(svg("<g/>"))) == svg("<g/>")


ADDRESS = "file:///srv/canary.png"
HIDDEN_IN_PIXELS = {"left over"}  # raw pixels may spell anything; nobody reads them as a file


def spellings(address: str) -> list[bytes]:
    """Write an address in the encodings that a picture may have, without its end, which may be in another record."""
    start = address[: len("file:///srv")]
    in_place = base64.b64encode(svg(FILE)).decode()[20:40]
    return [*(start.encode(code) for code in ("ascii", "utf-16-le", "utf-16-be", "utf-32-le")), in_place.encode()]


@pytest.mark.parametrize("name", CARRIERS)
def test_no_picture_takes_an_address_along(name: str) -> None:
    _, picture = CARRIERS[name](ADDRESS)
    seen = defuse(picture)
    assert not seen.startswith(b"\x1f\x8b")
    if name not in HIDDEN_IN_PIXELS:
        assert not any(spelling in seen for spelling in spellings(ADDRESS))
        assert not any(gzipped in seen for gzipped in packed_pieces())


def packed_pieces() -> list[bytes]:
    """Return how the packed forms of what the carriers hold begin."""
    _, plain = CARRIERS["SVG plain"](ADDRESS)
    return [content[:30] for content in packed(plain).values()]


@pytest.mark.parametrize("name", harmless(b""))
def test_a_metafile_as_programs_write_it_stays_byte_for_byte(name: str) -> None:
    metafile = harmless(make_png())[name]
    assert defuse(metafile) == metafile
    assert defuse(gzip.compress(metafile)) == metafile


def test_metafiles_in_metafiles_are_followed_so_far() -> None:
    assert defuse(nested(emf(), 3)) == nested(emf(), 3)
    assert len(defuse(nested(emf(), 9))) == len(nested(emf(), 9))
    assert defuse(nested(emf(), 9)) != nested(emf(), 9)


@pytest.mark.parametrize(
    "picture",
    [
        emf()[:60],
        b"\x01\0\0\0" + b"\xff" * 36 + b" EMF" + b"\xff" * 60,
        b"\xd7\xcd\xc6\x9a",
        b"\x01\0\x09\0\0\x03" + b"\xff" * 40,
        b"",
        b"\0" * 2_000,
        b"%PDF-1.7",
        b"8BPS\0\x01" + bytes(100),
    ],
    ids=["cut EMF", "EMF of nonsense", "cut WMF", "WMF of nonsense", "nothing", "zeros", "PDF", "PSD"],
)
def test_what_is_no_picture_that_we_know_becomes_an_empty_one(picture: bytes) -> None:
    assert defuse(picture) == EMPTY_SVG


@pytest.mark.parametrize("unit", [b"<g/>", b"<g>", b"<!---->"])
def test_an_endless_svg_is_not_followed(unit: bytes) -> None:
    assert defuse(svg("x" * 10).replace(b"x" * 10, unit * 1_100_000)) == EMPTY_SVG


def test_a_style_of_blanks_is_read_once() -> None:
    blank = " " * 2_000_000  # read again from each blank on, this would take hours
    assert defuse(svg(f"<style>url({blank}</style>")) == EMPTY_SVG


def test_a_picture_that_unpacks_without_end_is_not_unpacked() -> None:
    assert defuse(gzip.compress(bytes(65 * 2**20))) == EMPTY_SVG


def test_an_embedded_font_is_left_alone_and_a_packed_svg_that_looks_like_one_is_not() -> None:
    font = bytearray(100)
    font[:4], font[8:12], font[34:36] = (100).to_bytes(4, "little"), b"\x01\0\x02\0", b"LP"
    assert defuse(bytes(font)) == font
    font[:4] = b"\x1f\x8b\x08\0"
    assert defuse(bytes(font)) == EMPTY_SVG


@given(st.sampled_from([*harmless(make_png()).values(), *(make(ADDRESS)[1] for make in CARRIERS.values())]), st.data())
def test_a_damaged_picture_never_crashes_and_never_grows(picture: bytes, data: st.DataObject) -> None:
    damaged = bytearray(picture)
    for position in data.draw(st.lists(st.integers(0, len(damaged) - 1), max_size=6)):
        damaged[position] = data.draw(st.integers(0, 255))
    seen = defuse(bytes(damaged[: data.draw(st.integers(0, len(damaged)))]))
    assert seen == EMPTY_SVG or len(seen) <= 70_000
