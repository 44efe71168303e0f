"""Answers to searches: found once for all who ask at the same time, and again when something changed.

The reasons: docs/decisions/0237.
"""

from collections.abc import Hashable, Iterable, Iterator
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple
from uuid import UUID

from msgspec.structs import replace

from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service.memory import (
    MEMORY,
    KeptAnswer,
    SearchMemory,
    Source,
)
from meetdeck.booking.scheduling.search.service.recalling import (
    identify,
    recall,
    recall_if_changed,
    recall_search_input,
)
from meetdeck.booking.scheduling.search.service.searching import (
    Answer,
    Known,
    SearchInput,
    find_answer,
)
from meetdeck.booking.scheduling.threads import SEARCHES
from meetdeck.booking.slots.checks import Check, go_on
from meetdeck.booking.slots.kept_json import KeptJson
from meetdeck.booking.slots.whole_minutes import is_same_within_minutes
from meetdeck.platform.database import Database
from meetdeck.platform.process import Together
from meetdeck.platform.values import Version

_BYTES_OF_SLOT: Final = 160
_SHORT: Final = 15_000
"""Up to so many starts, slots and busy times are looked through at once: handing that to a thread takes longer."""
_MOST: Final = 1 / 3
"""The share of the memory that the JSON of one answer may take."""
_MOST_AGAIN: Final = 1 / 24
"""The same for an answer that is asked for again after something changed: many long ones would displace each other."""


class Asked(NamedTuple):
    """A search as a caller asks for it; `most` are the slots that an answer may have."""

    database: Database
    tenant_id: UUID
    params: AvailableQuery
    version: Version
    most: int

    @property
    def key(self) -> tuple[Hashable, ...]:
        """Return the key of searches that have the same answer at the same moment."""
        times = self.params.start_date, self.params.look_forward_time
        return identify(self.tenant_id, self.params), times, self.version, self.most

    async def find(self, found: SearchInput) -> Iterator[bytes]:
        """Return the JSON of the slots in pieces. Raises SearchTooLarge, TooCostly."""

        def work(check: Check) -> Iterator[bytes]:
            return find_answer(found, self.params, self.most, check, version=self.version).write()

        return await SEARCHES.run(self.tenant_id, work)

    async def write(self, answer: Answer) -> Iterator[bytes]:
        """Return the JSON of the slots in pieces."""
        return await SEARCHES.run(self.tenant_id, lambda _: answer.write())


class Answered(NamedTuple):
    """The JSON of an answer in pieces, and the employees who were searched."""

    employee_ids: Iterable[UUID]
    pieces: Iterator[bytes]


_Found = KeptAnswer | SearchInput
_TOGETHER: Final = Together[Hashable, _Found]()


async def answer_search(asked: Asked, now: datetime, memory: SearchMemory = MEMORY) -> Answered:
    """Return the answer to a search: what it finds when it is asked, or a moment later.

    Those who ask for the same while it is read share what is read next. Raises as `read_search_input`, and
    SearchTooLarge, TooCostly.
    """
    if asked.params.ignored_ids or not memory.keeps_of(asked.tenant_id):
        found: _Found = await recall_search_input(asked.database, asked.tenant_id, asked.params, now, memory)
    else:
        found = await _TOGETHER.run(_identify_run(asked, memory), partial(_find, asked, now, memory))
    if isinstance(found, SearchInput):
        return Answered(found.employee_ids, await asked.find(found))
    pieces = iter(found.pieces) if found.pieces else await asked.write(found.answer)
    return Answered(found.employee_ids, pieces)


async def _find(asked: Asked, now: datetime, memory: SearchMemory) -> _Found:
    """Return the answer to a search, or the input of one whose answer is not kept."""
    key = asked.key
    kept = memory.find(KeptAnswer, key)
    reading = asked.database, asked.tenant_id, asked.params, now, memory
    if kept is None:
        recalled = await recall(*reading)
    elif (recalled := await recall_if_changed(*reading, kept.edition)) is None:
        return await _write_kept(asked, kept, memory)
    found, source = recalled.found, recalled.source
    if source is None or found.query.also:
        return found
    if kept is not None and kept.edition == source.edition:
        return kept
    answer, is_lasting = await _find_anew(asked, found, source, kept, memory)
    if is_lasting:
        memory.keep(key, answer)
    return answer


async def _find_anew(
    asked: Asked, found: SearchInput, source: Source, before: KeptAnswer | None, memory: SearchMemory
) -> tuple[KeptAnswer, bool]:
    """Return the answer, and whether it is the same until its edition changes.

    Of the answer before, only what may have changed is found anew.
    """
    now = found.query.now
    most = -1.0 if before is None else memory.limit * _MOST_AGAIN
    if (before is not None and before.json is not None) or _TOGETHER.is_shared(_identify_run(asked, memory)):
        most = memory.limit * _MOST
    known = None
    if before is not None and (changed := before.list_changed(source, now)) is not None:
        known = Known(before.answer, changed)

    def work(check: Check) -> tuple[KeptAnswer, bool]:
        answer = find_answer(found, asked.params, asked.most, check, version=asked.version, known=known)
        present = KeptAnswer(source.edition, now, tuple(found.employee_ids), answer)
        is_lasting = known is not None or is_same_within_minutes(found.query, found.candidates)
        return _write_out(present, before, most), is_lasting

    is_short = known is not None and known.size + len(found.calendars.busy) <= _SHORT
    return work(go_on) if is_short else await SEARCHES.run(asked.tenant_id, work)


async def _write_kept(asked: Asked, kept: KeptAnswer, memory: SearchMemory) -> KeptAnswer:
    """Return a kept answer with its JSON, which is kept from now on, unless it is too long."""
    if kept.json is not None:
        return kept
    written = await SEARCHES.run(asked.tenant_id, lambda _: _write_out(kept, None, memory.limit * _MOST))
    memory.keep(asked.key, written)
    return written


def _write_out(kept: KeptAnswer, before: KeptAnswer | None, most: float) -> KeptAnswer:
    """Return an answer that is given several times with its JSON, unless that has more than so many bytes."""
    slots = kept.answer.slots
    if len(slots) * _BYTES_OF_SLOT > most:
        return kept
    written = None if before is None else before.json
    return replace(kept, json=KeptJson.write(slots) if written is None else written.rewrite(slots))


def _identify_run(asked: Asked, memory: SearchMemory) -> Hashable:
    return asked.database, memory, asked.key
