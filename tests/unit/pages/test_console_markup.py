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


@pytest.mark.parametrize("what", FORBIDDEN)
@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_a_template_needs_no_exception(path: Path, what: str) -> None:
    assert not re.findall(FORBIDDEN[what], path.read_text(encoding="utf-8"), re.IGNORECASE)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_makes_no_code_of_texts(path: Path) -> None:
    assert not re.findall(r"\beval\(|new Function|hx-on|js:|innerHTML\s*=", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "markup", ['<b hx-on:click="x">', '<a href="js:x">', '<a onclick="x">', '<p style="x">', "<script>x</script>"]
)
def test_each_of_them_would_be_found(markup: str) -> None:
    assert any(re.findall(pattern, markup) for pattern in FORBIDDEN.values())
