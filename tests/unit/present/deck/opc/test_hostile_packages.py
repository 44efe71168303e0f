"""Files that mean harm or are not what they seem: each is refused with a finding, none with another error."""

import io
import struct
import time
import zipfile
import zlib
from collections.abc import Callable, Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from meetdeck.present.deck import Limits, TemplateError, compile_template, validate_template, whole_deck
from meetdeck.present.deck.opc.xml import MarkupError, parse

Make = Callable[[str], bytes]
MakeNamed = Callable[[list[str]], bytes]
Read = Callable[[bytes, str], str]
Replace = Callable[[bytes, Mapping[str, bytes | None]], bytes]

_SLIDE = "ppt/slides/slide1.xml"
_PRESENTATION = "ppt/presentation.xml"
_TYPES = "[Content_Types].xml"


def _codes(data: bytes, limits: Limits | None = None) -> set[str]:
    findings = validate_template(data, limits) if limits else validate_template(data)
    return {finding.code for finding in findings if finding.type == "Error"}


@pytest.fixture
def good(named_slides: MakeNamed) -> bytes:
    """Make a template without fault."""
    return named_slides(["A", "B"])


def _zip(entries: list[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def test_a_good_file_has_no_errors(good: bytes) -> None:
    assert validate_template(good) == []


@pytest.mark.parametrize("data", [b"", b"PK", b"hello", b"PK\x03\x04" + b"\0" * 100, b"PK\x05\x06" + b"\0" * 18])
def test_no_zip_is_refused(data: bytes) -> None:
    assert _codes(data) <= {"not-a-zip", "not-a-presentation"}
    assert _codes(data)


def test_a_password_protected_file_says_so() -> None:
    (finding,) = validate_template(bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 600)
    assert finding.code == "password-protected"
    assert "Remove the password" in finding.message


def test_an_encrypted_entry_is_refused(good: bytes) -> None:
    data = bytearray(good)
    data[data.find(b"PK\x01\x02") + 8] |= 1
    assert _codes(bytes(data)) == {"password-protected"}


def test_macros_are_refused(good: bytes, read_part: Read, replace_parts: Replace) -> None:
    types = read_part(good, _TYPES)
    main = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
    by_type = types.replace(main, "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml")
    project = '<Override PartName="/ppt/vbaProject.bin" ContentType="application/vnd.ms-office.vbaProject"/></Types>'
    by_part = {_TYPES: types.replace("</Types>", project).encode(), "ppt/vbaProject.bin": b"x"}
    assert _codes(replace_parts(good, {_TYPES: by_type.encode()})) == {"macros"}
    assert _codes(replace_parts(good, by_part)) == {"macros"}


def test_another_kind_of_office_file_is_named(good: bytes, read_part: Read, replace_parts: Replace) -> None:
    types = read_part(good, _TYPES).replace("presentationml.presentation.main", "wordprocessingml.document.main")
    (finding,) = validate_template(replace_parts(good, {_TYPES: types.encode()}))
    assert "Word document" in finding.message


@pytest.mark.parametrize("kind", ["template", "slideshow"])
def test_templates_and_slide_shows_make_presentations(
    good: bytes, read_part: Read, replace_parts: Replace, kind: str
) -> None:
    types = read_part(good, _TYPES)
    other = replace_parts(good, {_TYPES: types.replace("presentation.main+xml", f"{kind}.main+xml").encode()})
    assert "presentation.main+xml" in read_part(whole_deck(compile_template(other), {}).content, _TYPES)


@pytest.mark.parametrize("part", [_PRESENTATION, _SLIDE, "ppt/theme/theme1.xml", "docProps/app.xml", _TYPES])
@pytest.mark.parametrize("content", [b"", b"<a>", b"\xff\xfe\x00", b"<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>"])
def test_broken_xml_anywhere_is_refused(good: bytes, replace_parts: Replace, part: str, content: bytes) -> None:
    assert _codes(replace_parts(good, {part: content})) & {"broken-xml", "not-a-presentation"}


@pytest.mark.parametrize("part", [_PRESENTATION, _SLIDE, "ppt/theme/theme1.xml", _TYPES, "_rels/.rels"])
def test_a_missing_part_is_refused(good: bytes, replace_parts: Replace, part: str) -> None:
    assert _codes(replace_parts(good, {part: None}))


def test_a_missing_slide_is_named(good: bytes, replace_parts: Replace) -> None:
    findings = validate_template(replace_parts(good, {_SLIDE: None}))
    assert any("slides/slide1.xml" in finding.message for finding in findings)


@pytest.mark.parametrize("name", ["../evil.xml", "/abs.xml", "a/../../b", "c:\\x", "a\\b", "a//b"])
def test_unsafe_entry_names_are_refused(name: str) -> None:
    assert _codes(_zip([(_TYPES, b"<x/>"), (name, b"x")])) == {"unsafe-entry-name"}


def test_double_entries_are_refused() -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        data = _zip([("a.xml", b"1"), ("a.xml", b"2")])
    assert _codes(data) == {"duplicate-entry"}
    assert _codes(_zip([("a.xml", b"1"), ("A.XML", b"2")])) == {"duplicate-entry"}


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    assert "zip-bomb" in _codes(_zip([(_TYPES, b"\0" * 20_000_000)]))


def test_limits_hold(good: bytes) -> None:
    assert _codes(good, Limits(entries=3)) == {"too-many-entries"}
    assert _codes(good, Limits(unpacked_bytes=1000)) == {"too-large"}
    assert _codes(good, Limits(file_bytes=1000)) == {"too-large"}
    assert _codes(good, Limits(xml_part_bytes=100)) == {"too-large"}


@pytest.mark.parametrize("declared", [0, 10, 100_000])
def test_an_entry_that_lies_about_its_size_is_refused(good: bytes, declared: int) -> None:
    data = bytearray(good)
    position = data.find(b"PK\x01\x02")
    while not data.startswith(_SLIDE.encode(), position + 46):
        position = data.find(b"PK\x01\x02", position + 4)
    data[position + 24 : position + 28] = struct.pack("<L", declared)
    assert _codes(bytes(data)) == {"damaged-entry"}


def _local(name: bytes, content: bytes) -> bytes:
    header = (b"PK\3\4", 20, 0, 0, 0, 0, zlib.crc32(content), len(content), len(content), len(name), 0)
    return struct.pack("<4s5H3L2H", *header) + name + content


def _central(name: bytes, content: bytes, offset: int) -> bytes:
    sizes = (zlib.crc32(content), len(content), len(content), len(name))
    return struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 0, 0, 0, *sizes, 0, 0, 0, 0, 0, offset) + name


def _archive(body: bytes, *central: bytes) -> bytes:
    directory = b"".join(central)
    count = len(central)
    return body + directory + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, count, count, len(directory), len(body), 0)


def test_an_entry_inside_of_another_is_refused() -> None:
    inner = _local(b"b", b"x" * 1000)
    data = _archive(_local(b"a", inner), _central(b"a", inner, 0), _central(b"b", b"x" * 1000, 31))
    (finding,) = validate_template(data)
    assert "is not where" in finding.message


def test_an_entry_under_another_name_than_the_directorys_is_refused() -> None:
    (finding,) = validate_template(_archive(_local(b"a", b"x"), _central(b"b", b"x", 0)))
    assert "does not match the zip directory" in finding.message


def test_a_wrong_checksum_is_refused(good: bytes) -> None:
    data = bytearray(good)
    data[data.find(b"PK\x01\x02") + 16] ^= 1
    assert _codes(bytes(data)) == {"damaged-entry"}


def test_a_zip64_archive_is_refused_with_what_to_do(good: bytes) -> None:
    data = bytearray(good)
    end = data.rfind(b"PK\x05\x06")
    data[end + 8 : end + 12] = b"\xff\xff\xff\xff"
    assert _codes(bytes(data)) == {"zip64"}


@pytest.mark.parametrize(
    "xml",
    [
        b'<!DOCTYPE lolz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>',
        b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>',
        '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE x [<!ENTITY e "v">]><x>&e;</x>'.encode("utf-16"),
        b'<?xml version="1.0" encoding="UTF-7"?><x/>',
        b"<x>" * 5000 + b"</x>" * 5000,
        b"<x>" + b"<y/>" * 1_000_001 + b"</x>",
        "<x>\ufdd0h0\ufdd1</x>".encode(),
        b"<x>&#xFDD0;</x>",
        b"<x>&#64976;</x>",
    ],
)
def test_dangerous_xml_is_not_read(xml: bytes) -> None:
    with pytest.raises(MarkupError):
        parse(xml)


def test_utf16_is_read(good: bytes, read_part: Read, replace_parts: Replace) -> None:
    slide = read_part(good, _SLIDE).replace("UTF-8", "UTF-16").replace('encoding="UTF-8"', "")
    template = compile_template(replace_parts(good, {_SLIDE: slide.encode("utf-16")}))
    assert [slide.name for slide in template.slides] == ["A", "B"]


def test_external_pictures_are_warned_of_and_web_links_are_not(
    good: bytes, read_part: Read, replace_parts: Replace
) -> None:
    name = "ppt/slides/_rels/slide1.xml.rels"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    links = "".join(
        f'<Relationship Id="x{n}" Type="{office}/{kind}" Target="{target}" TargetMode="External"/>'
        for n, (kind, target) in enumerate(
            [
                ("image", "https://evil.example/a.png"),
                ("hyperlink", "https://x.dk"),
                *(("hyperlink", f"{scheme}:+4512") for scheme in ("tel", "sms", "SMS", "mailto")),
                ("hyperlink", "file:///etc/passwd"),
            ]
        )
    )
    relationships = read_part(good, name).replace("</Relationships>", links + "</Relationships>")
    findings = validate_template(replace_parts(good, {name: relationships.encode()}))
    assert [finding.code for finding in findings] == ["external-relationship"] * 2
    assert "evil.example" in findings[0].message


def test_all_errors_are_found_at_once(text_template: Make) -> None:
    paragraphs = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in ("{{a", "{{#b}}", "{c}}", "{{d}}"))
    findings = validate_template(text_template(paragraphs))
    assert [finding.code for finding in findings] == ["unclosed-tag", "unclosed-block", "near-miss-tag"]


def test_errors_come_first_and_say_where(text_template: Make) -> None:
    with pytest.raises(TemplateError, match="not closed") as caught:
        compile_template(text_template("<a:p><a:r><a:t>{{a</a:t></a:r></a:p>"))
    assert caught.value.findings[0].location == "Slide 1"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(position=st.integers(0, 2**20), value=st.integers(0, 255))
def test_one_wrong_byte_never_crashes(good: bytes, position: int, value: int) -> None:
    data = bytearray(good)
    data[position % len(data)] = value
    validate_template(bytes(data))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
@given(length=st.integers(0, 2**20))
def test_a_cut_file_never_crashes(good: bytes, length: int) -> None:
    cut = good[: length % len(good)]
    assert _codes(cut)


def _seconds(data: bytes) -> float:
    """Return the processor time of a run."""
    start = time.process_time()
    validate_template(data)
    return time.process_time() - start


@pytest.mark.parametrize(
    ("before", "repeated", "after"),
    [
        ("<a:p><a:r><a:t>", "{{a}}", "</a:t></a:r></a:p>"),
        ("<a:p>", "<a:r><a:t>{{a}}</a:t></a:r>", "</a:p>"),
        ("<a:p>", "<a:r><a:t>{</a:t></a:r>", "</a:p>"),
        ("", "<a:p><a:r><a:t>{{a}}</a:t></a:r></a:p>", ""),
        ("<a:p><a:r><a:t>{{a", " | upper", "}}</a:t></a:r></a:p>"),
        ("<a:p><a:r><a:t>", "{a}} ", "</a:t></a:r></a:p>"),
        ("<a:p><a:r><a:t>", "{" * 5, "</a:t></a:r></a:p>"),
        ("<a:p><a:r><a:t>", '{{a|"', "</a:t></a:r></a:p>"),
    ],
    ids=["tags", "runs", "split-braces", "paragraphs", "filters", "near-misses", "braces", "quotes"],
)
def test_time_grows_with_the_size_of_the_file_and_no_faster(
    text_template: Make, before: str, repeated: str, after: str
) -> None:
    """Eight times the text may take eight times as long; with the square of it, it would take 64 times."""
    small, large = (text_template(before + repeated * count + after) for count in (1_000, 8_000))
    expected = min(_seconds(small) for _ in range(3))
    assert any(_seconds(large) < 24 * expected for _ in range(3))  # on a busy machine the first may take longer
