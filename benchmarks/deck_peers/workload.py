"""The workload: a template, the data of its slides, and what a deck must then hold."""

from collections.abc import Callable, Iterator
from itertools import accumulate, cycle, takewhile
from typing import Final, NamedTuple

from deck_peers.check import Checked, check_deck
from deck_peers.job import SlideJob
from deck_peers.template import KINDS, WriteTag, make_data, make_template, make_values


class Workload(NamedTuple):
    """A kind of template and of decks; `name` is empty for the usual one.

    `repeats` says for each kind of slide how many slides of the deck it becomes, so `make_template` (slides of the
    template, how a tag is written) makes the kinds in turn. `make_job` takes the number of the request, from 0, and how
    many slides the template has. `check` raises `WrongDeckError`.
    """

    name: str
    repeats: tuple[int, ...]
    make_template: Callable[[int, WriteTag], bytes]
    make_job: Callable[[int, int], SlideJob]
    check: Callable[[bytes, list[SlideJob]], Checked]

    def count_requests(self, slides: int) -> int:
        """Return how many slides to ask for when the deck shall have so many."""
        return sum(1 for _ in takewhile(lambda made: made <= slides, self._slides_made()))

    def _slides_made(self) -> Iterator[int]:
        return accumulate(cycle(self.repeats))


def _make_job(number: int, designs: int) -> SlideJob:
    design = number % designs
    return SlideJob(design + 1, KINDS[design % len(KINDS)], make_data(number), make_values(number))


PLAIN: Final = Workload("", (1,) * len(KINDS), make_template, _make_job, check_deck)
