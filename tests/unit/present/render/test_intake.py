import gzip
import io
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meetdeck.present.deck import Limits
from meetdeck.present.render.intake import check_presentation
from meetdeck.present.render.pictures import EMPTY_SVG
from meetdeck.present.render.renderer import RenderingFailed
from meetdeck.present.render.warmup import warmup_deck

DeckWith = Callable[[dict[str, str | bytes]], bytes]

OLE2 = bytes.fromhex("d0cf11e0a1b11ae1")
SLIDE = "ppt/slides/slide1.xml"
HIDDEN_SLIDE = '<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" show="0"/>'


def test_a_good_deck_keeps_its_parts_and_knows_its_shown_slides() -> None:
    deck = check_presentation(warmup_deck())
    assert deck.shown_slides == 1
    with zipfile.ZipFile(io.BytesIO(warmup_deck())) as before, zipfile.ZipFile(io.BytesIO(deck.package)) as after:
        assert {name: after.read(name) for name in after.namelist()} == {
            name: before.read(name) for name in before.namelist()
        }


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        (b"", "file is empty"),
        (b"%PDF-1.7 something", "not a PowerPoint presentation"),
        (OLE2 + bytes(64) + "EncryptedPackage".encode("utf-16-le"), "password-protected"),
        (OLE2 + bytes(64), "from before 2007"),
        (b"PK\3\4 no more", "damaged or cut short"),
        (warmup_deck()[:-40], "damaged or cut short"),
    ],
    ids=["empty", "pdf", "password", "old", "not a zip", "cut short"],
)
def test_what_is_no_readable_package_is_named(file: bytes, sentence: str) -> None:
    with pytest.raises(RenderingFailed, match=sentence):
        check_presentation(file)


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"_rels/.rels": "<Relationships/>"}, "without a presentation"),
        ({"ppt/presentation.xml": "<w:document xmlns:w='urn:w'/>"}, "another kind of Office document"),
        ({"ppt/presentation.xml": "<p:presentation xmlns:p='urn:p'/>"}, "has no slides"),
        ({"ppt/_rels/presentation.xml.rels": "<Relationships/>"}, "Slide 1 is missing"),
        ({SLIDE: HIDDEN_SLIDE}, "Every slide of the presentation is hidden"),
        ({SLIDE: "<p:sld xmlns:p='urn:p'><p:cSld></p:sld>"}, "slide1.xml is not well-formed XML"),
        ({SLIDE: ""}, "slide1.xml is not well-formed XML"),
        ({SLIDE: "<?xml version='1.0' encoding='klingon'?><a/>"}, "slide1.xml is not well-formed XML"),
        ({SLIDE: "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"}, "document type declaration"),
        ({"PPT/Slides/Slide1.xml": "<a/>"}, "two parts of one name"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_package_that_is_no_whole_presentation_says_what_is_wrong(
    deck_with: DeckWith, parts: dict[str, str | bytes], sentence: str
) -> None:
    with pytest.raises(RenderingFailed, match=sentence):
        check_presentation(deck_with(parts))


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        (Limits(entries=3), "at most 3 are accepted"),
        (Limits(unpacked_bytes=2**20), "unpacks to more than 1 MB"),
        (Limits(xml_part_bytes=2**20), "notes.xml unpacks to 2 MB"),
        (Limits(ratio_counts_from_bytes=2**20), "notes.xml unpacks to 2 MB"),
    ],
    ids=["entries", "size", "XML", "ratio"],
)
def test_a_deck_that_unpacks_to_too_much_is_refused(deck_with: DeckWith, limits: Limits, sentence: str) -> None:
    bomb = deck_with({"ppt/notes.xml": b"<a>" + b" " * 2**21 + b"</a>"})
    with pytest.raises(RenderingFailed, match=sentence):
        check_presentation(bomb, limits)


@pytest.mark.parametrize("name", ["ppt/media/image1.bin", "ppt/slides/slide9.xml"])
def test_a_small_file_that_unpacks_to_much_is_refused_before_it_is_unpacked(deck_with: DeckWith, name: str) -> None:
    bomb = deck_with({name: b" " * 65 * 2**20})
    assert len(bomb) < 100_000
    tracemalloc.start()
    with pytest.raises(RenderingFailed, match=f"{name} unpacks to 65 MB"):
        check_presentation(bomb)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2**20


def test_a_directory_that_lies_about_a_size_does_not_get_past_the_limits(deck_with: DeckWith) -> None:
    bomb = deck_with({"ppt/media/a.bin": bytes(2**20)})
    size = (2**20).to_bytes(4, "little")
    with pytest.raises(RenderingFailed, match="damaged"):
        check_presentation(bomb.replace(size, (10).to_bytes(4, "little")))


@pytest.mark.parametrize("name", ["ppt/media/a.svg", "ppt/media/a.png", "ppt/media/a.xml", "ppt/media/a.rels"])
def test_a_picture_that_reaches_outside_is_emptied_whatever_it_is_called(deck_with: DeckWith, name: str) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'
    with zipfile.ZipFile(io.BytesIO(check_presentation(deck_with({name: svg})).package)) as package:
        assert package.read(name) == EMPTY_SVG


def nested(depth: int) -> str:
    slide = "<p:sld xmlns:p='http://schemas.openxmlformats.org/presentationml/2006/main'>"
    return f"{slide}{'<p:grpSp>' * (depth - 1)}{'</p:grpSp>' * (depth - 1)}</p:sld>"


def test_shapes_in_shapes_are_followed_so_deep_and_no_deeper(deck_with: DeckWith) -> None:
    assert check_presentation(deck_with({SLIDE: nested(256)})).shown_slides == 1
    for depth in (257, 30_000):
        for markup in (nested(depth), nested(depth).encode("utf-16")):
            with pytest.raises(RenderingFailed, match=r"slide1.xml nests elements more than 256 deep; ungroup"):
                check_presentation(deck_with({SLIDE: markup}))


@pytest.mark.parametrize("name", ["ppt/slideLayouts/slideLayout1.bin", "ppt/drawings/vmlDrawing1.vml"])
def test_a_part_of_any_name_is_emptied_when_it_nests_deeper(deck_with: DeckWith, name: str) -> None:
    markup = "<xml>" * 300 + "</xml>" * 300
    with zipfile.ZipFile(io.BytesIO(check_presentation(deck_with({name: markup})).package)) as package:
        assert package.read(name) == EMPTY_SVG


def test_relationships_nest_no_deeper_either(deck_with: DeckWith) -> None:
    with pytest.raises(RenderingFailed, match=r"slide1.xml.rels nests elements more than 256 deep"):
        check_presentation(deck_with({"ppt/slides/_rels/slide1.xml.rels": "<a>" * 300 + "</a>" * 300}))


@pytest.mark.parametrize("name", ["customXml/item1.xml", "ppt/mine.xml", "ppt/customXML/Item.xml"])
@pytest.mark.parametrize("content", ["<!DOCTYPE x><x>&y;", "<x/>", ""])
def test_custom_xml_may_be_anything_and_goes_nowhere(deck_with: DeckWith, name: str, content: str) -> None:
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/customXml"
    rels = f"<Relationships><Relationship Id='r' Type='{kind}' Target='/{name.lower()}'/></Relationships>"
    deck = deck_with({name: content, "ppt/slides/_rels/slide1.xml.rels": rels})
    with zipfile.ZipFile(io.BytesIO(check_presentation(deck).package)) as package:
        assert package.read(name) == EMPTY_SVG


def test_what_macos_adds_to_a_folder_is_passed_over(deck_with: DeckWith) -> None:
    names = ("__MACOSX/ppt/slides/._slide1.xml", "__MACOSX/_rels/._.rels", "__MACOSX/ppt/media/._image1.png")
    deck = check_presentation(deck_with(dict.fromkeys(names, b"\x00\x05\x16\x07")))
    with zipfile.ZipFile(io.BytesIO(deck.package)) as package:
        assert not set(names) & set(package.namelist())


def test_relationships_to_missing_parts_are_taken_out(deck_with: DeckWith) -> None:
    rels = "_rels/.rels"
    with zipfile.ZipFile(io.BytesIO(warmup_deck())) as package:
        whole = package.read(rels).decode()
    kind = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
    added = (
        f'<Relationship Id="gone" Type="{kind}" Target="docProps/gone.xml"/>'
        f'<Relationship Id="there" Type="{kind}" Target="docProps/my%20core.xml"/></Relationships>'
    )
    deck = deck_with({rels: whole.replace("</Relationships>", added), "docProps/My core.xml": "<x/>"})
    with zipfile.ZipFile(io.BytesIO(check_presentation(deck).package)) as package:
        kept = package.read(rels).decode()
    assert ("gone" in kept, "there" in kept) == (False, True)


@pytest.mark.parametrize("code", ["utf-7", "utf-32", "cp037", "iso-2022-jp", "windows-1252"])
def test_a_part_is_in_the_encodings_of_office(deck_with: DeckWith, code: str) -> None:
    for name in (SLIDE, "ppt/slides/_rels/slide1.xml.rels"):
        markup = f"<?xml version='1.0' encoding='{code}'?><Relationships/>".encode()
        with pytest.raises(RenderingFailed, match="is not well-formed XML"):
            check_presentation(deck_with({name: markup}))


def test_pictures_that_unpack_to_too_much_together_are_refused(deck_with: DeckWith) -> None:
    svg = b'<svg xmlns="http://www.w3.org/2000/svg">' + b" " * 2**20 + b"</svg>"
    deck = deck_with({f"ppt/media/{number}.svgz": gzip.compress(svg) for number in range(4)})
    assert check_presentation(deck).shown_slides == 1
    with pytest.raises(RenderingFailed, match="unpacks to more than 3 MB"):
        check_presentation(deck, Limits(unpacked_bytes=3 * 2**20))


def test_a_part_without_a_name_is_no_crash() -> None:
    directory = bytearray(warmup_deck())
    size = directory.rindex(b"PK\1\2") + 28
    directory[size : size + 2] = b"\0\0"
    with suppress(RenderingFailed):
        check_presentation(bytes(directory))


@pytest.mark.parametrize(
    ("offset", "value", "sentence"),
    [
        (6, b"\x40\0", "damaged or cut short"),  # a version to come
        (8, b"\x20\0", "damaged or cut short"),  # patched data
        (10, b"\x0c\0", "damaged or cut short"),  # bzip2
        (16, b"\0\0\0\0", "damaged or cut short .*checksum"),
        (20, b"\xff\xff\xff\xff", "zip64"),
        (42, b"\1\0\0\0", "damaged or cut short"),  # lies elsewhere
        (46, b"../", "is not allowed in an Office file"),
    ],
)
def test_a_directory_that_is_not_as_office_writes_it_is_refused(offset: int, value: bytes, sentence: str) -> None:
    package = bytearray(warmup_deck())
    start = package.index(b"PK\1\2") + offset
    package[start : start + len(value)] = value
    with pytest.raises(RenderingFailed, match=sentence):
        check_presentation(bytes(package))


def test_an_entry_that_reaches_into_the_directory_is_refused() -> None:
    package = bytearray(warmup_deck())
    last = package.rindex(b"PK\1\2")
    package[last + 20 : last + 28] = (int.from_bytes(package[last + 20 : last + 24], "little") + 9).to_bytes(
        4, "little"
    ) * 2
    with pytest.raises(RenderingFailed, match="is not where the zip directory says"):
        check_presentation(bytes(package))


def test_an_encrypted_entry_is_refused() -> None:
    directory = bytearray(warmup_deck())
    directory[directory.index(b"PK\1\2") + 8] |= 1
    with pytest.raises(RenderingFailed, match="is encrypted; save it without"):
        check_presentation(bytes(directory))


@given(data=st.data())
def test_a_deck_with_damaged_bytes_is_refused_or_read_but_never_crashes(data: st.DataObject) -> None:
    damaged = bytearray(warmup_deck())
    for position in data.draw(st.lists(st.integers(0, len(damaged) - 1), min_size=1, max_size=8)):
        damaged[position] = data.draw(st.integers(0, 255))
    with suppress(RenderingFailed):
        assert check_presentation(bytes(damaged)).shown_slides >= 1
