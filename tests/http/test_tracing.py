"""Traces and `Server-Timing` (docs/operations/monitoring.md; docs/decisions/0083)."""

import re
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from meetdeck.app import build_app
from meetdeck.platform.database import Database
from meetdeck.platform.errors import SetupError
from meetdeck.platform.process import tracing
from meetdeck.platform.process.tracing import WorkKind, measure, measured
from meetdeck.present.render.gotenberg import GotenbergRenderer
from meetdeck.services import Services
from support.collector import Collector
from support.factories import Api, make_services
from support.fakes import HandClock
from support.gotenberg import Gotenberg
from support.pdfs import make_linked_deck
from support.walks import OURS, draw_blank_slides, walk


@pytest.fixture
def collector() -> Generator[Collector]:
    with Collector.run() as collector:
        yield collector


@pytest_asyncio.fixture
async def gotenberg() -> AsyncGenerator[Gotenberg]:
    async with Gotenberg(draw_blank_slides).run() as gotenberg:
        yield gotenberg


@pytest_asyncio.fixture
async def services(
    database: Database, clock: HandClock, tmp_path: Path, collector: Collector, gotenberg: Gotenberg
) -> AsyncGenerator[Services]:
    """Lend the application's parts, that trace."""
    renderer = GotenbergRenderer(gotenberg.url)
    async with aclosing(make_services(database, clock, tmp_path, renderer, otlp_endpoint=collector.url)) as services:
        yield services
    await renderer.close()


def flush(services: Services) -> None:
    assert services.tracing is not None
    services.tracing.close()


async def test_one_trace_leads_from_the_request_to_sql_search_and_renderer(
    api: Api, services: Services, collector: Collector, gotenberg: Gotenberg
) -> None:
    await walk(api)
    flush(services)
    ours = [span for span in collector.spans if span.trace_id == OURS]
    roots = [span for span in ours if span.parent_id == "b7ad6b7169203331"]
    search = "GET /api/v3/booking/time-slots/available"
    reserve, pdf = "POST /api/v3/booking/time-slots/reserve", "POST /api/v3/present/slides/pdf"
    assert {span.name for span in roots} == {search, reserve, "POST /api/v3/booking/meetings", pdf}
    root = collector.named(search)
    assert (root.kind, root.attributes) == (
        2,
        {
            "http.request.method": "GET",
            "http.route": "/api/v3/booking/time-slots/available",
            "http.response.status_code": 200,
        },
    )
    assert collector.ways_to("slot search: compute") == {(search, "slot search: compute")}
    assert collector.ways_to("slot search: encode") == {(search, "slot search: encode")}
    load = collector.named("slot search: load")
    assert collector.ways_to(load.name) == {(search, load.name)}
    transaction = next(span for span in ours if (span.name, span.parent_id) == ("transaction", load.span_id))
    loaded_by = [span for span in ours if span.parent_id == transaction.span_id]
    assert "postgresql" in {span.attributes.get("db.system.name") for span in loaded_by}
    assert (reserve, "transaction", "add_and_occupy") in collector.ways_to("add_and_occupy")
    assert (reserve, "transaction", "begin") in collector.ways_to("begin")
    assert collector.ways_to("POST Gotenberg") == {(pdf, "render: convert", "POST Gotenberg")}
    assert (pdf, "render: wait") in collector.ways_to("render: wait")
    assert any(way[0] == pdf for way in collector.ways_to("storage write"))
    assert (reserve, "authenticate") in collector.ways_to("authenticate")
    sql = collector.named("add_and_occupy")
    assert (sql.kind, sql.attributes["db.system.name"]) == (3, "postgresql")
    assert collector.resources[0]["service.name"] == "meetdeck"
    asked = next(each for each in gotenberg.requests if each.path.endswith("convert"))
    assert asked.headers["traceparent"] == f"00-{OURS}-{collector.named('POST Gotenberg').span_id}-01"


async def test_no_span_holds_personal_data(api: Api, services: Services, collector: Collector) -> None:
    await walk(api)
    refused = await api.get("v3/booking/meetings/nobody?customerId=Freja-4711&cpr=010190-1234")
    assert refused.status_code == 404
    flush(services)
    assert len(collector.spans) > 40
    secrets = [api.headers["Authorization"].split()[1], api.headers["Ocp-Apim-Subscription-Key"]]
    for secret in [
        "Freja",
        "010190-1234",
        "skilsmissen",
        "Hjem-17",
        "Anna",
        api.id_of("employee", "Anna Holm"),
        *secrets,
    ]:
        assert secret not in collector.text


async def test_a_request_without_a_trace_begins_one(api: Api, services: Services, collector: Collector) -> None:
    await api.http.get("/health/live")
    flush(services)
    span = collector.named("GET /health/live")
    assert span.parent_id == ""
    assert span.trace_id != OURS


async def test_a_crash_marks_its_span_without_its_words(api: Api, services: Services, collector: Collector) -> None:
    await services.database.pool.close()
    answer = await api.get("v3/booking/employees")
    assert answer.status_code == 503
    flush(services)
    span = collector.named("GET /api/v3/booking/employees")
    assert (span.status, span.attributes["error.type"]) == (2, "503")


SERVER_TIMING = re.compile(r"[a-z]+;dur=\d+\.\d(, [a-z]+;dur=\d+\.\d)*")


async def test_in_test_each_answer_tells_where_its_time_went(api: Api) -> None:
    found = await api.get("v3/booking/time-slots/available?requireEmployeeParticipation=false")
    timing = found.headers["Server-Timing"]
    assert SERVER_TIMING.fullmatch(timing), timing
    milliseconds = {name: float(value) for name, value in re.findall(r"([a-z]+);dur=([\d.]+)", timing)}
    assert milliseconds.keys() >= {"auth", "db", "search", "total"}
    assert max(milliseconds.values()) == milliseconds["total"] > 0
    printed = await api.request("POST", "v3/present/slides/pdf", files={"file": ("a.pptx", make_linked_deck())})
    assert "render;dur=" in printed.headers["Server-Timing"]
    assert "total;dur=" in (await api.http.get("/nowhere")).headers["Server-Timing"]


async def test_production_tells_nobody_where_its_time_went(api: Api, services: Services) -> None:
    assert api
    for changed in ({"environment": "production"}, {"server_timing": False}):
        app: Any = build_app(_changed(services, changed))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://meetdeck.test") as http:
            assert "Server-Timing" not in (await http.get("/health/live")).headers


def _changed(services: Services, changed: dict[str, Any]) -> Services:
    return replace(services, settings=services.settings.model_copy(update=changed))


async def test_while_nothing_is_recorded_work_runs_as_it_is_given() -> None:
    async def work() -> int:
        return 7

    given = work()
    assert measured(given, "work", WorkKind("db")) is given
    assert await given == 7
    assert measure("work", WorkKind("db")) is measure("other", WorkKind())
    assert tracing.get_traceparent() is None


def test_without_a_collector_opentelemetry_is_not_even_imported() -> None:
    program = (
        "import sys, meetdeck.app\n"
        "print([name for name in sys.modules if name.startswith(('opentelemetry', 'google.protobuf'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert done.stdout.strip() == "[]"


async def test_a_collector_without_the_libraries_is_one_line_for_the_operator(
    database: Database, clock: HandClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "meetdeck.platform.process.telemetry", raising=False)
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    renderer: Any = None
    with pytest.raises(SetupError, match=r"pip install 'meetdeck\[otel\]'"):
        make_services(database, clock, tmp_path, renderer, otlp_endpoint="http://collector.test")
