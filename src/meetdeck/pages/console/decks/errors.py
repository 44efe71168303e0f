"""Errors in a deck's data, each beside its field."""

import re
from typing import Final, NamedTuple

from meetdeck.pages.console.kit import ApiRefusal
from meetdeck.pages.texts import Texts

_OF_A_SLIDE: Final = re.compile(r"/slides/\d+/data")
_MOST_TOLD: Final = 40


class FieldError(NamedTuple):
    """An error: the pointer of its field (empty for none), what is wrong, and the same with the path of the field."""

    pointer: str
    detail: str
    summary: str


def find_errors(texts: Texts, refused: ApiRefusal, *, is_json: bool) -> list[FieldError]:
    """Return the errors by the pointers of the form's fields, once each; all beside the JSON if that is shown."""
    found: dict[str, FieldError] = {}
    for fault in refused.faults:
        pointer = _OF_A_SLIDE.sub("", fault.pointer)
        detail = texts.translate("There is no value yet.") if refused.code == "missing_values" else fault.detail
        way = " > ".join(pointer.strip("/").split("/"))
        found.setdefault(pointer, FieldError("json" if is_json else pointer, detail, f"{way}: {detail}"))
    if not found:
        return [FieldError("json" if is_json else "", refused.detail, refused.detail)]
    return list(found.values())[:_MOST_TOLD]


def describe_bad_json(texts: Texts, error: ValueError) -> FieldError:
    """Return the error for a text that is not a JSON object."""
    told = texts.translate("This is not a JSON object: {problem}", problem=str(error))
    return FieldError("json", told, told)
