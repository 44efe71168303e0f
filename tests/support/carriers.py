"""Pictures that lead to a file outside of them, in every wrapping that we know LibreOffice, or anything else, unpacks.

for name, carry in CARRIERS.items():
    extension, picture = carry("file:///srv/canary.png")
"""

import base64
import gzip
import io
import struct
import zipfile
from collections.abc import Callable, Mapping
from typing import Final

Carrier = Callable[[str], tuple[str, bytes]]
"""Makes of an address a picture that leads there, and the extension that its file has."""

SIZE: Final = 400  # of a picture, in pixels
_PADDING: Final = 6_000
_NAMESPACES: Final = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
_PIXEL: Final = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c63606060f80f0001050101cf6b37a50000000049454e44ae426082"
)


def svg(address: str, *, before: str = "", inside: str = "", after: str = "") -> str:
    """Write an SVG that shows the picture at an address."""
    shown = f'<image x="10" y="10" width="300" height="300" xlink:href="{address}"/>'
    return f'{before}<svg {_NAMESPACES} width="{SIZE}" height="{SIZE}">{inside}{shown}{after}</svg>'


def _plain(address: str) -> bytes:
    return svg(address).encode()


# ---------------------------------------------------------------- SVG


def _in_place(address: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg(address).encode()).decode()}"


_SVGS: Final[Mapping[str, Callable[[str], bytes]]] = {
    "plain": _plain,
    "padded": lambda address: svg(address, before=f"<!--{'x' * _PADDING}-->").encode(),
    "spaces before": lambda address: (" \n" * _PADDING + svg(address)).encode(),
    "UTF-8 mark": lambda address: svg(address).encode("utf-8-sig"),
    "UTF-16": lambda address: svg(address, before='<?xml version="1.0" encoding="UTF-16"?>').encode("utf-16"),
    "UTF-16 without mark": lambda address: svg(address).encode("utf-16-le"),
    "UTF-16 from the big end": lambda address: svg(address).encode("utf-16-be"),
    "UTF-32": lambda address: svg(address).encode("utf-32"),
    "EBCDIC": lambda address: svg(address, before='<?xml version="1.0" encoding="cp037"?>').encode("cp037"),
    "UTF-7": lambda address: (
        '<?xml version="1.0" encoding="UTF-7"?>' + svg(address).replace("<image", "+ADw-image")
    ).encode(),
    "prefix": lambda address: (
        f'<svg:svg xmlns:svg="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{SIZE}" '
        f'height="{SIZE}"><svg:image width="300" height="300" xlink:href="{address}"/></svg:svg>'
    ).encode(),
    "no root": lambda address: (
        f'<?xml version="1.0"?><!-- DOCTYPE svg --><g {_NAMESPACES}><image width="300" height="300" '
        f'xlink:href="{address}"/></g>'
    ).encode(),
    "in another element": lambda address: f"<x>{svg(address)}</x>".encode(),
    "doctype": lambda address: svg(address, before='<!DOCTYPE svg PUBLIC "a" "http://example.org/a.dtd">').encode(),
    "entity": lambda address: svg("&x;", before=f'<!DOCTYPE svg [<!ENTITY x "{address}">]>').encode(),
    "external entity": lambda address: svg(
        "#", before=f'<!DOCTYPE svg [<!ENTITY x SYSTEM "{address}">]>', inside="&x;"
    ).encode(),
    "doctype elsewhere": lambda address: svg("#", before=f'<!DOCTYPE svg SYSTEM "{address}">').encode(),
    "style sheet": lambda address: svg("#", before=f'<?xml-stylesheet href="{address}"?>').encode(),
    "import": lambda address: svg("#", inside=f"<style>@import '{address}';</style>").encode(),
    "import behind much": lambda address: svg("#", inside=f"<style>{' ' * 8_189}@import '{address}';</style>").encode(),
    "import in pieces": lambda address: svg("#", inside=f"<style>@im<!-- -->port '{address}';</style>").encode(),
    "escaped import": lambda address: svg("#", inside=f"<style>@\\69mport '{address}';</style>").encode(),
    "fill": lambda address: svg("#", inside=f'<rect width="9" height="9" fill="url({address})"/>').encode(),
    "quoted fill": lambda address: svg("#", inside=f"<rect fill=\"url(' {address}')\"/>").encode(),
    "set later": lambda address: svg(
        "#", inside=f'<image><set attributeName="xlink:href" to="{address}"/></image>'
    ).encode(),
    "link": lambda address: svg("#", inside=f'<a xlink:href="{address}"><text>x</text></a>').encode(),
    "in place": lambda address: svg(_in_place(address)).encode(),
    "in place with a break": lambda address: svg(_in_place(address).replace("PHN2", "PHN2&#10;")).encode(),
    "in place and packed": lambda address: svg(
        f"data:image/svg+xml;base64,{base64.b64encode(gzip.compress(svg(address).encode())).decode()}"
    ).encode(),
    "in place and percent": lambda address: svg(
        "data:image/svg+xml," + svg(address).replace("<", "%3C").replace('"', "%22")
    ).encode(),
}


def packed(svg_: bytes) -> Mapping[str, bytes]:
    """Pack an SVG in each of the ways that a careless reader unpacks."""
    whole, other = gzip.compress(svg_, mtime=0), gzip.compress(b"<!-- -->", mtime=0)
    return {
        "whole": whole,
        "wrong checksum": whole[:-8] + b"\1\2\3\4" + whole[-4:],
        "wrong length": whole[:-4] + b"\xff\xff\xff\x7f",
        "no trailer": whole[:-8],
        "cut trailer": whole[:-3],
        "bytes behind": whole + b"more",
        "two members": whole + other,
        "twice": gzip.compress(whole, mtime=0),
    }


# ---------------------------------------------------------------- EMF and EMF+


def emf(*records: bytes, size: int = SIZE) -> bytes:
    """Write an EMF of records, with a header and an end."""
    end = struct.pack("<IIIII", 14, 20, 0, 0, 20)
    body = emr(70, struct.pack("<I4s", 4 + _PADDING, b"EMF+") + bytes(_PADDING)) + b"".join(records) + end
    frame = size * 2646 // 100  # hundredths of a millimetre at 96 dots an inch
    head = struct.pack("<II4i4i", 1, 88, 0, 0, size, size, 0, 0, frame, frame) + b" EMF"
    head += struct.pack("<IIIHHIII2i2i", 0x10000, 88 + len(body), len(records) + 3, 1, 0, 0, 0, 0, 1024, 768, 271, 203)
    return head + body


def emr(kind: int, data: bytes) -> bytes:
    """Write an EMF record."""
    data += bytes(-len(data) % 4)
    return struct.pack("<II", kind, 8 + len(data)) + data


def comment(*records: bytes, length: int = 0) -> bytes:
    """Write a comment that holds EMF+ records; `length` is what it claims to hold instead."""
    data = b"EMF+" + b"".join(records)
    return emr(70, struct.pack("<I", length or len(data)) + data)


def plus(kind: int, flags: int, data: bytes) -> bytes:
    """Write an EMF+ record."""
    filled = data + bytes(-len(data) % 4)
    return struct.pack("<HHII", kind, flags, 12 + len(filled), len(filled)) + filled


PLUS_HEADER: Final = plus(0x4001, 0, struct.pack("<IIII", 0xDBC01002, 0, 96, 96))
PLUS_END: Final = plus(0x4002, 0, b"")
SHOW_IMAGE: Final = plus(0x401A, 0, struct.pack("<II8f", 0, 2, 0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE))
IMAGE: Final = 0x0500
_SET_UP: Final = plus(0x402A, 0, struct.pack("<6f", 1, 0, 0, 1, 0, 0))


def bitmap(content: bytes, *, coding: int = 1, width: int = SIZE) -> bytes:
    """Write an EMF+ image object that holds a picture's file."""
    return struct.pack("<IIiiiII", 0xDBC01002, 1, width, SIZE, 0, 0, coding) + content


def metafile(content: bytes) -> bytes:
    """Write an EMF+ image object that holds a metafile."""
    return struct.pack("<IIII", 0xDBC01002, 2, 3, len(content)) + content


def emf_with(image: bytes) -> bytes:
    """Write an EMF that shows an EMF+ image object."""
    return emf(comment(PLUS_HEADER), comment(plus(0x4008, IMAGE, image)), comment(_SET_UP, SHOW_IMAGE, PLUS_END))


def emf_with_split(image: bytes, *, pieces: int = 3, flags: Callable[[int], int] = lambda _: 0x8000) -> bytes:
    """Write an EMF whose image object is split over records, each in a comment of its own."""
    image += bytes(-len(image) % 4)
    step = -(-len(image) // pieces // 4) * 4
    parts = [image[at : at + step] for at in range(0, len(image), step)]
    total = struct.pack("<I", len(image))
    split = [comment(plus(0x4008, IMAGE | flags(number), total + part)) for number, part in enumerate(parts)]
    return emf(comment(PLUS_HEADER), *split, comment(_SET_UP, SHOW_IMAGE, PLUS_END))


def _overlapping(svg_: bytes) -> bytes:
    """Write an image object without data, whose head and picture are in what follows it."""
    empty = struct.pack("<HHII", 0x4008, IMAGE, 12, 0)
    return emf(comment(PLUS_HEADER), comment(empty, bitmap(svg_)), comment(SHOW_IMAGE, PLUS_END))


def _beyond_its_record(svg_: bytes) -> bytes:
    """Write a comment that claims to be longer than its record, which ends before the picture."""
    records = plus(0x4008, IMAGE, bitmap(svg_))
    short = emr(70, struct.pack("<I", 4 + len(records)) + b"EMF+")
    return emf(comment(PLUS_HEADER), short, emr(0x7FFF, records)[8:], comment(SHOW_IMAGE, PLUS_END))


def _left_over(svg_: bytes) -> bytes:
    """Write an object of raw pixels, and a shorter one whose metafile claims to continue after its end."""
    inner = emf_with(bitmap(svg_))
    long = struct.pack("<IIiiiII", 0xDBC01002, 1, SIZE, SIZE, 0, 0, 0) + bytes(12) + inner + bytes(-len(inner) % 4)
    short = metafile(inner[:88])
    total = struct.pack("<I", len(long))
    return emf(
        comment(PLUS_HEADER),
        comment(plus(0x4008, IMAGE | 0x8001, total + long)),
        comment(_SET_UP),
        comment(plus(0x4008, IMAGE | 0x8000, total + short)),
        comment(_SET_UP, SHOW_IMAGE, PLUS_END),
    )


def _with_texture(kind: int, svg_: bytes) -> bytes:
    texture = struct.pack("<IIII", 0xDBC01002, 2, 0, 0) + bitmap(svg_)
    pen = struct.pack("<IIIIf", 0xDBC01002, 0, 0, 0, 1.0) if kind == 0x0200 else b""
    return emf(comment(PLUS_HEADER), comment(plus(0x4008, kind, pen + texture), PLUS_END))


def _multiformats(pdf: bytes) -> bytes:
    return emf(
        emr(70, struct.pack("<I4sI4iI4sIII", 0, b"GDIC", 0x40000004, 0, 0, 9, 9, 1, b" FDP", 1, len(pdf), 64) + pdf)
    )


def nested(picture: bytes, depth: int) -> bytes:
    """Nest an EMF into an EMF, that many times."""
    for _ in range(depth):
        picture = emf_with(metafile(picture))
    return picture


_METAFILES: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "bitmap": lambda content: emf_with(bitmap(content)),
    "metafile": lambda content: emf_with(metafile(content)),
    "raw without width": lambda content: emf_with(bitmap(content, coding=0, width=0)),
    "split bitmap": lambda content: emf_with_split(bitmap(content)),
    "split metafile": lambda content: emf_with_split(metafile(content)),
    "split, the last not marked": lambda content: emf_with_split(
        bitmap(content), flags=lambda number: 0x8000 if number < 2 else 0
    ),
    "split, of changing names": lambda content: emf_with_split(
        bitmap(content), flags=lambda number: 0x8000 if not number else 0x8100
    ),
    "overlapping": _overlapping,
    "beyond its record": _beyond_its_record,
    "left over": _left_over,
    "brush": lambda content: _with_texture(0x0100, content),
    "pen": lambda content: _with_texture(0x0200, content),
    "EMF in EMF": lambda content: nested(emf_with(bitmap(content)), 1),
    "EMF nested deep": lambda content: nested(emf_with(bitmap(content)), 6),
    "WMF in EMF": lambda content: emf_with(metafile(wmf_with(emf_with(bitmap(content))))),
    "comment of another kind": lambda content: emf(emr(70, struct.pack("<I", len(content)) + content)),
    "escape": lambda content: emf(emr(106, struct.pack("<II", 0x1001, len(content)) + content)),
    "behind the end": lambda content: emf() + content,
    "WMF": lambda content: wmf_with(emf_with(bitmap(content))),
    "WMF in pieces": lambda content: wmf_with(emf_with(bitmap(content)), pieces=3),
    "placeable WMF": lambda content: placeable(wmf_with(emf_with(bitmap(content)))),
    "WMF escape": lambda content: wmf(wmf_record(0x0626, struct.pack("<HH", 0x1001, len(content)) + content)),
    "WMF, behind the end": lambda content: wmf() + content,
}


# ---------------------------------------------------------------- WMF


def wmf(*records: bytes) -> bytes:
    """Write a WMF of records, with a header and an end."""
    body = wmf_record(0x020B, struct.pack("<hh", 0, 0)) + wmf_record(0x020C, struct.pack("<hh", SIZE, SIZE))
    body += b"".join(records) + wmf_record(0, b"")
    return struct.pack("<HHHIHIH", 1, 9, 0x300, (18 + len(body)) // 2, 1, len(body) // 2, 0) + body


def wmf_record(function: int, data: bytes) -> bytes:
    """Write a WMF record."""
    data += bytes(len(data) % 2)
    return struct.pack("<IH", (6 + len(data)) // 2, function) + data


def wmf_with(inner: bytes, *, pieces: int = 1) -> bytes:
    """Write a WMF that holds an EMF in escapes, as Windows does."""
    step = -(-len(inner) // pieces)
    parts = [inner[at : at + step] for at in range(0, len(inner), step)]
    written, left = list[bytes](), len(inner)
    for part in parts:
        left -= len(part)
        head = b"WMFC" + struct.pack("<IIHIIIII", 1, 0x10000, 0, 0, len(parts), len(part), left, len(inner))
        written.append(wmf_record(0x0626, struct.pack("<HH", 15, len(head) + len(part)) + head + part))
    return wmf(*written)


def placeable(metafile_: bytes) -> bytes:
    """Put the head of a placeable metafile before a WMF."""
    return struct.pack("<IHhhhhHIH", 0x9AC6CDD7, 0, 0, 0, SIZE, SIZE, 96, 0, 0) + metafile_


# ---------------------------------------------------------------- other files


def _pdf(address: str) -> bytes:
    return (
        f"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/GoToR/F({address})>>>>endobj\n"
        "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]"
        f"/Resources<</XObject<</I 4 0 R>>>>>>endobj\n4 0 obj<</Type/XObject/Subtype/Image/F({address})/Length 0>>"
        "stream\nendstream endobj\ntrailer<</Root 1 0 R>>"
    ).encode()


def _flat_drawing(address: str) -> bytes:
    return (
        '<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" '
        f'office:mimetype="application/vnd.oasis.opendocument.graphics"><draw:image xlink:href="{address}"/>'
        "</office:document>"
    ).encode()


def _zipped(name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.graphics")
        package.writestr(name, content)
    return out.getvalue()


_OTHERS: Final[Mapping[str, tuple[str, Callable[[str], bytes]]]] = {
    "PDF": ("pdf", _pdf),
    "PDF behind a line": ("pdf", lambda address: b"\n" + _pdf(address)),
    "PDF in an EMF": ("emf", lambda address: _multiformats(_pdf(address))),
    "PDF in EMF+": ("emf", lambda address: emf_with(bitmap(_pdf(address)))),
    "PostScript": ("eps", lambda address: f"%!PS-Adobe-3.0 EPSF-3.0\n({address}) run".encode()),
    "PostScript with preview": ("eps", lambda address: b"\xc5\xd0\xd3\xc6" + bytes(26) + address.encode()),
    "SVM": ("svm", lambda address: b"VCLMTF\1\0" + bytes(40) + svg(address).encode()),
    "PICT": ("pct", lambda address: bytes(522) + b"\0\x11\2\xff\x0c\0" + svg(address).encode()),
    "DXF": ("dxf", lambda address: f"0\nSECTION\n{svg(address)}".encode()),
    "HTML": ("html", lambda address: f'<html><img src="{address}"></html>'.encode()),
    "OpenDocument": ("odg", lambda address: _zipped("content.xml", _flat_drawing(address))),
    "flat OpenDocument": ("fodg", _flat_drawing),
    "OLE": ("bin", lambda address: bytes.fromhex("d0cf11e0a1b11ae1") + bytes(500) + svg(address).encode()),
    "text": ("txt", lambda address: address.encode()),
    "BMP that is more": ("bmp", lambda address: b"BM\1\1\1\1\1\1\1\1" + bytes(4) + svg(address).encode()),
    "RIFF that is more": ("webp", lambda address: b"RIFF" + svg(address).encode()),
}


def _carry_svg(make: Callable[[str], bytes]) -> Carrier:
    return lambda address: ("svg", make(address))


def _carry_packed(way: str, make: Callable[[str], bytes]) -> Carrier:
    return lambda address: ("svgz", packed(make(address))[way])


def _carry_in(wrap: Callable[[bytes], bytes], make: Callable[[str], bytes]) -> Carrier:
    return lambda address: ("wmf" if wrap(b"")[:1] == b"\1" and wrap(b"")[2] else "emf", wrap(make(address)))


def _carry_other(extension: str, make: Callable[[str], bytes]) -> Carrier:
    return lambda address: (extension, make(address))


CARRIERS: Final[Mapping[str, Carrier]] = (
    {f"SVG {name}": _carry_svg(make) for name, make in _SVGS.items()}
    | {f"gzip {way}": _carry_packed(way, _plain) for way in packed(b"")}
    | {name: _carry_in(wrap, _plain) for name, wrap in _METAFILES.items()}
    | {
        f"{name}, gzip {way}": _carry_in(
            lambda content, way=way, wrap=_METAFILES[name]: wrap(packed(content)[way]), _plain
        )
        for name in ("bitmap", "metafile")
        for way in ("whole", "wrong checksum")
    }
    | {
        f"gzip of {name}": _carry_packed("whole", lambda address, name=name: _METAFILES[name](_plain(address)))
        for name in ("bitmap", "WMF")
    }
    | {name: _carry_other(*other) for name, other in _OTHERS.items()}
)


def harmless(picture: bytes) -> Mapping[str, bytes]:
    """Write metafiles as programs do, with a PNG or JPEG in them."""
    dual = plus(0x4001, 1, struct.pack("<IIII", 0xDBC01002, 1, 96, 96))
    rectangle = emr(43, struct.pack("<4i", 50, 50, 300, 200))
    shown = (comment(plus(0x4008, IMAGE, bitmap(picture))), comment(_SET_UP, SHOW_IMAGE))
    return {
        "EMF": emf(rectangle),
        "EMF+ only": emf_with(bitmap(picture)),
        "EMF+ dual": emf(comment(dual), *shown, rectangle, comment(PLUS_END)),
        "EMF+ with a DC": emf(
            comment(PLUS_HEADER), *shown, comment(plus(0x4004, 0, b"")), rectangle, comment(PLUS_END)
        ),
        "EMF+ split": emf_with_split(bitmap(picture)),
        "EMF+ of raw pixels": emf_with(bitmap(bytes(range(256)), coding=0)),
        "EMF in EMF+": emf_with(metafile(emf(rectangle))),
        "EMF+ with PNG in EMF+": emf_with_split(metafile(emf_with(bitmap(picture)))),
        "WMF": wmf(wmf_record(0x041B, struct.pack("<4h", 200, 300, 50, 50))),
        "placeable WMF": placeable(wmf(wmf_record(0x041B, struct.pack("<4h", 200, 300, 50, 50)))),
        "WMF in EMF+": emf_with(metafile(placeable(wmf(wmf_record(0x041B, struct.pack("<4h", 200, 300, 50, 50)))))),
        "WMF with EMF": wmf_with(emf(rectangle)),
        "WMF with EMF+": placeable(wmf_with(emf_with(bitmap(picture)), pieces=4)),
    }
