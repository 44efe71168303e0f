import pytest

from meetdeck.present.render.sanitize import read_relationships, strip_relationships

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STRICT = "http://purl.oclc.org/ooxml/officeDocument/relationships"
NAME = "ppt/slides/_rels/slide1.xml.rels"
ENTRIES = {
    f"ppt/{name}".lower(): f"ppt/{name}"
    for name in (
        *("slideLayouts/slideLayout1.xml", "slides/a.png", "slides/vbaProject.bin", "media/a.mp4"),
        *("embeddings/oleObject1.bin", "embeddings/sheet.xlsx", "slides/file:/etc/passwd"),
    )
}


def rels(*entries: tuple[str, str, str, str]) -> bytes:
    """Write relationships, each (id, type, target, mode)."""
    lines = "".join(
        f'<Relationship Id="{key}" Type="{kind}" Target="{target}"{f" TargetMode={mode!r}" if mode else ""}/>'
        for key, kind, target, mode in entries
    )
    head = "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>"
    return f"{head}{lines}</Relationships>".encode()


def slide(*elements: str) -> bytes:
    return f"<p:sld xmlns:p='urn:p' xmlns:a='urn:a' xmlns:r='{OFFICE}'>{''.join(elements)}</p:sld>".encode()


def kept_ids(stripped: bytes) -> list[str]:
    return [entry.id for entry in read_relationships(NAME, stripped, ENTRIES)]


def test_a_part_without_outside_relationships_stays_byte_for_byte() -> None:
    whole = rels(("rId1", f"{OFFICE}/slideLayout", "../slideLayouts/slideLayout1.xml", ""))
    assert strip_relationships(NAME, whole, slide(), ENTRIES) is whole


@pytest.mark.parametrize(
    ("kind", "target", "mode"),
    [
        (f"{OFFICE}/image", "http://198.51.100.1/a.png", "External"),
        (f"{STRICT}/image", "http://198.51.100.1/a.png", "External"),
        (f"{OFFICE}/image", "a.png", "external"),
        (f"{OFFICE}/image", "file:///etc/passwd", ""),
        (f"{OFFICE}/image", "//198.51.100.1/share/a.png", "Internal"),
        (f"{OFFICE}/image", "\\\\198.51.100.1\\share\\a.png", "Internal"),
        (f"{OFFICE}/hyperlink", "file:///etc/passwd", "External"),
        (f"{OFFICE}/hyperlink", "javascript:alert(1)", "External"),
        (f"{OFFICE}/oleObject", "../embeddings/oleObject1.bin", ""),
        (f"{OFFICE}/package", "../embeddings/sheet.xlsx", ""),
        (f"{OFFICE}/video", "../media/a.mp4", ""),
        ("http://schemas.microsoft.com/office/2006/relationships/vbaProject", "vbaProject.bin", ""),
    ],
)
def test_what_leaves_the_package_or_runs_is_removed(kind: str, target: str, mode: str) -> None:
    inside = ("rId1", f"{OFFICE}/slideLayout", "../slideLayouts/slideLayout1.xml", "")
    assert kept_ids(strip_relationships(NAME, rels(inside, ("rId2", kind, target, mode)), slide(), ENTRIES)) == ["rId1"]


@pytest.mark.parametrize("address", ["https://example.org/?a=1&amp;b=2", "mailto:me@example.org", "HTTP://example.org"])
def test_an_address_to_click_on_is_kept(address: str) -> None:
    link = rels(("rId2", f"{OFFICE}/hyperlink", address, "External"))
    stripped = strip_relationships(NAME, link, slide('<a:hlinkClick r:id="rId2"/>'), ENTRIES)
    assert kept_ids(stripped) == ["rId2"]


def test_an_address_is_kept_when_others_are_removed() -> None:
    links = rels(
        ("rId2", f"{OFFICE}/hyperlink", "https://example.org/?a=1&amp;b=2", "External"),
        ("rId3", f"{OFFICE}/image", "https://example.org/a.png", "External"),
    )
    stripped = strip_relationships(NAME, links, slide('<a:hlinkClick r:id="rId2"/>'), ENTRIES)
    (kept,) = read_relationships(NAME, stripped, ENTRIES)
    assert kept.target == "https://example.org/?a=1&b=2"
    assert kept.external


def test_an_address_that_a_picture_uses_too_is_removed() -> None:
    link = rels(("rId2", f"{OFFICE}/hyperlink", "https://example.org/a.png", "External"))
    both = slide('<a:hlinkClick r:id="rId2"/>', '<a:blip r:link="rId2"/>')
    assert kept_ids(strip_relationships(NAME, link, both, ENTRIES)) == []


@pytest.mark.parametrize("kind", ["image", "oleObject", "hyperlink"])
def test_what_has_the_id_of_an_address_to_click_on_is_removed_all_the_same(kind: str) -> None:
    links = rels(
        ("rId2", f"{OFFICE}/{kind}", "file:///etc/passwd", "External"),
        ("rId2", f"{OFFICE}/hyperlink", "https://example.org", "External"),
    )
    stripped = strip_relationships(NAME, links, slide('<a:hlinkClick r:id="rId2"/>'), ENTRIES)
    assert [entry.target for entry in read_relationships(NAME, stripped, ENTRIES)] == ["https://example.org"]


def test_an_address_of_a_part_that_is_not_there_is_removed() -> None:
    link = rels(("rId2", f"{OFFICE}/hyperlink", "https://example.org", "External"))
    assert kept_ids(strip_relationships(NAME, link, None, ENTRIES)) == []


@pytest.mark.parametrize("target", ["gone.png", "a.png#gone", "a.png?gone", "#a.png", "", "/"])
def test_what_leads_to_no_part_is_removed(target: str) -> None:
    found = rels(("rId1", f"{OFFICE}/image", "a.png", ""), ("rId2", f"{OFFICE}/image", target, ""))
    assert kept_ids(strip_relationships(NAME, found, slide(), ENTRIES)) == ["rId1"]
