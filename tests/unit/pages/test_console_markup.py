"""The console's templates and scripts keep the Content-Security-Policy without exceptions."""

import re
from pathlib import Path

import pytest

CONSOLE = Path(__file__).parents[3] / "src/meetdeck/pages/console"
TEMPLATES = sorted((CONSOLE / "templates").glob("*.html"))
SCRIPTS = sorted((CONSOLE / "static").glob("*.js"))
FORBIDDEN = {
    "hx-on": r"\bhx-on\b",
    "code in an attribute": r"\bjs:|javascript:",
    "a handler in the markup": r"\son\w+\s*=",
    "a style in the markup": r"\sstyle\s*=|<style",
    "a script in the markup": r"<script(?![^>]*\ssrc=)",
}


def find_in(files: list[Path], pattern: str) -> dict[str, list[str]]:
    """Return what a pattern finds in files, by their names."""
    assert files
    found = {file.name: re.findall(pattern, file.read_text(encoding="utf-8"), re.IGNORECASE) for file in files}
    return {name: places for name, places in found.items() if places}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_template_needs_an_exception(what: str) -> None:
    assert find_in(TEMPLATES, FORBIDDEN[what]) == {}


def test_no_script_makes_code_of_texts() -> None:
    assert find_in(SCRIPTS, r"\beval\(|new Function\b|hx-on|js:|innerHTML\s*=") == {}


@pytest.mark.parametrize(
    "markup", ['<b hx-on:click="x">', '<a href="js:x">', '<a onclick="x">', '<p style="x">', "<script>x</script>"]
)
def test_each_of_them_would_be_found(markup: str) -> None:
    assert any(re.findall(pattern, markup) for pattern in FORBIDDEN.values())
