"""Texts of the API reach a page only by its catalogue."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import meetdeck
from meetdeck.pages.console.slide_templates.finding_words import SENTENCES, describe_finding
from meetdeck.pages.texts import LANGUAGES, get_texts

SOURCES = Path(meetdeck.__file__).parent
CONSOLE = SOURCES / "pages/console"
# Answers whose texts are said again before a page sees them, and what pages say themselves.
TOLD = {"_Problem", "Reason", "Start", "_Reason", "_Start", "FieldError", "Notice", "Stretch", "Failure", "_Conflict"}
CODE = re.compile(r"[a-z]+(-[a-z]+)+|macros|compression|covers|overflow")
MAKERS = {"error", "warning", "info", "TagFinding", "_error", "_warning", "Finding"}


def list_finding_codes() -> Iterator[str]:
    """Yield the codes that the deck engine gives its findings."""
    for path in (SOURCES / "present/deck").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in MAKERS:
                yield from (
                    each.value
                    for each in node.args[:2]
                    if isinstance(each, ast.Constant) and isinstance(each.value, str) and CODE.fullmatch(each.value)
                )


def test_each_code_of_a_finding_has_a_sentence() -> None:
    codes = set(list_finding_codes())
    assert len(codes) > 40
    assert codes <= set(SENTENCES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_finding_is_said_in_a_language(language: str) -> None:
    texts = get_texts(language)
    for code, sentence in SENTENCES.items():
        told = describe_finding(texts, {"code": code, "tag": "{{Nme}}", "suggestion": "{{Name}}"})
        assert "{{Nme}}" in told, code
        assert "{{Name}}" in told, code
        assert language == "en" or sentence not in told, code


def test_a_page_reads_no_detail_of_the_api_by_itself() -> None:
    found = {
        node.name
        for path in CONSOLE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
        for line in node.body
        if isinstance(line, ast.AnnAssign) and ast.unparse(line.target) == "detail"
    }
    assert found - TOLD == set()


def test_no_page_prints_the_message_of_a_finding() -> None:
    assert not [path.name for path in CONSOLE.rglob("*.html") if "finding.message" in path.read_text(encoding="utf-8")]
