"""Generated clients work without a thought: made by the page, type-checked, and walked with through a service.

The short form is of v3 and two generators, as locked. `make clients` (MEETDECK_CLIENTS=all) is of both versions and all
four, each in an empty folder by the page's own install lines: v3 with the machine's Node, v2 with the project's.
"""

import json
import os
from itertools import product
from pathlib import Path
from typing import Any

import httpx
import pytest

from clients.generators import GENERATORS, OWN_NODE, Generator, Workshop, find_missing, find_readers_node, lint
from meetdeck.demo.seed import TEMPLATE_FILE
from meetdeck.present.render.renderer import find_office
from support.installation import Installation

pytestmark = pytest.mark.thorough

_ALL = os.environ.get("MEETDECK_CLIENTS") == "all"
_SHORT = [(GENERATORS["python"], "v3"), (GENERATORS["openapi-fetch"], "v3")]
_CHOSEN = list(product(GENERATORS.values(), ["v3", "v2"])) if _ALL else _SHORT

# The contract's own addresses: after `service-groups`, `employee` could be a group's id. The word is read first.
_AMBIGUOUS = {
    f"/api/v3/booking/config/service-groups/{{groupId}}/{last}"
    for last in ("advisors", "service-level", "service-trigger")
}
_ONLY_IN_FULL = pytest.mark.skipif(not _ALL, reason="the linters are part of `make clients`")


@pytest.fixture(scope="module")
def service(shared_installation: Installation) -> dict[str, str]:
    """Start a service with demo data; return what the page's files read from the environment."""
    address = shared_installation.start()
    written: dict[str, Any] = json.loads((shared_installation.data_dir / "dev-credentials.json").read_text())
    tenant = written["tenants"][0]
    environment = {
        "MEETDECK": address,
        "MEETDECK_KEY": tenant["subscriptionKey"],
        "MEETDECK_CLIENT_ID": tenant["clients"][0]["clientId"],
        "MEETDECK_CLIENT_SECRET": tenant["clients"][0]["clientSecret"],
        "MEETDECK_TEMPLATE": str(TEMPLATE_FILE),
    }
    return environment if find_office() is not None else environment | {"MEETDECK_NO_RENDERER": "yes"}


@pytest.mark.parametrize(
    ("generator", "version"), _CHOSEN, ids=[f"{generator.name}-{version}" for generator, version in _CHOSEN]
)
def test_a_client_made_by_the_page_has_sound_types_and_walks_the_whole_journey(
    generator: Generator, version: str, service: dict[str, str], tmp_path: Path
) -> None:
    if not _ALL and (missing := find_missing(generator)) is not None:
        pytest.skip(missing)
    node = find_readers_node() if version == "v3" else OWN_NODE
    workshop = Workshop(tmp_path, generator, version, service, node=node if _ALL else None)
    printed = workshop.generate()
    assert "unsupported" not in printed.lower()
    if version == "v2":
        (tmp_path / f"configuring{generator.suffix}").unlink()
    workshop.check_types()
    assert "Anna Holm" in workshop.walk("example")
    assert (tmp_path / "deck.pptx").read_bytes().startswith(b"PK")
    assert "walked: a template, a deck, its PDF, a meeting" in workshop.walk("presenting_and_booking")
    if version == "v3":
        assert "walked: a group, a portal, a setting" in workshop.walk("configuring")


@pytest.fixture(params=["v3", "v2"])
def document(request: pytest.FixtureRequest, service: dict[str, str], tmp_path: Path) -> Path:
    """Write a version's document, as the service has it, to a file."""
    path = tmp_path / f"{request.param}.json"
    path.write_bytes(httpx.get(f"{service['MEETDECK']}/api/{request.param}/openapi.json", timeout=60).content)
    return path


@_ONLY_IN_FULL
def test_redocly_says_nothing_but_of_the_contracts_own_addresses(document: Path) -> None:
    said = json.loads(lint("redocly", document, "--format", "json"))
    problems = {(one["ruleId"], one["location"][0]["pointer"]) for one in said["problems"]}
    pointers = {f"#/paths/{path.replace('/', '~1')}" for path in _AMBIGUOUS if document.stem == "v3"}
    assert problems == {("no-ambiguous-paths", pointer) for pointer in pointers}


@_ONLY_IN_FULL
def test_spectral_says_nothing(document: Path) -> None:
    said, _ = json.JSONDecoder().raw_decode(lint("spectral", document, "--format", "json"))
    assert said == []
