"""Presentations as Strict Open XML (ISO/IEC 29500-1), made of Transitional ones as PowerPoint saves them."""

import io
import re
import zipfile
from collections.abc import Callable
from typing import Final

_NAMESPACE: Final = re.compile(
    r"""(?<=")http://schemas\.openxmlformats\.org/(presentationml|drawingml|officeDocument|spreadsheetml|schemaLibrary)"""
    r"""/2006/([\w-]+)((?:/[\w-]+)*)(?=")"""
)
_WORDS: Final = {"extended-properties": "extendedProperties", "custom-properties": "customProperties"}
_CUSTOM_XML: Final = re.compile(r"(?:.*/)?customxml/item\d*\.xml", re.IGNORECASE)
_ROOT: Final = re.compile(r"<((?:\w+:)?(?:presentation|workbook))(?=[ >])")
_COLOR_CHANGES: Final = "alpha|alphaMod|alphaOff|lumMod|lumOff|lum|tint|shade|satMod|satOff|sat|hueMod"
# Element and attribute of percentages, in thousandths: ECMA-376 part 1, 22.9.2.9 and what refers to it.
_THOUSANDTHS: Final = (
    (f"(?:{_COLOR_CHANGES}|spcPct|buSzPct|tmPct)", "val"),
    ("gs", "pos"),
    ("(?:srcRect|fillRect|fillToRect|tileRect)", "[ltrb]"),
    ("normAutofit", "(?:fontScale|lnSpcReduction)"),
    ("(?:rPr|defRPr|endParaRPr)", "baseline"),
    ("(?:outerShdw|tile|reflection)", "(?:s[xy]|stA|stPos|endA|endPos)"),
    ("alphaModFix", "amt"),
    ("lum", "(?:bright|contrast)"),
    ("(?:restoredLeft|restoredTop)", "sz"),
    ("tav", "tm"),
    ("cTn", "(?:accel|decel|spd)"),
    ("cMediaNode", "vol"),
    ("ds", "(?:d|sp)"),
)
_HUNDREDTHS: Final = "overlap|gapWidth|holeSize|bubbleScale|hPercent|lblOffset|depthPercent|gapDepth|secondPieSize"


def make_strict(pptx: bytes) -> bytes:
    """Return a presentation as Strict Open XML, with its workbooks."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(pptx)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(name, _translate(name, source.read(name)))
    return out.getvalue()


def _translate(name: str, content: bytes) -> bytes:
    if name.lower().endswith(".xlsx"):
        return make_strict(content)
    if not name.lower().endswith((".xml", ".rels")) or _CUSTOM_XML.fullmatch(name) or name == "[Content_Types].xml":
        return content
    text = _NAMESPACE.sub(_rename, content.decode())
    if name.lower().endswith(".rels"):
        return text.encode()
    text = _ROOT.sub(r'<\1 conformance="strict"', text, count=1)
    for element, attribute in _THOUSANDTHS:
        text = _change(text, element, attribute, lambda number: f"{number / 1000:g}%")
    return _change(text, f"(?:{_HUNDREDTHS})", "val", lambda number: f"{number}%").encode()


def _rename(match: re.Match[str]) -> str:
    subject, word, further = match.groups()
    names = "/".join(_WORDS.get(one, one) for one in further.split("/"))
    return f"http://purl.oclc.org/ooxml/{subject}/{_WORDS.get(word, word)}{names}"


def _change(text: str, element: str, attribute: str, write: Callable[[int], str]) -> str:
    """Convert the numbers in an attribute of an element."""
    inside = re.compile(rf'(?<=\s)({attribute})="(-?\d+)"')

    def change(tag: re.Match[str]) -> str:
        return inside.sub(lambda found: f'{found[1]}="{write(int(found[2]))}"', tag[0])

    return re.sub(rf"<(?:\w+:)?{element}\s[^<>]*>", change, text)
