"""The report of templates: decks are counted by template and day, written down in batches, and shown at the console."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from lxml import html

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from meetdeck.platform.errors import Unavailable
from meetdeck.present.usage.service import TemplateUse
from meetdeck.services import Services
from support.console import EVA, Browser
from support.factories import Api
from support.fakes import HandClock
from support.patches import pointers
from support.statements import logged_statements

REPORT = "v3/present/reports/templates"
MARCH = {"from": "2026-03-01", "to": "2026-03-31"}
COVER: dict[str, Any] = {"template": "Annual review", "slides": [{"slideId": "Cover", "data": {}}]}
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


async def read(api: Api, **query: str) -> dict[str, Any]:
    """Return the report of March."""
    return (await api.get(REPORT, params=MARCH | query)).raise_for_status().json()


async def test_decks_are_counted_by_template_once_they_are_made(
    api: Api, services: Services, database: Database, clock: HandClock
) -> None:
    assert (await read(api))["totals"] == {"key": "", "name": "Total", "decks": 0, "lastBuiltAt": None}
    with logged_statements(database) as statements:
        for _ in range(3):
            (await api.post("v3/present/slides", COVER)).raise_for_status()
    assert not [one for one in statements if "template_use" in one]
    (await api.post("v3/present/slides/generate", {"template": "Annual review", "data": {}})).raise_for_status()
    assert (await api.post("v3/present/slides/picture", COVER)).status_code in {200, 503}
    await services.template_use.flush()
    report = await read(api)
    built_at = clock().isoformat().replace("+00:00", "Z")
    row = {"key": "Annual review", "name": "Annual review", "decks": 4, "lastBuiltAt": built_at}
    assert (report["rows"], report["totals"]["decks"]) == ([row], 4)
    (await api.post("v3/present/slides", COVER)).raise_for_status()
    await services.template_use.flush()
    assert (await read(api, by="month"))["rows"][0]["decks"] == 5
    assert (await read(await api.other()))["rows"] == []


async def test_a_deck_counts_on_the_day_on_which_it_was_made(api: Api, database: Database) -> None:
    use = TemplateUse(database)
    for hours in (0, 1, 24):
        use.count(NORDLYS.tenant_id, ["Annual review", "Annual review", "Pension"], NOON + timedelta(hours=hours))
    await use.flush()
    days = await read(api, by="day")
    assert [(row["key"], row["decks"]) for row in days["rows"]] == [("2026-03-02", 4), ("2026-03-03", 2)]
    await use.flush()
    assert (await read(api))["totals"]["decks"] == 6


async def test_what_cannot_be_written_is_kept(api: Api, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    use = TemplateUse(database)
    use.count(NORDLYS.tenant_id, ["Annual review"], NOON)

    async def fail(*_: object) -> None:
        use.count(NORDLYS.tenant_id, ["Annual review"], NOON + timedelta(hours=1))
        raise Unavailable("The database cannot be used at the moment.")

    with monkeypatch.context() as patched:
        patched.setattr(database, "run", fail)
        with pytest.raises(Unavailable):
            await use.flush()
    await use.flush()
    assert [row["decks"] for row in (await read(api))["rows"]] == [2]


async def test_what_was_counted_is_written_when_the_process_ends(
    api: Api, database: Database, clock: HandClock
) -> None:
    use = TemplateUse(database)
    running = asyncio.create_task(use.run(clock, every_seconds=3600))
    await asyncio.sleep(0)
    use.count(NORDLYS.tenant_id, ["Annual review"], NOON)
    running.cancel()
    await asyncio.wait([running])
    assert (await read(api))["totals"]["decks"] == 1


async def test_numbers_of_a_deleted_firm_are_forgotten_and_hold_up_nobody_elses(api: Api, database: Database) -> None:
    use = TemplateUse(database)
    for tenant_id in (NORDLYS.tenant_id, uuid4()):
        use.count(tenant_id, ["Annual review"], NOON)
    await use.flush()
    assert (await read(api))["totals"]["decks"] == 1


async def test_days_in_the_wrong_order_or_too_many_are_refused(api: Api) -> None:
    for wrong in ({"to": "2026-02-01"}, {"to": "2028-01-01"}):
        answer = await api.get(REPORT, params=MARCH | wrong)
        assert (answer.status_code, pointers(answer)) == (400, ["/query/to"])


async def test_the_console_shows_the_report_and_its_file(api: Api, services: Services) -> None:
    (await api.post("v3/present/slides", COVER)).raise_for_status()
    await services.template_use.flush()
    browser = await Browser.open(api, EVA)
    page = html.fromstring((await browser.get("/reports/templates?from=2026-03-01&to=2026-03-31")).text)
    (row,) = page.xpath("//tbody/tr")
    assert [cell.text_content().strip() for cell in row][:2] == ["Annual review", "1"]
    file = await browser.get("/reports/templates.csv?from=2026-03-01&to=2026-03-31")
    assert file.text.splitlines()[1].startswith("Annual review,Annual review,1,2026-03-")
