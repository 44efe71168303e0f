"""The alerts of `deploy/prometheus/alerts.yaml` fire on the numbers that they are for, and not on ordinary ones."""

import json
import math
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest

from support.alerts import ALERTS, SCRAPE_SECONDS, list_firing, read_alerts, scrape_evenly
from support.promql import Scrapes, UnknownSyntaxError, evaluate

_DOCS: Final = Path(__file__).parents[3] / "docs"
BEGIN: Final = 1_790_000_000.0
SCRAPES: Final = 80
Course = Callable[[int], float]
"""A series' value at each scrape."""


def always(value: float) -> Course:
    return lambda _: value


def rising(each: float) -> Course:
    return lambda number: each * number


def seconds_ago(seconds: float) -> Course:
    return lambda number: BEGIN + number * SCRAPE_SECONDS - seconds


def answering(seconds: float) -> dict[str, Course]:
    """Return the buckets of a histogram in which everything took about as long, below `{}`."""
    limits = {"0.05": 0.05, "0.5": 0.5, "2.0": 2.0, "+Inf": 1e9}
    return {name: rising(10 if seconds <= limit else 0) for name, limit in limits.items()}


def name_buckets(name: str, labels: str, seconds: float) -> dict[str, Course]:
    return {f'{name}_bucket{{{labels}le="{limit}"}}': course for limit, course in answering(seconds).items()}


ORDINARY: Final[Mapping[str, Course]] = {
    "meetdeck_ready": always(1),
    'meetdeck_cell_up{cell="b"}': always(1),
    'meetdeck_requests_total{status="200",route="/a",method="GET"}': rising(100),
    'meetdeck_requests_total{status="503",route="/a",method="GET"}': always(3),
    **name_buckets("meetdeck_request_seconds", 'route="/a",method="GET",', 0.04),
    **name_buckets("meetdeck_request_seconds", 'route="/slides",method="POST",', 1.5),
    **name_buckets("meetdeck_slot_search_seconds", 'phase="compute",', 0.04),
    **name_buckets("meetdeck_database_wait_seconds", "", 0.04),
    "meetdeck_database_waiting": lambda number: float(number % 3 == 0),
    "meetdeck_database_oldest_transaction_seconds": always(0.1),
    'meetdeck_database_read_lag_seconds{server="standby"}': always(0.2),
    "meetdeck_disk_free_bytes": always(5e9),
    "meetdeck_worker_deaths_total": lambda number: float(number > 50),
    "meetdeck_worker_hangs_total": always(1),
    'meetdeck_renderings_refused_total{code="busy"}': always(1),
    'meetdeck_rendering_seconds_count{outcome="done"}': rising(5),
    "meetdeck_backup_last_success_timestamp_seconds": seconds_ago(10 * 3600),
    'meetdeck_job_last_success_timestamp_seconds{work="retention"}': seconds_ago(3600),
    'meetdeck_job_failures_total{work="retention"}': lambda number: float(number > 40),
    "meetdeck_workers_present": always(1),
    'meetdeck_jobs_lag_seconds{queue="mail"}': always(0.3),
    "meetdeck_events_lag_seconds": always(0.3),
    'meetdeck_jobs_total{queue="mail",outcome="done"}': rising(9),
    'meetdeck_jobs_total{queue="mail",outcome="failed"}': lambda number: float(number > 40),
    "meetdeck_webhooks_failing_total": always(2),
    "meetdeck_calendars_failing_total": always(2),
    'probe_success{job="meetdeck-public"}': lambda number: float(number % 5 > 0),
    'probe_ssl_earliest_cert_expiry{job="meetdeck-public"}': seconds_ago(-30 * 86400),
    'meetdeck_unverified_mails_total{outcome="allowed"}': rising(3),
    'meetdeck_unverified_mails_total{outcome="address"}': rising(0.1),
    'meetdeck_unverified_mails_total{outcome="firm"}': always(4),
    'meetdeck_holds_total{outcome="reserved"}': rising(9),
    'meetdeck_holds_total{outcome="renewed"}': rising(9),
    'meetdeck_conflicts_total{code="time_slot_taken"}': rising(1),
    'meetdeck_refused_holds_total{limit="share"}': rising(0.1),
}
BAD: Final[Mapping[str, Mapping[str, Course]]] = {
    "MeetdeckNotReady": {"meetdeck_ready": always(0)},
    "MeetdeckCellAway": {'meetdeck_cell_up{cell="b"}': always(0)},
    "MeetdeckErrors": {'meetdeck_requests_total{status="503",route="/a",method="GET"}': rising(3)},
    "MeetdeckSlow": name_buckets("meetdeck_request_seconds", 'route="/a",method="GET",', 1.5),
    "MeetdeckSearchSlow": name_buckets("meetdeck_slot_search_seconds", 'phase="compute",', 1.9),
    "MeetdeckDatabaseBusy": name_buckets("meetdeck_database_wait_seconds", "", 0.4),
    "MeetdeckDatabaseSilent": {"meetdeck_database_waiting": always(7)},
    "MeetdeckStandbyBehind": {'meetdeck_database_read_lag_seconds{server="standby"}': always(float("nan"))},
    "MeetdeckLongTransaction": {"meetdeck_database_oldest_transaction_seconds": seconds_ago(-BEGIN - 700)},
    "MeetdeckDiskFilling": {"meetdeck_disk_free_bytes": always(9e8)},
    "MeetdeckWorkersDie": {"meetdeck_worker_deaths_total": rising(0.1)},
    "MeetdeckWorkerHangs": {"meetdeck_worker_hangs_total": rising(0.1)},
    "MeetdeckRendererFull": {'meetdeck_renderings_refused_total{code="busy"}': rising(1)},
    "MeetdeckRendererFails": {'meetdeck_rendering_seconds_count{outcome="unavailable"}': rising(1)},
    "MeetdeckStorageErrors": {'meetdeck_storage_errors_total{operation="read"}': rising(1)},
    "MeetdeckBackupLate": {"meetdeck_backup_last_success_timestamp_seconds": always(0)},
    "MeetdeckWorkLate": {'meetdeck_job_last_success_timestamp_seconds{work="retention"}': seconds_ago(4 * 3600)},
    "MeetdeckWorkFails": {'meetdeck_job_failures_total{work="retention"}': rising(0.1)},
    "MeetdeckNoWorker": {"meetdeck_workers_present": always(0)},
    "MeetdeckJobsLate": {'meetdeck_jobs_lag_seconds{queue="mail"}': always(90)},
    "MeetdeckEventsLate": {"meetdeck_events_lag_seconds": always(90)},
    "MeetdeckJobsFail": {'meetdeck_jobs_total{queue="mail",outcome="failed"}': rising(1)},
    "MeetdeckWebhookFails": {"meetdeck_webhooks_failing_total": rising(0.1)},
    "MeetdeckCalendarFails": {"meetdeck_calendars_failing_total": rising(0.1)},
    "MeetdeckUnreachable": {'probe_success{job="meetdeck-public"}': always(0)},
    "MeetdeckCertificateEnds": {'probe_ssl_earliest_cert_expiry{job="meetdeck-public"}': seconds_ago(-13 * 86400)},
    "MeetdeckMailLimit": {'meetdeck_unverified_mails_total{outcome="firm"}': rising(1)},
    "MeetdeckManyConflicts": {'meetdeck_conflicts_total{code="time_slot_taken"}': rising(9)},
    "MeetdeckHoldsRefused": {'meetdeck_refused_holds_total{limit="share"}': rising(1)},
    "MeetdeckHoldsKept": {'meetdeck_holds_total{outcome="renewed"}': rising(60)},
}


def scrape(courses: Mapping[str, Course]) -> Scrapes:
    texts = ("".join(f"{name} {course(number)}\n" for name, course in courses.items()) for number in range(SCRAPES))
    return scrape_evenly(texts, BEGIN)


def test_no_alert_fires_on_ordinary_numbers() -> None:
    assert list_firing(scrape(ORDINARY)) == set()


@pytest.mark.parametrize("alert", BAD)
def test_an_alert_fires_on_the_numbers_that_it_is_for(alert: str) -> None:
    assert list_firing(scrape({**ORDINARY, **BAD[alert]}), alert) == {alert}


def test_a_process_that_does_not_answer_is_told_of() -> None:
    assert list_firing(scrape_evenly([None] * SCRAPES, BEGIN)) == {"MeetdeckDown"}


def test_each_alert_leads_to_its_section_of_the_manual() -> None:
    for rule in read_alerts():
        address = urlsplit(str(rule["annotations"]["runbook_url"]))
        page = _DOCS / f"{address.path.removeprefix('/docs/')}.md"
        headings = re.findall(r"^## (\w+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert rule["alert"] in headings
        assert address.fragment == rule["alert"].lower()


def test_each_section_is_of_an_alert() -> None:
    texts = [(_DOCS / f"operations/{name}.md").read_text(encoding="utf-8") for name in ("alerts", "alerts-of-work")]
    headings = [found for text in texts for found in re.findall(r"^## (\w+)$", text, re.MULTILINE)]
    assert sorted(headings) == sorted(rule["alert"] for rule in read_alerts())


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool, of Prometheus, is not installed")
def test_prometheus_itself_fires_the_same(tmp_path: Path) -> None:
    courses = {"nothing": ORDINARY, **{alert: {**ORDINARY, **bad} for alert, bad in BAD.items()}}
    cases = [write_case(name, given) for name, given in courses.items()]
    file = tmp_path / "cases.yaml"
    file.write_text(json.dumps({"rule_files": [str(ALERTS)], "evaluation_interval": "1m", "tests": cases}))
    said = subprocess.run(["promtool", "test", "rules", file], capture_output=True, text=True, check=False)  # noqa: S603, S607
    assert said.returncode == 0, said.stdout + said.stderr


def write_case(alert: str, courses: Mapping[str, Course]) -> dict[str, Any]:
    """Return a test of promtool, whose time begins at 0: the alert has fired at the end, or none has."""
    series = [
        {"series": name, "values": " ".join(str(shift(name, course(number))) for number in range(SCRAPES))}
        for name, course in courses.items()
    ]
    chosen = "" if alert == "nothing" else f',alertname="{alert}"'
    firing = f'group by (alertname) (last_over_time(ALERTS{{alertstate="firing"{chosen}}}[2h]))'
    expected = [] if alert == "nothing" else [{"labels": f'{{alertname="{alert}"}}', "value": 1}]
    asked = [{"expr": firing, "eval_time": f"{SCRAPES * SCRAPE_SECONDS:.0f}s", "exp_samples": expected}]
    return {"name": alert, "interval": f"{SCRAPE_SECONDS:.0f}s", "input_series": series, "promql_expr_test": asked}


def shift(name: str, value: float) -> float | str:
    """Return a value as promtool reads it, moments since the begin."""
    if math.isnan(value):
        return "NaN"
    return value - BEGIN if re.search("timestamp|expiry", name) else value


def test_each_alert_is_tried() -> None:
    assert {rule["alert"] for rule in read_alerts()} == {*BAD, "MeetdeckDown"}


@pytest.mark.parametrize(
    "expression",
    ["rate(a)", "topk(3, a)", "a offset 5m", "sum without (b) (a)", "a > on (b) c", "a[5m]", "deriv(a[5m])", "a > > b"],
)
def test_what_is_not_evaluated_is_refused(expression: str) -> None:
    with pytest.raises(UnknownSyntaxError):
        evaluate(expression, scrape({"a": always(1), "c": always(1)}), BEGIN)


def test_a_restart_of_a_counter_is_no_fall() -> None:
    scrapes = scrape({"a": lambda number: float(number % 4)})
    now = BEGIN + 8 * SCRAPE_SECONDS
    found = evaluate("increase(a[2m])", scrapes, now)
    assert isinstance(found, dict)
    assert [*found.values()] == [5]
