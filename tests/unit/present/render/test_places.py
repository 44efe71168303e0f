"""Wherever a picture stands in a presentation, it is looked at before LibreOffice gets it."""

import pytest

from meetdeck.present.render.intake import check_presentation
from support.carriers import CARRIERS
from support.places import PLACES, pack, parts_of, show_in

ADDRESS = "file:///srv/canary.png"


@pytest.mark.parametrize(
    "carrier", ["SVG plain", "gzip wrong checksum", "bitmap", "WMF in pieces", "PDF", "OpenDocument"]
)
@pytest.mark.parametrize("place", PLACES)
def test_no_picture_takes_an_address_along(place: str, carrier: str) -> None:
    extension, picture = CARRIERS[carrier](ADDRESS)
    parts = parts_of(check_presentation(show_in(place, extension, picture)).package)
    assert picture not in parts.values()
    assert not any(ADDRESS.encode() in content for content in parts.values())


@pytest.mark.parametrize("name", ["ppt/x.xml", "ppt/x.rels", "ppt/x.vml", "ppt/x.bin", "customXml/item1.xml", "x"])
@pytest.mark.parametrize("carrier", ["SVG plain", "SVG no root", "SVG UTF-16", "flat OpenDocument"])
def test_no_part_of_xml_takes_an_address_along_whatever_it_is_called(name: str, carrier: str) -> None:
    parts = parts_of(show_in("slide", "png", b""))
    _, markup = CARRIERS[carrier](ADDRESS)
    seen = parts_of(check_presentation(pack(parts | {name: markup})).package)
    assert not any(ADDRESS.encode(code) in content for content in seen.values() for code in ("ascii", "utf-16-le"))
