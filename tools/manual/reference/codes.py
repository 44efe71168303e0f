"""The reference pages of error codes and of findings, as Markdown made from the classes and calls that have them."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Final, NamedTuple

from tools.manual.reference.document import Operation, Place, find_places

import meetdeck.present.deck
from meetdeck.platform.errors import MeetdeckError
from meetdeck.platform.http.answers.problems import FRAMEWORK_REFUSALS, STATUS_BY_KIND

_ENGINE: Final = Path(meetdeck.present.deck.__file__).parent
_SEVERITIES: Final = {
    "error": "Error",
    "_report": "Error",
    "_refuse": "Error",
    "_refusal": "Error",
    "warning": "Warning",
    "info": "Info",
    "report_value": "Warning",
    "UnresolvedReference": "Warning",
}
"""The constructors of findings with their severities; `TagFinding` and `Finding` get theirs as an argument."""
_TOLD: Final = frozenset({"TagFinding", "Finding"})
_MOST_OPERATIONS: Final = 12
_WORD: Final = re.compile(r"[A-Za-z]{2,}")
_FEWEST_WORDS: Final = 3
_PAGE: Final = re.compile(r" \(docs/[^)]*\)")
_OF_THE_SERVER: Final = {
    (400, "bad_request"): ["The HTTP layer refuses the request: a malformed form, or a body that ended early."],
    (404, "not_served"): ["This process does not serve this part of the API. Send the request to one that does."],
    (408, "request_timeout"): ["The request arrived too slowly."],
    (414, "uri_too_long"): ["The address of the request is too long."],
    (500, "internal_error"): ["A defect of Meetdeck. Report it with its `requestId`."],
}
"""Codes that no class of errors has."""


def write_error_codes(operations: Sequence[Operation]) -> str:
    """Return the page of all codes of refusals, by status, each with its meaning and the operations that answer it."""
    meanings, places = _read_meanings(), find_places([*operations])
    answered: dict[tuple[int, str], list[Operation]] = {}
    for operation in operations:
        for refusal in operation.refusals:
            for code in refusal.codes:
                answered.setdefault((int(refusal.status), code), []).append(operation)
    keys = sorted({*meanings, *answered})
    taken: set[str] = set()
    lines = [
        "# Error codes by status",
        "",
        "Every `code` of a refusal, by status. [Error codes](../api/error-codes.md) says what to do about each.",
    ]
    for status in sorted({status for status, _ in keys}):
        lines += ["", f"## {status} {HTTPStatus(status).phrase}"]
        for code in (code for number, code in keys if number == status):
            heading = f"`{code}`" if code not in taken else f"`{code}` ({status})"
            taken.add(code)
            told, by = meanings.get((status, code), []), answered.get((status, code), [])
            lines += ["", f"### {heading}", "", *_explain(told, by, places)]
    return "\n".join([*lines, ""])


def _explain(meanings: Sequence[str], operations: Sequence[Operation], places: Mapping[str, Place]) -> list[str]:
    lines = [" ".join(meanings)] if meanings else []
    if len(operations) == len(places):
        lines.append("Any operation can answer it.")
    elif len(operations) > _MOST_OPERATIONS:
        lines.append(f"{len(operations)} operations can answer it.")
    elif operations:
        lines.append(f"Answered by {', '.join(_link(one, places[one.name]) for one in operations)}.")
    return "\n\n".join(lines).splitlines()


def _link(operation: Operation, place: Place) -> str:
    return f"[{operation.summary}](api-v3/{place.page}.md#{place.anchor})"


def _read_meanings() -> Mapping[tuple[int, str], list[str]]:
    """Return the first sentence about each code, from the docstrings of the errors that have it."""
    found = {(int(status), code): [message] for status, (code, message) in FRAMEWORK_REFUSALS.items()} | _OF_THE_SERVER
    for kind in _list_errors(MeetdeckError):
        code = vars(kind).get("code")
        status = next((number for base, number in STATUS_BY_KIND.items() if issubclass(kind, base)), None)
        if isinstance(code, str) and status is not None and kind.__module__.startswith("meetdeck."):
            meaning = (kind.__doc__ or "").strip().partition("\n\n")[0]
            meanings = found.setdefault((int(status), code), [])
            if meaning and meaning not in meanings:
                meanings.append(" ".join(_PAGE.sub("", meaning).split()))
    return found


def _list_errors(kind: type[MeetdeckError]) -> Iterator[type[MeetdeckError]]:
    for each in kind.__subclasses__():
        yield each
        yield from _list_errors(each)


class _Found(NamedTuple):
    code: str
    severity: str
    message: str


def write_findings() -> str:
    """Return the page of all findings of templates and decks, by severity, each with the message that it has."""
    found: dict[str, dict[str, list[str]]] = {"Error": {}, "Warning": {}, "Info": {}}
    for path in sorted(_ENGINE.rglob("*.py")):
        for each in _find_findings(ast.parse(path.read_text(encoding="utf-8"))):
            messages = found[each.severity].setdefault(each.code, [])
            if each.message and each.message not in messages:
                messages.append(each.message)
    lines = [
        "# Finding codes",
        "",
        "The `code` and messages of every finding. [Findings](../templates/findings.md) says what to do.",
    ]
    taken: set[str] = set()
    for severity, codes in found.items():
        lines += ["", f"## {severity}"]
        for code, messages in sorted(codes.items()):
            lines += ["", f"### `{code}`{f' ({severity})' if code in taken else ''}", ""]
            lines += [f"- {message}" for message in messages] or ["The message names the fault."]
            taken.add(code)
    return "\n".join([*lines, ""])


def _find_findings(tree: ast.Module) -> Iterator[_Found]:
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        texts = _read_texts(function)
        for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            given = [(each, _read_text(each, texts)) for each in call.args]
            words = [text for node, text in given if isinstance(node, ast.Constant) and text]
            if name in _TOLD and len(words) > 1:
                yield _Found(words[1], words[0], _choose_message(given, words[:2]))
            elif name in _SEVERITIES and words and _is_code(words[0]):
                yield _Found(words[0], _SEVERITIES[name], _choose_message(given, words[:1]))


def _is_code(text: str) -> bool:
    return text.replace("-", "").isalnum() and text == text.lower()


def _choose_message(given: Sequence[tuple[ast.expr, str]], codes: Sequence[str]) -> str:
    """Return the first argument that is a sentence, escaped for Markdown."""
    sentences = (text for _, text in given if text not in codes and len(_WORD.findall(text)) >= _FEWEST_WORDS)
    message = next(sentences, "")
    return message.replace("\\", "\\\\").translate({ord(sign): f"\\{sign}" for sign in "<>*_[]`"})


def _read_texts(function: ast.FunctionDef) -> dict[str, str]:
    """Return the texts that a function gives to its variables, by their names."""
    return {
        node.targets[0].id: _read_text(node.value, {})
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }


def _read_text(node: ast.expr, texts: Mapping[str, str]) -> str:
    """Return a text of the source, in which a value that is filled in is an ellipsis; empty for anything else."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_read_text(part, texts) or "…" for part in parts)
        case ast.Name(id=name):
            return texts.get(name, "")
        case _:
            return ""
