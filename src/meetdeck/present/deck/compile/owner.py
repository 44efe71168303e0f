"""The slide that parts belong to while these are compiled."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.syntax import Directive
from meetdeck.present.deck.program.scope import Program


@dataclass(slots=True)
class Owner:
    """The slide that owns parts, and the facts about them that several parts need.

    `slide_id` is p:sldId/@id, `index` the slide's place in the template. `parts` are numbered by name, the slide 0.
    `replaced` are the ids of the slide's relationships to pictures that the data replaces; `charts` the directives by
    chart part; `workbooks` the programs of charts' workbooks, None for one that goes; `guards` the shapes without which
    a part is not needed; `creation_id` the slide's own as written.
    """

    slide: str
    slide_id: int
    index: int
    parts: Mapping[str, int]
    replaced: frozenset[str] = frozenset()
    directives: list[Directive] = field(default_factory=list[Directive])
    charts: dict[str, tuple[Directive, Place]] = field(default_factory=dict[str, tuple[Directive, Place]])
    workbooks: dict[str, Program | None] = field(default_factory=dict[str, Program | None])
    guards: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    creation_id: str | None = None
