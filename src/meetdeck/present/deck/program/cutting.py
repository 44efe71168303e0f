"""Programs that run again and again: for copies of a slide, for items of a list, in deck after deck."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from types import MappingProxyType
from typing import Final

from meetdeck.present.deck.program.scope import Node, Program, RepeatedProgram, Scope, Steps
from meetdeck.present.deck.program.text.batches import Texts, are_worth_it, batch, batch_items, is_batched
from meetdeck.present.deck.program.text.language import IfLanguageIsSet, LanguageAttribute

_NONE: Final[Mapping[str, Steps | None]] = MappingProxyType({})
_NO_ITEMS: Final[Mapping[str, Texts | None]] = MappingProxyType({})
# Decks of one template are in few languages.
_MOST_LANGUAGES: Final = 4


class CutProgram(RepeatedProgram):
    """The program of a marked tree or a part of it.

    From its second run in a language on it has steps: values that stand together are written together, and nothing is
    asked about bytes. The first run does not pay for them, since it may be the only one.
    """

    known_steps: Mapping[str, Steps | None] = _NONE
    _items: Mapping[str, Texts | None] = _NO_ITEMS

    def steps_in(self, language: str) -> Steps | None:
        """Return the steps for texts in a language, None in the first run."""
        known = self.known_steps
        if language not in known:
            others = known if len(known) < _MOST_LANGUAGES else _NONE
            self.known_steps = {**others, language: None}
            return None
        steps = known[language]
        if steps is None:
            steps = _make_steps(_join_values(_settle(self, language)))
            self.known_steps = {**known, language: steps}
        return steps

    def items_in(self, language: str) -> Texts | None:
        """Return the node that writes the program for all items of a list; None when it has more than values."""
        known = self._items
        if language not in known:
            others = known if len(known) < _MOST_LANGUAGES else _NO_ITEMS
            self._items = known = {**others, language: batch_items(tuple(_settle(self, language)))}
        return known[language]


def _settle(program: Program, language: str) -> Iterator[bytes | Node]:
    """Yield the nodes of a program for a language."""
    for node in program:
        if isinstance(node, LanguageAttribute):
            yield node.settle(language)
        elif isinstance(node, IfLanguageIsSet):
            yield from _settle(node.settle(language), language)
        else:
            yield node


def _join_values(nodes: Iterable[bytes | Node]) -> Iterator[bytes | Node]:
    """Yield nodes that write the same pieces as others."""
    for is_joined, group in groupby(nodes, lambda node: isinstance(node, bytes) or is_batched(node)):
        members = tuple(group)
        yield from (batch(members),) if is_joined and are_worth_it(members) else members


def _make_steps(nodes: Iterable[bytes | Node]) -> Steps:
    steps: list[tuple[tuple[bytes, ...], Callable[[list[bytes], Scope], None]]] = []
    before: list[bytes] = []
    for node in nodes:
        if isinstance(node, bytes):
            before.append(node)
        else:
            steps.append((tuple(before), node.write))
            before = []
    return Steps(tuple(steps), tuple(before))
