"""The dashboard and the alerts ask for numbers that there are (docs/operations/metrics.md)."""

import json
import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest_asyncio
from prometheus_client.parser import text_string_to_metric_families

from meetdeck.platform.database import Database
from meetdeck.present.render.gotenberg import GotenbergRenderer
from meetdeck.services import Services
from meetdeck.supervisor import Supervisor
from support.alerts import read_alerts
from support.factories import Api, make_services
from support.fakes import HandClock
from support.gotenberg import Gotenberg
from support.walks import draw_blank_slides, walk

_COUNTS_TOO = Supervisor
"""Its numbers are there once it is imported, as by `serve`."""
ROOT = Path(__file__).parents[2]
DASHBOARD = ROOT / "deploy/grafana/meetdeck.json"

_METRIC = re.compile(r"\bmeetdeck_\w+")
_SELECTOR = re.compile(r"(meetdeck_\w+)\{([^}]*)\}")
_LABEL = re.compile(r"(\w+)(?:=|!)")
_BY = re.compile(r"by \(([^)]*)\)")
# Of a series that is not there before something goes wrong or an hour is over, the walk shows no labels.
_SELDOM = {
    "meetdeck_cell_up": {"cell"},  # of several databases
    "meetdeck_storage_errors_total": {"operation"},
    "meetdeck_renderings_refused_total": {"code"},
    "meetdeck_job_failures_total": {"work"},
    "meetdeck_job_last_success_timestamp_seconds": {"work"},
    "meetdeck_job_seconds_sum": {"work"},
    "meetdeck_job_seconds_count": {"work"},
    "meetdeck_jobs_total": {"queue", "outcome"},
    "meetdeck_jobs_lag_seconds": {"queue"},
    "meetdeck_jobs_due": {"queue"},
    "meetdeck_jobs_failing": {"queue"},
    "meetdeck_messages_total": {"status"},
    "meetdeck_threads_refused_total": {"work", "code"},
    "meetdeck_webhook_tries_total": {"status"},
    "meetdeck_database_read_lag_seconds": {"server"},
}


@pytest_asyncio.fixture
async def services(database: Database, clock: HandClock, tmp_path: Path) -> AsyncGenerator[Services]:
    """Lend the application's parts, with a renderer that stands in for a real one."""
    async with Gotenberg(draw_blank_slides).run() as gotenberg:
        renderer = GotenbergRenderer(gotenberg.url)
        async with aclosing(make_services(database, clock, tmp_path, renderer)) as services:
            yield services
        await renderer.close()


def read_panels() -> list[dict[str, Any]]:
    return json.loads(DASHBOARD.read_text())["panels"]


def list_queries() -> Iterator[str]:
    for panel in read_panels():
        for target in panel.get("targets", []):
            yield target["expr"]
    for rule in read_alerts():
        yield rule["expr"]


def list_labels_asked_for(query: str) -> Iterator[tuple[str, set[str]]]:
    """Yield each series of a query with the labels that select of it or group by it."""
    grouped = {name.strip() for names in _BY.findall(query) for name in names.split(",")}
    selected = {name: set(_LABEL.findall(inner)) for name, inner in _SELECTOR.findall(query)}
    for name in set(_METRIC.findall(query)):
        yield name, grouped | selected.get(name, set())


async def test_every_number_that_is_asked_for_is_answered_after_a_walk(api: Api) -> None:
    await walk(api)
    known: dict[str, set[str]] = dict(_SELDOM)
    answered = (await api.http.get("/metrics")).text
    declared = set(re.findall(r"# TYPE (meetdeck_\w+)", answered))
    for family in text_string_to_metric_families(answered):
        for sample in family.samples:
            known[sample.name] = known.get(sample.name, set()) | set(sample.labels)
    asked = [pair for query in list_queries() for pair in list_labels_asked_for(query)]
    assert len(asked) > 40
    for name, labels in asked:
        assert name in known, name
        assert labels <= known[name], (name, labels - known[name])
    for name in _SELDOM:
        assert re.sub(r"_(sum|count)$", "", name) in declared


async def test_no_number_is_by_tenant_or_person(api: Api) -> None:
    await walk(api)
    answered = (await api.http.get("/metrics")).text
    names = "\n".join(line.rpartition(" ")[0] for line in answered.splitlines())  # a value may have any digits
    for secret in (str(api.firm.tenant_id), "Freja", "4711", api.id_of("employee", "Anna Holm")):
        assert secret not in names


def test_the_dashboard_is_whole() -> None:
    dashboard = json.loads(DASHBOARD.read_text())
    rows = [panel["title"] for panel in dashboard["panels"] if panel["type"] == "row"]
    assert rows[0] == "Is it up"
    assert len(rows) == 11
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])
    assert dashboard["templating"]["list"][0]["type"] == "datasource"
    for panel in dashboard["panels"]:
        if panel["type"] != "row":
            assert panel["description"], panel["title"]
            assert panel["datasource"]["uid"] == "${datasource}"


def test_every_alert_says_what_to_look_at() -> None:
    for rule in read_alerts():
        assert rule["annotations"].keys() == {"summary", "description", "runbook_url"}
        assert rule["labels"]["severity"] in {"page", "warn"}


def test_every_number_is_explained_to_operators() -> None:
    operations = "".join(page.read_text() for page in (ROOT / "docs/operations").glob("*.md"))
    asked = {re.sub(r"_(bucket|sum|count)$", "", name) for query in list_queries() for name in _METRIC.findall(query)}
    assert [name for name in sorted(asked) if not re.search(rf"`{name}[`{{]", operations)] == []
