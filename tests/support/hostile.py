"""The contents of hostile presentations, and how to see whether one got through."""

import io

import pikepdf

OFFICE_RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PICTURE = (
    '<p:pic><p:nvPicPr><p:cNvPr id="77" name="Picture"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr>'
    f'<p:blipFill><a:blip xmlns:r="{OFFICE_RELATIONSHIPS}" r:%s="rId77"/><a:stretch><a:fillRect/></a:stretch>'
    '</p:blipFill><p:spPr><a:xfrm><a:off x="914400" y="914400"/><a:ext cx="914400" cy="914400"/></a:xfrm>'
    '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>'
)
LINKED_PICTURE = _PICTURE % "link"
EMBEDDED_PICTURE = _PICTURE % "embed"


def relationship(target: str, kind: str = "image", mode: str = "External", *, key: str = "rId77") -> str:
    """Write a relationship; `rId77` is what the pictures here show."""
    return f'<Relationship Id="{key}" Type="{OFFICE_RELATIONSHIPS}/{kind}" Target="{target}" TargetMode="{mode}"/>'


def pictures_in(pdf: bytes) -> int:
    """Count the raster pictures in a PDF."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        streams = [entry for entry in document.objects if isinstance(entry, pikepdf.Stream)]
        return sum(stream.get("/Subtype") == "/Image" for stream in streams)
