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
from meetdeck.booking.scheduling.search.service.memory import MEMORY, KeptAnswer, SearchMemory
from meetdeck.booking.scheduling.search.service.recalling import (
    KeptContent,
    identify,
    is_present,
    recall,
    recall_search_input,
)
from meetdeck.booking.scheduling.search.service.searching import SEARCH, SECONDS, Answer, SearchInput, find_answer
from meetdeck.booking.scheduling.threads import SEARCHES
from meetdeck.booking.slots.checks import Check
from meetdeck.booking.slots.whole_minutes import is_same_within_minutes
from meetdeck.platform.database import Database
from meetdeck.platform.process import Together
from meetdeck.platform.process.tracing import measure
from meetdeck.platform.values import Version

_BYTES_OF_SLOT: Final = 160
_BLOCK_BYTES: Final = 1 << 20
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

    async def find(self, found: SearchInput) -> Answer:
        """Return the slots. Raises SearchTooLarge, TooCostly."""

        def work(check: Check) -> Answer:
            return find_answer(found, self.params, self.most, check, version=self.version)

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
        return Answered(found.employee_ids, await asked.write(await asked.find(found)))
    pieces = iter(found.pieces) if found.pieces else await asked.write(found.answer)
    return Answered(found.employee_ids, pieces)


async def _find(asked: Asked, now: datetime, memory: SearchMemory) -> _Found:
    """Return the answer to a search, or the input of one whose answer is not kept."""
    key = asked.key
    kept = memory.find(KeptAnswer, key)
    is_kept = None if kept is None else await _is_present(asked, kept, now, memory)
    if kept is not None and is_kept:
        written = await _write_out(asked, kept, memory)
        if written is not kept:
            memory.keep(key, written)
        return written
    has_changed = is_kept is False
    found, _, edition = await recall(
        asked.database, asked.tenant_id, asked.params, now, memory, has_changed=has_changed
    )
    if edition is None or found.query.also:
        return found
    if kept is not None and kept.edition == edition:
        return kept
    answer = await asked.find(found)
    kept = KeptAnswer(edition, tuple(found.employee_ids), answer)
    if _TOGETHER.is_shared(_identify_run(asked, memory)):
        kept = await _write_out(asked, kept, memory)
    if is_same_within_minutes(found.query, found.candidates):
        memory.keep(key, kept)
    return kept


async def _is_present(asked: Asked, kept: KeptAnswer, now: datetime, memory: SearchMemory) -> bool | None:
    content = KeptContent.find(asked.tenant_id, asked.params, memory)
    if content is None or asked.database.has_standby:
        return None
    with measure("slot search: load", SEARCH), SECONDS.labels("load").time():
        async with asked.database.reading(asked.tenant_id) as connection:
            return await is_present(connection, kept.edition, content, now, memory)


async def _write_out(asked: Asked, kept: KeptAnswer, memory: SearchMemory) -> KeptAnswer:
    """Return an answer that is given several times with its JSON, unless that is too long to keep."""
    if kept.pieces or len(kept.answer.slots) * _BYTES_OF_SLOT > memory.limit * _MOST:
        return kept
    return replace(kept, pieces=await SEARCHES.run(asked.tenant_id, lambda _: tuple(_join(kept.answer.write()))))


def _identify_run(asked: Asked, memory: SearchMemory) -> Hashable:
    return asked.database, memory, asked.key


def _join(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield longer pieces: each has a price when it is sent."""
    block, size = list[bytes](), 0
    for piece in pieces:
        block.append(piece)
        size += len(piece)
        if size >= _BLOCK_BYTES:
            yield b"".join(block)
            block, size = [], 0
    yield b"".join(block)
