"""The tags in the cells of a chart's workbook, in the other spelling."""

from meetdeck.present.deck.conversion.texts import Report, respell_carriers
from meetdeck.present.deck.errors import TemplateError
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.spelling import Spelling, respell, rewrite
from meetdeck.present.deck.limits import Limits
from meetdeck.present.deck.opc.package import Package, read_package
from meetdeck.present.deck.opc.packed import pack
from meetdeck.present.deck.opc.xml import Element, serialize
from meetdeck.present.deck.opc.zipwrite import ZipWriter


def respell_workbook(data: bytes, to: Spelling, limits: Limits, report: Report) -> bytes | None:
    """Return a workbook with the tags of its cells in the other spelling; None when nothing in it changes.

    A table's columns must be named like its header cells, so both are converted alike.
    """
    try:
        package = read_package(data, [], limits)
    except TemplateError:
        return None
    changed: dict[str, bytes] = {}
    for part in package.names:
        if part.lower().startswith("xl/") and part.lower().endswith(".xml"):
            root = package.parse(part)
            if root is not None and part in package.tagged and _respell_part(root, to, report):
                changed[part] = serialize(root)
    return rewrite_package(package, changed) if changed else None


def _respell_part(root: Element, to: Spelling, report: Report) -> bool:
    place = Place("", 0, "workbook")
    items = [*root.iterchildren("{*}si"), *root.iter("{*}is")]
    carriers = ([*item.iterchildren("{*}t"), *item.findall("{*}r/{*}t")] for item in items)
    changes = [respell_carriers(found, to, place, report) for found in carriers]
    for column in root.iter("{*}tableColumn"):
        name = column.get("name", "") or ""
        changes.append(rewrite(name, respell(name, to)) != name)
        column.set("name", rewrite(name, respell(name, to)))
    return any(changes)


def rewrite_package(package: Package, changed: dict[str, bytes]) -> bytes:
    """Return a package's file with some parts changed; all others keep their compressed bytes."""
    writer = ZipWriter(package.limits.deck_bytes)
    for name in package.names:
        writer.add(name, pack(changed[name]) if name in changed else package.packed(name))
    return writer.finish()
