"""All reference pages by name, in the order in which the navigation lists them."""

from collections.abc import Mapping

from tools.manual.markdown import Body, render
from tools.manual.reference import changes, codes, operations, running
from tools.manual.reference.document import list_operations
from tools.manual.sources import DOCS

from meetdeck.app import describe_api
from meetdeck.platform.values import Version


def make_reference() -> Mapping[str, Mapping[str, Body]]:
    """Return the reference pages by group and name."""
    documents = {version: describe_api(version) for version in Version}
    document = documents[Version.V3]
    v3 = operations.make_pages(Version.V3, document)
    v2 = operations.make_pages(Version.V2, documents[Version.V2])
    tables = {
        "api-changes": changes.write_api_changes({str(name): one for name, one in documents.items()}),
        "error-codes": codes.write_error_codes(list_operations(document)),
        "events": running.write_events(document, _find_types(v3)),
        "findings": codes.write_findings(),
        "settings": running.write_settings(),
        "commands": running.write_commands(),
        "metrics": running.write_metrics(),
    }
    made = {f"reference/{name}": render(f"reference/{name}", text, DOCS) for name, text in tables.items()}
    return {"By name": made, "API version 3": v3, "API version 2": v2}


def _find_types(pages: Mapping[str, Body]) -> dict[str, str]:
    """Return the page and anchor of each type, relative to the reference pages."""
    return {
        name: f"{page.removeprefix('reference/')}.md#type-{name.lower()}"
        for page, body in pages.items()
        for name in body.types
    }
