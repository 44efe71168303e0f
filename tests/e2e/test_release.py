"""A release: the same bytes from two builds, checksums of all its files, and an SBOM of what an operator gets."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from tools import release

pytestmark = pytest.mark.thorough

EPOCH = "1764374400"
"""Some time: tests also run before all is committed."""
VERSION = release.read_version()
_LINES = re.compile(r"[-_.]+")
_EVERYWHERE = r"^(\S+==\S+) \\$"
_SOMEWHERE = r"^(\S+==\S+) ;"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a release; two builds that differ end it."""
    folder = tmp_path_factory.mktemp("release")
    release.build_release(folder, EPOCH)
    return folder


def test_it_has_every_file_with_its_checksum(folder: Path) -> None:
    checked = subprocess.run(
        ["/usr/bin/env", "sha256sum", "--check", "--strict", "SHA256SUMS"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    expected = {
        f"meetdeck-{VERSION}-py3-none-any.whl",
        f"meetdeck-{VERSION}.tar.gz",
        f"meetdeck-{VERSION}.cdx.json",
        f"meetdeck_client-{VERSION}-py3-none-any.whl",
        f"meetdeck-client-{VERSION}.tgz",
        f"meetdeck-{VERSION}-v2.postman_collection.json",
        f"meetdeck-{VERSION}-v3.postman_collection.json",
        "RELEASE-NOTES.md",
        "requirements.lock",
    }
    assert {line.removesuffix(": OK") for line in checked.stdout.splitlines()} == expected
    assert {path.name for path in folder.iterdir()} == {*expected, "SHA256SUMS"}


def test_the_sbom_lists_what_the_lock_installs_and_no_place_of_this_machine(folder: Path) -> None:
    written = (folder / f"meetdeck-{VERSION}.cdx.json").read_text(encoding="utf-8")
    assert "file:" not in written
    document = json.loads(written)
    product = document["metadata"]["component"]
    assert (document["bomFormat"], product["name"], product["version"]) == ("CycloneDX", "meetdeck", VERSION)
    listed = {f"{_LINES.sub('-', each['name']).lower()}=={each['version']}" for each in document["components"]}
    lock = (folder / "requirements.lock").read_text(encoding="utf-8")
    everywhere, somewhere = (set(re.findall(form, lock, re.MULTILINE)) for form in (_EVERYWHERE, _SOMEWHERE))
    assert everywhere
    assert everywhere <= listed <= everywhere | somewhere


def test_builds_that_differ_are_named(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder, byte in ((one, b"1"), (other, b"2")):
        folder.mkdir()
        (folder / "same.whl").write_bytes(b"0")
        (folder / "differs.whl").write_bytes(byte)
    (one / "alone.tgz").write_bytes(b"0")
    assert release.list_differences(one, other) == ["alone.tgz", "differs.whl"]
