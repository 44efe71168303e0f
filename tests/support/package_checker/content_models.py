"""Order and occurrence of child elements, from `content_models.txt`."""

import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

NAMESPACES: Final = {
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "x": "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
}
_PREFIXES: Final = {uri: prefix for prefix, uri in NAMESPACES.items()}
_RULE: Final = re.compile(r"(?P<name>%?[\w:]+)\s*(?:\[(?P<attributes>[^]]*)\])?\s*=\s*(?P<model>.*)")
_NAME: Final = re.compile(r"\w+:\w+")


class ContentModel(NamedTuple):
    """The content model of an element: `children` matches their names, each followed by a comma; None: anything."""

    children: re.Pattern[str] | None
    attributes: tuple[str, ...]
    source: str


def tag(name: str) -> str:
    """Return the parser's name of an element: `p:sp` is `{http://…/presentationml/2006/main}sp`."""
    prefix, _, local = name.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}"


@cache
def short_name(tag: str) -> str:
    """Return an element's name with the prefix of `NAMESPACES`, or unchanged without one of these."""
    uri, _, local = tag[1:].partition("}")
    prefix = _PREFIXES.get(uri)
    return f"{prefix}:{local}" if prefix else tag


def is_foreign(tag: str) -> bool:
    """Return whether an element belongs to an extension that the models do not know."""
    return tag[1:].partition("}")[0] not in _PREFIXES


@cache
def find_model(tag: str) -> ContentModel | None:
    """Return the allowed children of an element, None for an unchecked element."""
    rule = _rules().get(short_name(tag))
    if rule is None:
        return None
    attributes, model = rule
    if model == "ANY":
        return ContentModel(None, attributes, model)
    pattern = _NAME.sub(lambda name: f"(?:{name[0]},)", model)
    return ContentModel(re.compile(pattern, re.VERBOSE), attributes, model)


@cache
def fits(tag: str, children: tuple[str, ...]) -> bool:
    """Return whether an element may hold these children in this order."""
    model = find_model(tag)
    if model is None or model.children is None:
        return True
    return model.children.fullmatch("".join(f"{short_name(child)}," for child in children)) is not None


@cache
def _rules() -> dict[str, tuple[tuple[str, ...], str]]:
    rules: dict[str, tuple[tuple[str, ...], str]] = {}
    macros: dict[str, str] = {}
    for line in Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines():
        rule = _RULE.fullmatch(line.strip())
        if rule is None or line.startswith("#"):
            continue
        model = re.sub(r"%\w+", lambda name: macros[name[0]], rule["model"])
        if rule["name"].startswith("%"):
            macros[rule["name"]] = model
        else:
            rules[rule["name"]] = (tuple((rule["attributes"] or "").split()), model)
    return rules
