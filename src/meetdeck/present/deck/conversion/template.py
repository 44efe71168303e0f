"""Converts a template into the other spelling of the language: the same decks, and a list of changes."""

from typing import NamedTuple

from meetdeck.present.deck.compile.content_types import FOREIGN_DATA, WORKBOOK, part_kind
from meetdeck.present.deck.compile.marking.links import tagged_address
from meetdeck.present.deck.conversion.texts import Report, respell_texts
from meetdeck.present.deck.conversion.workbook import respell_workbook, rewrite_package
from meetdeck.present.deck.errors import TemplateError
from meetdeck.present.deck.findings import Finding, Place, has_errors
from meetdeck.present.deck.language.brackets import encode_address
from meetdeck.present.deck.language.spelling import Respelling, Spelling, respell, rewrite
from meetdeck.present.deck.limits import DEFAULT_LIMITS, Limits
from meetdeck.present.deck.opc.package import Package, is_office_xml, read_package
from meetdeck.present.deck.opc.relationships import OWNED, relationships_name
from meetdeck.present.deck.opc.xml import serialize
from meetdeck.present.deck.presentation.document import get_document
from meetdeck.present.deck.presentation.slides import read_slides


class Change(NamedTuple):
    """A tag of the template: `text` is its new text, empty for an unchanged one, explained by `reason`."""

    slide: str
    place: Place
    source: str
    text: str
    reason: str


class Conversion(NamedTuple):
    """A converted template's file, and its tags that were in the other spelling before, slide by slide."""

    content: bytes
    changes: tuple[Change, ...]


def convert_template(data: bytes, to: Spelling, limits: Limits = DEFAULT_LIMITS) -> Conversion:
    """Return a template with its tags in one spelling, as far as that spelling allows.

    Unchanged parts keep their bytes. Raises TemplateError for a file that cannot be read.
    """
    findings: list[Finding] = []
    package = read_package(data, findings, limits)
    slides = _slides_by_part(package)
    conversion = _Converter(package, to)
    for name in [*slides, *(name for name in package.names if name not in slides)]:
        conversion.convert(name, slides.get(name, ""))
    if has_errors(findings):
        raise TemplateError(findings)
    content = rewrite_package(package, conversion.changed) if conversion.changed else data
    return Conversion(content, tuple(conversion.changes))


def _slides_by_part(package: Package) -> dict[str, str]:
    """Return the names of the slides by their own parts, slide by slide."""
    owners: dict[str, str] = {}
    for slide in read_slides(package, get_document(package)):
        queue = [slide.part]
        for part in queue:
            owners.setdefault(part, slide.name)
            related = (one.part for one in package.relationships(part) if one.part and one.type in OWNED)
            queue += (target for target in related if target not in owners and target not in queue)
    return owners


class _Converter:
    """A package under conversion."""

    def __init__(self, package: Package, to: Spelling) -> None:
        self.changed: dict[str, bytes] = {}
        self.changes: list[Change] = []
        self._package = package
        self._to: Spelling = to

    def convert(self, part: str, slide: str) -> None:
        """Convert one part, of a slide or shared, and the addresses that it links to."""
        package, content_type = self._package, self._package.content_type(part)
        report = self._reporter(slide)
        if is_office_xml(content_type) and content_type not in FOREIGN_DATA:
            root = package.parse(part)
            if root is not None and part in package.tagged:
                before = len(self.changes)
                respell_texts(root, self._to, part_kind(content_type), report)
                if any(change.text for change in self.changes[before:]):
                    self.changed[part] = serialize(root)
            self._convert_addresses(part, report)
        elif content_type == WORKBOOK and slide:
            data = package.read(part)
            converted = respell_workbook(data, self._to, package.limits, report) if data else None
            if converted:
                self.changed[part] = converted

    def _reporter(self, slide: str) -> Report:
        def report(place: Place, one: Respelling) -> None:
            self.changes.append(Change(slide, place, one.source, one.text, one.reason))

        return report

    def _convert_addresses(self, part: str, report: Report) -> None:
        addresses = {one.id: tagged_address(one) for one in self._package.relationships(part)}
        name = self._package.find_name(relationships_name(part))
        root = self._package.parse(name) if name and any(addresses.values()) else None
        if root is None or name is None:
            return
        before = len(self.changes)
        for element in root.iter("{*}Relationship"):
            if address := addresses.get(element.get("Id", "") or ""):
                text = address.replace("%20", " ")
                respelled = respell(text, self._to)
                for one in respelled:
                    report(Place("", 0, "hyperlink address"), one)
                if any(one.text for one in respelled):
                    element.set("Target", encode_address(rewrite(text, respelled)))
        if any(change.text for change in self.changes[before:]):
            self.changed[name] = serialize(root)
