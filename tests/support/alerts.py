"""The alerts of `deploy/prometheus/alerts.yaml`, and which of them fire for some scrapes."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import yaml

from support.promql import Scrapes, evaluate

ALERTS: Final = Path(__file__).parents[2] / "deploy/prometheus/alerts.yaml"
SCRAPE_SECONDS: Final = 15.0
_UNITS: Final = {"s": 1, "m": 60, "h": 3600}


def read_alerts() -> list[dict[str, Any]]:
    """Return the rules."""
    return [rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]]


def scrape_evenly(texts: Iterable[str | None], begun: float) -> Scrapes:
    """Return scrapes with even intervals of fifteen seconds."""
    scrapes = Scrapes()
    for number, text in enumerate(texts):
        scrapes.add(begun + number * SCRAPE_SECONDS, text)
    return scrapes


def list_firing(scrapes: Scrapes, *names: str) -> set[str]:
    """Return the alerts, of some names or all, that fire at some scrape: their expression held for their duration."""
    rules = [rule for rule in read_alerts() if not names or rule["alert"] in names]
    return {rule["alert"] for rule in rules if _fires(rule, scrapes)}


def _fires(rule: dict[str, Any], scrapes: Scrapes) -> bool:
    waits = _read_seconds(rule.get("for", "0s"))
    since: dict[Any, float] = {}
    for at in scrapes.times:
        found = evaluate(rule["expr"], scrapes, at)
        assert isinstance(found, dict), rule["alert"]
        since = {labels: since.get(labels, at) for labels in found}
        if any(at - begun >= waits for begun in since.values()):
            return True
    return False


def _read_seconds(text: str) -> float:
    match = re.fullmatch(r"(\d+)([smh])", text)
    assert match, text
    return float(match[1]) * _UNITS[match[2]]
