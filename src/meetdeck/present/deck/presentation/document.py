"""The presentation part of a package, and errors that name the kind of any other file."""

from typing import Final, NamedTuple

from meetdeck.present.deck.errors import TemplateError
from meetdeck.present.deck.findings import Finding, error
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.relationships import OFFICE_DOCUMENT
from meetdeck.present.deck.opc.xml import Element, P

_MAIN: Final = "application/vnd.openxmlformats-officedocument.presentationml.{}.main+xml"
PRESENTATION_TYPE: Final = _MAIN.format("presentation")
# A template or slide show differs from a presentation by its type alone; decks are presentations.
ACCEPTED_TYPES: Final = frozenset({PRESENTATION_TYPE, _MAIN.format("template"), _MAIN.format("slideshow")})
_MACROS_TYPE: Final = "application/vnd.ms-office.vbaProject"


class Document(NamedTuple):
    """The presentation part of a package: its name and its tree."""

    part: str
    root: Element


def get_document(package: Package) -> Document:
    """Return the presentation. Raises `TemplateError`, with a finding, for a file without an accepted one."""
    name = _find_part(package)
    root = package.parse(name) if name else None
    if name and root is not None and root.tag != P + "presentation":
        message = f"The part {name!r} should be a presentation and is not. Save the file again in PowerPoint."
        package.findings.append(error("broken-xml", message, part=name))
    elif name and root is not None:
        return Document(name, root)
    raise TemplateError(package.findings)


def _find_part(package: Package) -> str | None:
    by_type = {relationship.type: relationship.part for relationship in package.relationships("")}
    part = by_type.get(OFFICE_DOCUMENT)
    kind = package.content_type(part) if part else ""
    if "macroEnabled" in kind or any(package.content_type(name) == _MACROS_TYPE for name in package.names):
        message = "The file holds macros, which are refused. Save it as PowerPoint Presentation (.pptx)."
        package.findings.append(error("macros", message))
        return None
    if kind not in ACCEPTED_TYPES:
        package.findings.append(_explain(kind))
        return None
    return part


def _explain(kind: str) -> Finding:
    if "wordprocessingml" in kind or "spreadsheetml" in kind:
        name = "Word document" if "wordprocessingml" in kind else "Excel workbook"
        return error("not-a-presentation", f"The file is a {name}, not a PowerPoint presentation (.pptx).")
    return error("not-a-presentation", "The file holds no PowerPoint presentation. Save it as .pptx in PowerPoint.")
