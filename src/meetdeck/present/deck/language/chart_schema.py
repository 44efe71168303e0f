"""The JSON Schema of the members of a chart's data."""

from collections.abc import Mapping
from typing import Final

from meetdeck.present.deck.language.colors import COLOR_SCHEMA

_COLOR: Final[Mapping[str, object]] = {**COLOR_SCHEMA, "type": ["string", "null"]}
_NUMBERS: Final[Mapping[str, object]] = {"type": "array", "items": {"type": ["number", "string", "null"]}}
_BOUND: Final[Mapping[str, object]] = {
    "type": ["number", "string", "null"],
    "description": "A number, or a date on an axis of dates; null is automatic.",
}
_AXIS: Final[Mapping[str, object]] = {
    "type": ["object", "null"],
    "properties": {
        "min": _BOUND,
        "max": _BOUND,
        "step": {"type": ["number", "string", "null"], "description": "The distance between the marks."},
        "title": {"type": ["string", "number", "null"], "description": "The axis' title; null for none."},
    },
}
_SERIES: Final[Mapping[str, object]] = {
    "type": "object",
    "properties": {
        "name": {"type": ["string", "number", "null"]},
        "values": {**_NUMBERS, "description": "A number for each category; null is a gap."},
        "x": {"type": "array", "description": "For points, their x; dates if the template's axis has dates."},
        "y": {**_NUMBERS, "description": "The same as values."},
        "size": {**_NUMBERS, "description": "For bubbles, their size."},
        "labels": {"type": ["array", "null"], "description": "A text for each point; null for none."},
        "subtotals": {
            "type": ["array", "null"],
            "description": "For a waterfall, the totals: names of categories, or places from 0.",
            "items": {"type": ["string", "integer"]},
        },
        "color": _COLOR,
        "colors": {
            "type": ["array", "object", "null"],
            "description": "Colors of points: by place, or by the names of categories or labels.",
            "items": _COLOR,
            "additionalProperties": _COLOR,
        },
        "negative": {**_COLOR, "description": "The color of values below 0, written like color."},
    },
}
CHART_MEMBERS: Final[Mapping[str, object]] = {
    "categories": {
        "type": ["array", "object"],
        "description": "A name for each value; of several levels: lists of names, outermost first, or an object of "
        "groups.",
    },
    "series": {"type": "array", "items": _SERIES},
    "differences": {
        "type": ["array", "null"],
        "description": "Arrows between two columns, with the difference.",
        "items": {
            "type": "object",
            "properties": {
                "from": {"type": ["string", "number"], "description": "A category."},
                "to": {"type": ["string", "number"], "description": "Another category."},
                "as": {"enum": ["percent", "absolute", "cagr"]},
                "series": {"type": ["string", "null"], "description": "The name of a series, or Total."},
            },
        },
    },
    "totals": {"type": ["boolean", "null"], "description": "Show the sum of each stacked column or bar."},
    "axes": {
        "type": ["object", "null"],
        "description": "Bounds, steps and titles of axes.",
        "properties": dict.fromkeys(("value", "category", "secondValue", "x", "y"), _AXIS),
    },
}
