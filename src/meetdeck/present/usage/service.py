"""Counts decks by template in memory, and adds the numbers to the database every few seconds.

No request waits for it. A process writes its numbers when it ends; a killed one loses the last seconds.
"""

import asyncio
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Final, NoReturn
from uuid import UUID

import structlog

from meetdeck.platform.database import Connection, Database
from meetdeck.platform.errors import Fault, Unavailable
from meetdeck.platform.phrases import phrase
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.values import InvalidInput
from meetdeck.present.usage import store
from meetdeck.present.usage.schemas import TemplatesReport, TemplatesReportQuery, TemplatesRow
from meetdeck.present.usage.store import TemplateUses

LONGEST: Final = 366
_EVERY_SECONDS: Final = 10.0

log = structlog.stdlib.get_logger()


class TemplateUse:
    """The decks of this process that are not yet written to the database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._counted: dict[UUID, dict[tuple[date, str], TemplateUses]] = {}

    def count(self, tenant_id: UUID, templates: Iterable[str], now: datetime) -> None:
        """Count a deck that was made of templates, each once; `now` is in UTC."""
        counted = self._counted.setdefault(tenant_id, {})
        for name in set(templates):
            key = now.date(), name
            before = counted.get(key)
            decks = 1 if before is None else before.decks + 1
            counted[key] = TemplateUses(*key, decks, now if before is None else max(before.last_built_at, now))

    async def run(self, clock: Clock, *, every_seconds: float = _EVERY_SECONDS) -> NoReturn:
        """Write the numbers every few seconds, until cancelled, and then once more."""
        del clock
        try:
            while True:
                await asyncio.sleep(every_seconds)
                await self._try()
        finally:
            await self._try()

    async def flush(self) -> None:
        """Add the counted decks to the tenants' numbers, or keep them on failure. Raises DatabaseUnavailable.

        Numbers refused for one tenant, such as a deleted one, are logged and dropped: they would block all others.
        """
        while self._counted:
            tenant_id, counted = self._counted.popitem()
            uses = [*counted.values()]
            try:
                await self._database.run(tenant_id, lambda connection, uses=uses: store.add_uses(connection, uses))
            except (Unavailable, asyncio.CancelledError):
                self._put_back(tenant_id, counted)
                raise
            except Exception:
                log.warning("use of templates forgotten", tenant=str(tenant_id), exc_info=True)

    async def _try(self) -> None:
        try:
            await self.flush()
        except Unavailable as error:
            log.warning("use of templates not written", code=error.code, detail=error.detail)

    def _put_back(self, tenant_id: UUID, counted: dict[tuple[date, str], TemplateUses]) -> None:
        since = self._counted.setdefault(tenant_id, {})
        for key, use in counted.items():
            newer = since.get(key)
            since[key] = use if newer is None else newer._replace(decks=newer.decks + use.decks)


async def report_templates(connection: Connection, query: TemplatesReportQuery) -> TemplatesReport:
    """Return the report, in one query. Raises InvalidInput."""
    check_days(query)
    total, *rows = await store.count_uses(connection, query.first, query.last, query.by)
    return TemplatesReport(
        first=query.first,
        last=query.last,
        by=query.by,
        time_zone="UTC",
        rows=[_make_row(row["key"], row["key"], row["decks"], row["last_built_at"]) for row in rows[: query.limit]],
        rows_left_out=max(len(rows) - query.limit, 0),
        totals=_make_row("", "Total", total["decks"] or 0, total["last_built_at"]),
    )


def check_days(query: TemplatesReportQuery) -> None:
    """Raise InvalidInput for days in the wrong order, or too many of them."""
    if query.last < query.first:
        detail = phrase("It must not be before `from` ({first}).", first=query.first)
    elif query.last - query.first >= timedelta(days=LONGEST):
        detail = phrase("A report covers at most {longest} days.", longest=LONGEST)
    else:
        return
    raise InvalidInput(phrase("to: {detail}", detail=detail), faults=(Fault("/query/to", detail),))


def _make_row(key: str, name: str, decks: int, last_built_at: datetime | None) -> TemplatesRow:
    return TemplatesRow(key=key, name=name, decks=decks, last_built_at=last_built_at)
