"""JSON Patch on translations: the path `/localizedName/da-DK` exists whether there is a text yet or not."""

from collections.abc import Sequence
from typing import cast

from meetdeck.platform.values import LanguageTagError, read_language_tag
from meetdeck.platform.values.patching.operations import (
    AddOperation,
    CopyOperation,
    MoveOperation,
    PatchOperation,
    RemoveOperation,
    ReplaceOperation,
    TestOperation,
)
from meetdeck.platform.values.patching.pointers import Json, PointerError, escape, locate, parse_pointer

_PREFIX = "localized"


def rewrite(main: str, document: Json, operation: PatchOperation) -> Sequence[PatchOperation]:
    """Return the operations that replace one whose path is a translation, or an object of translations.

    Tags are read in any case. An object of texts is merged into the existing one, or created; without it, all except
    the `main` language's text is removed. Removed texts become null, which distinguishes them for `texts` from those
    that are not named.
    """
    path, at = _read_path(operation.path)
    if isinstance(operation, MoveOperation | CopyOperation):
        return _rewrite_transfer(main, document, operation, path, at)
    if at is None or isinstance(operation, TestOperation):
        return [_at(operation, path)]
    if at == len(parse_pointer(path)) - 1:
        return [_rewrite_whole(main, document, operation, path)]
    if isinstance(operation, RemoveOperation):
        return [AddOperation(path, None)] if _find(document, path) is not None else [RemoveOperation(path)]
    return [*_make_object(document, path), AddOperation(path, operation.value)]


def _rewrite_transfer(
    main: str, document: Json, operation: MoveOperation | CopyOperation, path: str, at: int | None
) -> Sequence[PatchOperation]:
    from_, from_at = _read_path(operation.from_)
    made = _make_object(document, path) if at == len(parse_pointer(path)) - 2 else []
    if isinstance(operation, CopyOperation) or from_at is None or _find(document, from_) is None:
        return [*made, _at(operation, path, from_)]
    return [*made, CopyOperation(path, from_), *rewrite(main, document, RemoveOperation(from_))]


def _rewrite_whole(
    main: str, document: Json, operation: AddOperation | ReplaceOperation | RemoveOperation, path: str
) -> PatchOperation:
    """Return the operation on an object of texts as a whole."""
    before = _find(document, path)
    there = cast("dict[str, Json]", before) if isinstance(before, dict) else {}
    if isinstance(operation, RemoveOperation):
        return AddOperation(path, {tag: there[tag] if tag == main else None for tag in there}) if there else operation
    if not isinstance(operation.value, dict):
        return operation
    texts = cast("dict[str, Json]", operation.value)
    return AddOperation(path, there | {_read_tag(tag): text for tag, text in texts.items()})


def _make_object(document: Json, path: str) -> list[PatchOperation]:
    """Return the operation that creates an entry's object, if there is none."""
    above = path.rpartition("/")[0]
    return [] if _find(document, above) is not None else [AddOperation(above, {})]


def _at(operation: PatchOperation, path: str, from_: str = "") -> PatchOperation:
    match operation:
        case AddOperation() | ReplaceOperation() | TestOperation():
            return type(operation)(path, operation.value)
        case RemoveOperation():
            return RemoveOperation(path)
        case MoveOperation() | CopyOperation():
            return type(operation)(path, from_)


def _read_path(path: str) -> tuple[str, int | None]:
    """Return a path with its tag in canonical form, and the place of the object of texts among its tokens."""
    try:
        tokens = parse_pointer(path)
    except PointerError:
        return path, None
    at = next((place for place, token in enumerate(tokens) if token.startswith(_PREFIX)), None)
    if at is None:
        return path, None
    tokens[at + 1 : at + 2] = map(_read_tag, tokens[at + 1 : at + 2])
    return "/".join(map(escape, tokens)), at


def _read_tag(text: str) -> str:
    """Return a tag in canonical form; an invalid one unchanged, so that the result is refused."""
    try:
        return read_language_tag(text)
    except LanguageTagError:
        return text


def _find(document: Json, path: str) -> Json:
    """Return the value at a path, None if there is none."""
    try:
        return locate({"": document}, path).get()
    except PointerError:
        return None
