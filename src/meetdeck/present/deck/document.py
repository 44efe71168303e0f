"""Find the presentation in a package, and say helpfully what else the file is."""

from typing import Final

from meetdeck.present.deck.findings import Finding, error
from meetdeck.present.deck.markup import P
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.relationships import OFFICE_DOCUMENT, STRICT_OFFICE_DOCUMENT

_MAIN: Final = "application/vnd.openxmlformats-officedocument.presentationml.{}.main+xml"
PRESENTATION_TYPE: Final = _MAIN.format("presentation")
# A template or slide show differs from a presentation by its type alone; decks are presentations.
ACCEPTED_TYPES: Final = frozenset({PRESENTATION_TYPE, _MAIN.format("template"), _MAIN.format("slideshow")})
_MACROS_TYPE: Final = "application/vnd.ms-office.vbaProject"


def find_document(package: Package) -> str | None:
    """Return the presentation part's name; None, with a finding, when the file holds no presentation we accept."""
    by_type = {relationship.type: relationship.part for relationship in package.relationships("")}
    document = by_type.get(OFFICE_DOCUMENT)
    kind = package.content_type(document) if document else ""
    if "macroEnabled" in kind or any(package.content_type(name) == _MACROS_TYPE for name in package.names):
        message = "The file holds macros, which are refused. Save it as PowerPoint Presentation (.pptx)."
        package.findings.append(error("macros", message))
        return None
    if kind not in ACCEPTED_TYPES:
        package.findings.append(_explain(kind, strict=STRICT_OFFICE_DOCUMENT in by_type))
        return None
    return document if document and _is_presentation(package, document) else None


def _is_presentation(package: Package, document: str) -> bool:
    root = package.parse(document)
    if root is not None and root.tag != P + "presentation":
        message = f"The part {document!r} should be a presentation and is not. Save the file again in PowerPoint."
        package.findings.append(error("broken-xml", message, part=document))
        return False
    return root is not None


def _explain(kind: str, *, strict: bool) -> Finding:
    if strict:
        return error(
            "strict-ooxml",
            "The file is in the Strict Open XML format, which is not read. In PowerPoint, save it as PowerPoint "
            "Presentation (.pptx), not as Strict Open XML Presentation.",
        )
    if "wordprocessingml" in kind or "spreadsheetml" in kind:
        name = "Word document" if "wordprocessingml" in kind else "Excel workbook"
        return error("not-a-presentation", f"The file is a {name}, not a PowerPoint presentation (.pptx).")
    return error("not-a-presentation", "The file holds no PowerPoint presentation. Save it as .pptx in PowerPoint.")
