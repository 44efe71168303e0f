"""An empty presentation in the firm's look: theme, master, layouts, table style. No slides yet."""

from io import BytesIO
from zipfile import ZipFile

from .canvas import NAMESPACES, Canvas
from .design import BODY_FONT, COLOUR_MAP, HEADING_FONT, PALETTE, SLIDE_HEIGHT, SLIDE_WIDTH, emu
from .layouts import CARDS_GAP, LAYOUTS, TEXT, TITLE, Layout, draw_master
from .text import TextStyle, solid

TABLE_STYLE = "{8A3C1F52-6B1D-4E0B-9C57-3D2E4F60A7B1}"
CARDS_STYLE = "{5D0E7B94-2C3A-4F18-8E61-7A9B3C5D1F20}"

_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_OFFICE_RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
_PRESENTATIONML = "application/vnd.openxmlformats-officedocument.presentationml"
_FIRST_LAYOUT_ID = 2_147_483_649  # ids of layouts and masters share one range, from 2^31


def build_skeleton() -> bytes:
    """Return the empty presentation as an OPC package."""
    buffer = BytesIO()
    with ZipFile(buffer, "w") as package:
        for name, markup in _parts().items():
            package.writestr(name, _DECLARATION + markup)
    return buffer.getvalue()


def theme(name: str) -> str:
    """Return a:theme. The notes master needs one of its own, hence the name."""
    colors = "".join(f'<a:{slot}><a:srgbClr val="{rgb}"/></a:{slot}>' for slot, rgb in PALETTE.items())
    fonts = "".join(
        f'<a:{slot}><a:latin typeface="{font}"/><a:ea typeface=""/><a:cs typeface=""/></a:{slot}>'
        for slot, font in (("majorFont", HEADING_FONT), ("minorFont", BODY_FONT))
    )
    plain = solid("phClr")
    lines = "".join(
        f'<a:ln w="{width}" cap="flat" cmpd="sng" algn="ctr">{plain}<a:prstDash val="solid"/></a:ln>'
        for width in (6350, 12700, 19050)
    )
    effects = "<a:effectStyle><a:effectLst/></a:effectStyle>" * 3
    return (
        f'<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="{name}"><a:themeElements>'
        f'<a:clrScheme name="Nordlys">{colors}</a:clrScheme><a:fontScheme name="Nordlys">{fonts}</a:fontScheme>'
        f'<a:fmtScheme name="Nordlys"><a:fillStyleLst>{plain * 3}</a:fillStyleLst><a:lnStyleLst>{lines}</a:lnStyleLst>'
        f"<a:effectStyleLst>{effects}</a:effectStyleLst><a:bgFillStyleLst>{plain * 3}</a:bgFillStyleLst>"
        "</a:fmtScheme></a:themeElements><a:objectDefaults/><a:extraClrSchemeLst/></a:theme>"
    )


def _parts() -> dict[str, str]:
    layouts = range(1, len(LAYOUTS) + 1)
    parts = {
        "[Content_Types].xml": _content_types(),
        "_rels/.rels": _relationships(
            (f"{_OFFICE_RELATIONSHIPS}/officeDocument", "ppt/presentation.xml"),
            (
                "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties",
                "docProps/core.xml",
            ),
            (f"{_OFFICE_RELATIONSHIPS}/extended-properties", "docProps/app.xml"),
        ),
        "docProps/core.xml": _CORE_PROPERTIES,
        "docProps/app.xml": _APP_PROPERTIES,
        "ppt/presentation.xml": _presentation(),
        "ppt/_rels/presentation.xml.rels": _relationships(
            (f"{_OFFICE_RELATIONSHIPS}/slideMaster", "slideMasters/slideMaster1.xml"),
            (f"{_OFFICE_RELATIONSHIPS}/theme", "theme/theme1.xml"),
            (f"{_OFFICE_RELATIONSHIPS}/tableStyles", "tableStyles.xml"),
        ),
        "ppt/theme/theme1.xml": theme("Nordlys"),
        "ppt/tableStyles.xml": _table_styles(),
        "ppt/slideMasters/slideMaster1.xml": _master(),
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": _relationships(
            *((f"{_OFFICE_RELATIONSHIPS}/slideLayout", f"../slideLayouts/slideLayout{i}.xml") for i in layouts),
            (f"{_OFFICE_RELATIONSHIPS}/theme", "../theme/theme1.xml"),
        ),
    }
    for i, layout in enumerate(LAYOUTS, 1):
        parts[f"ppt/slideLayouts/slideLayout{i}.xml"] = _layout(layout)
        parts[f"ppt/slideLayouts/_rels/slideLayout{i}.xml.rels"] = _relationships(
            (f"{_OFFICE_RELATIONSHIPS}/slideMaster", "../slideMasters/slideMaster1.xml"),
        )
    return parts


def _content_types() -> str:
    overrides = {
        "/docProps/core.xml": "application/vnd.openxmlformats-package.core-properties+xml",
        "/docProps/app.xml": "application/vnd.openxmlformats-officedocument.extended-properties+xml",
        "/ppt/presentation.xml": f"{_PRESENTATIONML}.presentation.main+xml",
        "/ppt/slideMasters/slideMaster1.xml": f"{_PRESENTATIONML}.slideMaster+xml",
        "/ppt/tableStyles.xml": f"{_PRESENTATIONML}.tableStyles+xml",
        "/ppt/theme/theme1.xml": "application/vnd.openxmlformats-officedocument.theme+xml",
    }
    for i in range(1, len(LAYOUTS) + 1):
        overrides[f"/ppt/slideLayouts/slideLayout{i}.xml"] = f"{_PRESENTATIONML}.slideLayout+xml"
    return (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        + "".join(f'<Override PartName="{part}" ContentType="{kind}"/>' for part, kind in overrides.items())
        + "</Types>"
    )


def _relationships(*targets: tuple[str, str]) -> str:
    entries = "".join(
        f'<Relationship Id="rId{i}" Type="{kind}" Target="{target}"/>' for i, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{_PACKAGE_RELATIONSHIPS}">{entries}</Relationships>'


def _presentation() -> str:
    return (
        f'<p:presentation {NAMESPACES} saveSubsetFonts="1"><p:sldMasterIdLst>'
        f'<p:sldMasterId id="{_FIRST_LAYOUT_ID - 1}" r:id="rId1"/></p:sldMasterIdLst>'
        f'<p:sldSz cx="{emu(SLIDE_WIDTH)}" cy="{emu(SLIDE_HEIGHT)}"/><p:notesSz cx="6858000" cy="9144000"/>'
        f"<p:defaultTextStyle>{_levels(TextStyle(18))}</p:defaultTextStyle></p:presentation>"
    )


def _master() -> str:
    canvas = Canvas()
    draw_master(canvas)
    ids = "".join(f'<p:sldLayoutId id="{_FIRST_LAYOUT_ID + i}" r:id="rId{i + 1}"/>' for i in range(len(LAYOUTS)))
    mapping = " ".join(f'{name}="{slot}"' for name, slot in COLOUR_MAP.items())
    links = " ".join(f'{slot}="{slot}"' for slot in list(PALETTE)[4:])
    return (
        f"<p:sldMaster {NAMESPACES}><p:cSld>{_background('bg2')}{canvas.tree()}</p:cSld>"
        f"<p:clrMap {mapping} {links}/><p:sldLayoutIdLst>{ids}</p:sldLayoutIdLst>"
        f'<p:hf hdr="0" dt="0"/><p:txStyles><p:titleStyle>{TITLE.paragraph("lvl1pPr")}</p:titleStyle>'
        f"<p:bodyStyle>{_levels(TEXT)}</p:bodyStyle><p:otherStyle>{_levels(TextStyle(18))}</p:otherStyle>"
        "</p:txStyles></p:sldMaster>"
    )


def _layout(layout: Layout) -> str:
    canvas = Canvas()
    layout.draw(canvas)
    kind = 'userDrawn="1"' if layout.kind == "cust" else f'type="{layout.kind}"'
    master_shapes = ' showMasterSp="0"' if layout.dark else ""
    background = _background("tx2") if layout.dark else ""
    return (
        f'<p:sldLayout {NAMESPACES}{master_shapes} {kind} preserve="1"><p:cSld name="{layout.name}">{background}'
        f"{canvas.tree()}</p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"
    )


def _background(color: str) -> str:
    return f"<p:bg><p:bgPr>{solid(color)}<a:effectLst/></p:bgPr></p:bg>"


def _levels(style: TextStyle) -> str:
    return "".join(style.paragraph(f"lvl{level}pPr") for level in range(1, 10))


def _table_styles() -> str:
    """Return the firm's table styles.

    One has no boxes, a hairline between rows, small coloured heads, a firm last line. In the other each row is a card.
    """
    hairline = (
        '<a:ln w="9525"><a:solidFill><a:schemeClr val="lt2"><a:lumMod val="88000"/></a:schemeClr></a:solidFill></a:ln>'
    )
    firm = f'<a:ln w="15875">{solid("accent1")}</a:ln>'
    total = f'<a:ln w="12700">{solid("dk2")}</a:ln>'

    gap = f'<a:ln w="{emu(CARDS_GAP)}">{solid("lt2")}</a:ln>'
    gaps = "".join(f"<a:{edge}>{gap}</a:{edge}>" for edge in ("top", "bottom", "insideH"))

    def region(name: str, text: str, borders: str, fill: str = "<a:noFill/>") -> str:
        return (
            f"<a:{name}><a:tcTxStyle{text}</a:tcTxStyle><a:tcStyle><a:tcBdr>{borders}</a:tcBdr><a:fill>{fill}</a:fill>"
            f"</a:tcStyle></a:{name}>"
        )

    font = '<a:fontRef idx="minor"/>'
    return (
        f'<a:tblStyleLst xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" def="{TABLE_STYLE}">'
        f'<a:tblStyle styleId="{TABLE_STYLE}" styleName="Nordlys">'
        + region("wholeTbl", f'>{font}<a:schemeClr val="dk1"/>', f"<a:insideH>{hairline}</a:insideH>")
        + region("lastRow", f' b="on">{font}<a:schemeClr val="dk2"/>', f"<a:top>{total}</a:top>")
        + region("firstRow", f' b="on">{font}<a:schemeClr val="accent1"/>', f"<a:bottom>{firm}</a:bottom>")
        + f'</a:tblStyle><a:tblStyle styleId="{CARDS_STYLE}" styleName="Nordlys cards">'
        + region("wholeTbl", f'>{font}<a:schemeClr val="dk1"/>', gaps, solid("lt1"))
        + "</a:tblStyle></a:tblStyleLst>"
    )


_CORE_PROPERTIES = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>Annual review</dc:title>'
    "<dc:creator>Nordlys Rådgivning</dc:creator><dc:language>en-GB</dc:language>"
    '<dcterms:created xsi:type="dcterms:W3CDTF">2025-01-01T00:00:00Z</dcterms:created>'
    '<dcterms:modified xsi:type="dcterms:W3CDTF">2025-01-01T00:00:00Z</dcterms:modified></cp:coreProperties>'
)
_APP_PROPERTIES = (
    '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">'
    "<Application>Microsoft Office PowerPoint</Application></Properties>"
)
