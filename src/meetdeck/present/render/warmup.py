"""The presentation that a new LibreOffice renders first, so that no caller waits for fonts and filters to load."""

import io
import zipfile
from typing import Final

_XML: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES: Final = "application/vnd.openxmlformats-officedocument.presentationml"
_NAMESPACES: Final = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    f'xmlns:r="{_OFFICE}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
_TEXT_BOX: Final = (
    '<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
    '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Text"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr>'
    '<p:spPr><a:xfrm><a:off x="914400" y="914400"/><a:ext cx="5486400" cy="914400"/></a:xfrm>'
    '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>'
    '<p:txBody><a:bodyPr/><a:p><a:r><a:rPr lang="en-US"/><a:t>Warm</a:t></a:r></a:p></p:txBody></p:sp>'
    "</p:spTree></p:cSld>"
)


def _relationships(**targets: str) -> str:
    """Return the relationships rId1, rId2, … of these kinds to these parts."""
    entries = "".join(
        f'<Relationship Id="rId{number}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets.items(), start=1)
    )
    return f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">{entries}</Relationships>'


_PARTS: Final = {
    "[Content_Types].xml": (
        f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/ppt/presentation.xml" ContentType="{_TYPES}.presentation.main+xml"/>'
        f'<Override PartName="/ppt/slides/slide1.xml" ContentType="{_TYPES}.slide+xml"/></Types>'
    ),
    "_rels/.rels": _relationships(officeDocument="ppt/presentation.xml"),
    "ppt/presentation.xml": (
        f'{_XML}<p:presentation {_NAMESPACES}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst>'
        '<p:sldSz cx="12192000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>'
    ),
    "ppt/_rels/presentation.xml.rels": _relationships(slide="slides/slide1.xml"),
    "ppt/slides/slide1.xml": f"{_XML}<p:sld {_NAMESPACES}>{_TEXT_BOX}</p:sld>",
}


def warmup_deck() -> bytes:
    """Return a PPTX of one slide with one line of text, the least that LibreOffice draws."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as package:
        for name, content in _PARTS.items():
            package.writestr(zipfile.ZipInfo(name), content)
    return packed.getvalue()
