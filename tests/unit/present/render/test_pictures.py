import base64
import gzip

import pytest

from meetdeck.present.render.pictures import EMPTY_SVG, defuse

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
        b"\x01\x00\x00\x00" + bytes(100),
        svg('<path d="M0 0" fill="url(#gradient)"/><use xlink:href="#path"/>'),
        svg(f'<image xlink:href="{data_uri(PNG)}"/>'),
        svg('<a href="https://example.org"><text>x</text></a>'),
        svg(before='<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://example.org/svg.dtd">'),
    ],
    ids=["PNG", "PNG with a tail", "metafile", "own references", "picture in place", "link to click", "public doctype"],
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
