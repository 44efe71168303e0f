"""The fields of a form as its page shows them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from meetdeck.pages.console.decks.data_forms import CLOCK, COUNT, Node, count_items
from meetdeck.pages.console.slide_templates.listing import Tag


class DataField(NamedTuple):
    """A field, a group of fields, or a list: `items` are the fields of each item, with the item's pointer."""

    node: Node
    pointer: str
    text: str = ""
    error: str = ""
    clock: str = ""
    slide: str = ""
    """The first slide that shows the value; empty: the master."""
    members: tuple["DataField", ...] = ()
    items: tuple[tuple[str, tuple["DataField", ...]], ...] = ()


class FilledForm(NamedTuple):
    """The values of a form: texts and errors by pointer, slides by tag name."""

    texts: Mapping[str, str]
    errors: Mapping[str, str]
    slides: Mapping[str, str]


def show_fields(nodes: Sequence[Node], filled: FilledForm, pointer: str = "", tag: str = "") -> tuple[DataField, ...]:
    """Return the fields of a form; `pointer` is their path in the data, `tag` in the names of tags."""
    return tuple(
        _show(node, filled, f"{pointer}/{node.name}", f"{tag}.{node.name}" if tag else node.name) for node in nodes
    )


def _show(node: Node, filled: FilledForm, pointer: str, tag: str) -> DataField:
    shown = DataField(
        node,
        pointer,
        filled.texts.get(pointer, ""),
        filled.errors.get(pointer, ""),
        filled.texts.get(pointer + CLOCK, ""),
        filled.slides.get(tag, ""),
    )
    if node.kind == "group":
        return shown._replace(members=show_fields(node.members, filled, pointer, tag))
    if node.kind == "list":
        items = tuple(
            (f"{pointer}/{place}", show_fields(node.members, filled, f"{pointer}/{place}", f"{tag}[]"))
            for place in range(count_items(filled.texts, pointer))
        )
        return shown._replace(text=filled.texts.get(pointer + COUNT, "0"), items=items)
    return shown


def find_slides(tags: Sequence[Tag]) -> dict[str, str]:
    """Return the first slide with each tag, by the tag's name."""
    return {tag.name: tag.occurrences[0].slide for tag in tags if tag.occurrences}
