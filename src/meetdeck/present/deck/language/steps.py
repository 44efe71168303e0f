"""Steps: the meaning of a number by bounds, as in `red, 50: amber, 80: green`."""

from decimal import Decimal
from functools import lru_cache
from typing import Final, NamedTuple

from meetdeck.present.deck.language.numbers import read_number
from meetdeck.present.deck.language.values import Unwritable

_ADVICE: Final = (
    'its argument is a value, then bounds from low to high with theirs, like steps:"red, 50: amber, 80: green"'
)


class Step(NamedTuple):
    """A value for numbers from `bound` on; without a bound, for all numbers below the first one."""

    bound: Decimal | None
    value: str


class NoStepsError(ValueError):
    """The text contains no steps; the message says what to write."""


@lru_cache(maxsize=1_024)
def read_steps(text: str) -> tuple[Step, ...]:
    """Return the steps in a text, lowest first. Raises `NoStepsError`."""
    steps: list[Step] = []
    for number, piece in enumerate(text.split(",")):
        bound, colon, value = piece.rpartition(":")
        try:
            step = Step(read_number(bound.strip()) if colon else None, value.strip())
        except Unwritable as problem:
            raise NoStepsError(_ADVICE) from problem
        last = steps[-1].bound if steps else None
        if (number and step.bound is None) or (last is not None and step.bound is not None and step.bound <= last):
            raise NoStepsError(_ADVICE)
        steps.append(step)
    return tuple(steps)


def find_step(steps: tuple[Step, ...], value: object) -> str | None:
    """Return the value of the highest step that a number reaches, None below all. Raises `Unwritable`.

    A single step without a bound applies to every value, numbers and others.
    """
    if len(steps) == 1 and steps[0].bound is None:
        return steps[0].value
    number = read_number(value)
    reached = [step.value for step in steps if step.bound is None or number >= step.bound]
    return reached[-1] if reached else None
