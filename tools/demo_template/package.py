"""The presentation as a whole: sections, notes master, and a file that is the same bytes each time."""

import re
from io import BytesIO
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import quoteattr
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.presentation import Presentation

from .content import SLIDES
from .skeleton import theme
from .tree import append, get_first, insert_after, tree_of

SECTIONS_EXTENSION = "{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"  # [MS-PPTX] 2.4.3.16
NOTES_THEME = "ppt/theme/theme2.xml"
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
_CREATED = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def add_sections(presentation: Presentation) -> None:
    """Write PowerPoint's sections: each slide in the section that its content names."""
    members: dict[str, list[int]] = {}
    for text, slide in zip(SLIDES, presentation.slides, strict=True):
        members.setdefault(text.section, []).append(slide.slide_id)
    sections = "".join(
        f'<p14:section name={quoteattr(name)} id="{_section_id(name)}"><p14:sldIdLst>'
        + "".join(f'<p14:sldId id="{ident}"/>' for ident in idents)
        + "</p14:sldIdLst></p14:section>"
        for name, idents in members.items()
    )
    append(
        tree_of(presentation),
        f'<p:extLst><p:ext uri="{SECTIONS_EXTENSION}">'
        '<p14:sectionLst xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main">'
        f"{sections}</p14:sectionLst></p:ext></p:extLst>",
    )


def list_notes_master(presentation: Presentation) -> None:
    """Name the notes master in the presentation, which python-pptx relates to it but does not list."""
    ident = presentation.part.relate_to(presentation.notes_master.part, RELATIONSHIP_TYPE.NOTES_MASTER)
    insert_after(
        get_first(tree_of(presentation), "p:sldMasterIdLst"),
        f'<p:notesMasterIdLst><p:notesMasterId r:id="{ident}"/></p:notesMasterIdLst>',
    )


def save(presentation: Presentation) -> bytes:
    """Return the file, without a trace of when or where it was made."""
    buffer = BytesIO()
    presentation.save(buffer)
    return _repack(buffer.getvalue(), {NOTES_THEME: theme("Nordlys notes").encode()})


def _repack(package: bytes, replacements: dict[str, bytes]) -> bytes:
    buffer = BytesIO()
    with ZipFile(BytesIO(package)) as source, ZipFile(buffer, "w") as target:
        for name in source.namelist():
            content = replacements.get(name) or source.read(name)
            if name.endswith(".xlsx"):
                content = _repack(content, {"docProps/core.xml": _undated(content)})
            entry = ZipInfo(name, ZIP_EPOCH)
            entry.compress_type = ZIP_DEFLATED
            target.writestr(entry, content)
    return buffer.getvalue()


def _undated(workbook: bytes) -> bytes:
    with ZipFile(BytesIO(workbook)) as package:
        return _CREATED.sub(b"2025-01-01T00:00:00Z", package.read("docProps/core.xml"))


def _section_id(name: str) -> str:
    return f"{{{str(uuid5(NAMESPACE_URL, f'https://nordlys.example/{name}')).upper()}}}"
