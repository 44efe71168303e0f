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
    Edition,
    KeptAnswer,
    PeriodCalendars,
    SearchMemory,
)
from meetdeck.booking.scheduling.search.service.recalling import (
    KeptContent,
    identify,
    is_present,
    recall,
    recall_search_input,
)
from meetdeck.booking.scheduling.search.service.searching import (
    SEARCH,
    SECONDS,
    Answer,
    Known,
    SearchInput,
    find_answer,
)
from meetdeck.booking.scheduling.threads import SEARCHES
from meetdeck.booking.slots.checks import Check
from meetdeck.booking.slots.kept_json import KeptJson
from meetdeck.booking.slots.whole_minutes import is_same_within_minutes
from meetdeck.platform.database import Database
from meetdeck.platform.process import Together
from meetdeck.platform.process.tracing import measure
from meetdeck.platform.values import Version

_BYTES_OF_SLOT: Final = 160
_MOST: Final = 1 / 3
"""The share of the memory that the JSON of one answer may take."""


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
    is_kept = None if kept is None else await _is_present(asked, kept, now, memory)
    if kept is not None and is_kept:
        return await _write_kept(asked, kept, memory)
    has_changed = is_kept is False
    recalled = await recall(asked.database, asked.tenant_id, asked.params, now, memory, has_changed=has_changed)
    found, edition, calendars = recalled.found, recalled.edition, recalled.calendars
    if edition is None or calendars is None or found.query.also:
        return found
    if kept is not None and kept.edition == edition:
        return kept
    most = memory.limit * _MOST if kept is not None or _TOGETHER.is_shared(_identify_run(asked, memory)) else -1

    def work(check: Check) -> tuple[KeptAnswer, bool]:
        present, is_lasting = _find_again(asked, found, edition, calendars, kept, check)
        return _write_out(present, kept, most), is_lasting

    answer, is_lasting = await SEARCHES.run(asked.tenant_id, work)
    if is_lasting:
        memory.keep(key, answer)
    return answer


def _find_again(
    asked: Asked,
    found: SearchInput,
    edition: Edition,
    calendars: PeriodCalendars,
    before: KeptAnswer | None,
    check: Check,
) -> tuple[KeptAnswer, bool]:
    """Return the answer of an edition, and whether it is the same until the edition changes.

    Of the answer before, only what may have changed is found anew.
    """
    now = found.query.now
    changed = None if before is None else before.list_changed(edition, calendars, now)
    known = None if before is None or changed is None else Known(before.answer, changed)
    answer = find_answer(found, asked.params, asked.most, check, version=asked.version, known=known)
    is_lasting = known is not None or is_same_within_minutes(found.query, found.candidates)
    return KeptAnswer(edition, now, tuple(found.employee_ids), answer), is_lasting


async def _write_kept(asked: Asked, kept: KeptAnswer, memory: SearchMemory) -> KeptAnswer:
    """Return a kept answer with its JSON, which is kept from now on, unless it is too long."""
    if kept.json is not None:
        return kept
    written = await SEARCHES.run(asked.tenant_id, lambda _: _write_out(kept, None, memory.limit * _MOST))
    memory.keep(asked.key, written)
    return written


async def _is_present(asked: Asked, kept: KeptAnswer, now: datetime, memory: SearchMemory) -> bool | None:
    content = KeptContent.find(asked.tenant_id, asked.params, memory)
    if content is None or asked.database.has_standby:
        return None
    with measure("slot search: load", SEARCH), SECONDS.labels("load").time():
        async with asked.database.reading(asked.tenant_id) as connection:
            return await is_present(connection, kept.edition, content, now, memory)


def _write_out(kept: KeptAnswer, before: KeptAnswer | None, most: float) -> KeptAnswer:
    """Return an answer that is given several times with its JSON, unless that has more than so many bytes."""
    slots = kept.answer.slots
    if len(slots) * _BYTES_OF_SLOT > most:
        return kept
    written = None if before is None else before.json
    return replace(kept, json=KeptJson.write(slots) if written is None else written.rewrite(slots))


def _identify_run(asked: Asked, memory: SearchMemory) -> Hashable:
    return asked.database, memory, asked.key
