"""The memory of searches is bounded, and the JSON of answers takes half of it at most."""

from datetime import UTC, datetime
from uuid import UUID

import numpy as np

from meetdeck.booking.scheduling.search.service.memory import Edition, KeptAnswer, SearchMemory
from meetdeck.booking.scheduling.search.service.searching import Answer
from meetdeck.booking.slots.kept_json import KeptJson
from meetdeck.booking.slots.model import Slots
from meetdeck.booking.slots.whole_minutes import Minute

_NOW = datetime(2026, 3, 2, tzinfo=UTC)
_EDITION = Edition(1, 1, Minute.of(_NOW), 0, frozenset())
_SLOTS = Slots(np.empty(0, np.int64), 1, (), (), np.empty((0, 0), np.uint8))
_JSON = KeptJson.write(_SLOTS)


def make(written: int) -> KeptAnswer:
    json = _JSON._replace(pieces=(b" " * written,)) if written else None
    return KeptAnswer(_EDITION, _NOW, (UUID(int=1),), Answer(_SLOTS), json)


def list_written(memory: SearchMemory) -> dict[str, int]:
    found = {key: memory.find(KeptAnswer, key) for key in "abc"}
    return {key: each.written for key, each in found.items() if each is not None}


def test_the_json_of_the_least_recently_used_answers_goes_first_and_their_slots_stay() -> None:
    memory = SearchMemory(100_000)
    for key in "abc":
        memory.keep(key, make(20_000))
    assert list_written(memory) == {"a": 0, "b": 20_000, "c": 20_000}
    size = memory.size
    memory.find(KeptAnswer, "b")
    memory.keep("a", make(20_000))
    assert list_written(memory) == {"a": 20_000, "b": 20_000, "c": 0}
    assert memory.size == size


def test_above_the_limit_the_least_recently_used_go() -> None:
    memory = SearchMemory(12_000)
    for key in "abc":
        memory.keep(key, make(0))
    assert list(list_written(memory)) == ["b", "c"]
    memory.keep("b", make(10_000))  # more than it keeps of one
    assert list_written(memory) == {"b": 0, "c": 0}
    memory.forget_all()
    assert (memory.size, list_written(memory)) == (0, {})
