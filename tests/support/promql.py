"""The part of PromQL used in `deploy/prometheus/alerts.yaml`, evaluated on scrapes; anything else raises.

Staleness, `offset`, subqueries and matching by some labels (`on`, `ignoring`) are missing. `rate` and `increase` do not
extrapolate to the borders of their range.
"""

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Final, NamedTuple

from prometheus_client.parser import text_string_to_metric_families

LOOK_BACK_SECONDS: Final = 300.0
Labels = tuple[tuple[str, str], ...]
Vector = dict[Labels, float]
Value = float | Vector

_TOKEN: Final = re.compile(
    r"""\s*(?:(?P<number>\d+(?:\.\d+)?(?![\w.]))|(?P<range>\[\d+[smh]\])|(?P<text>"[^"]*")|(?P<name>[A-Za-z_:][\w:]*)"""
    r"""|(?P<sign>=~|!~|==|!=|>=|<=|[-+*/(){},=<>]))"""
)
_UNITS: Final = {"s": 1, "m": 60, "h": 3600}
_COMPARISONS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}
_ARITHMETIC: Final[Mapping[str, Callable[[float, float], float]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda one, other: one / other if other else math.nan if not one else math.copysign(math.inf, one),
}
_MATCHES: Final[Mapping[str, Callable[[str, str], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "=~": lambda value, pattern: re.fullmatch(pattern, value) is not None,
    "!~": lambda value, pattern: re.fullmatch(pattern, value) is None,
}
_AGGREGATIONS: Final[Mapping[str, Callable[[Sequence[float]], float]]] = {
    "sum": sum,
    "max": lambda values: max(values, key=lambda value: -math.inf if math.isnan(value) else value),
    "min": lambda values: min(values, key=lambda value: math.inf if math.isnan(value) else value),
}
_LEVELS: Final = (("or",), ("and", "unless"), tuple(_COMPARISONS), ("+", "-"), ("*", "/"))
"""Binary operators, from those that bind least."""


class UnknownSyntaxError(Exception):
    """An expression has something that is not supported here."""


class Sample(NamedTuple):
    """The value of a series at a time."""

    at: float
    value: float


@dataclass
class Scrapes:
    """The scrapes, by series."""

    series: dict[str, dict[Labels, list[Sample]]] = field(default_factory=dict[str, dict[Labels, list[Sample]]])
    times: list[float] = field(default_factory=list[float])

    def add(self, at: float, text: str | None) -> None:
        """Add the answer of `/metrics` at a time, or its absence."""
        self.times.append(at)
        self._add("up", {}, at, float(text is not None))
        for family in text_string_to_metric_families(text or ""):
            for sample in family.samples:
                self._add(sample.name, sample.labels, at, sample.value)

    def _add(self, name: str, labels: Mapping[str, str], at: float, value: float) -> None:
        key = tuple(sorted({"job": "meetdeck", "instance": "one", **labels}.items()))
        self.series.setdefault(name, {}).setdefault(key, []).append(Sample(at, value))


def evaluate(expression: str, scrapes: Scrapes, now: float) -> Value:
    """Return the value of an expression at a time: a number, or one for each series. Raises UnknownSyntaxError."""
    return _Evaluation(expression, scrapes, now).evaluate()


class _Evaluation:
    """Reads an expression and evaluates it at the same time."""

    def __init__(self, expression: str, scrapes: Scrapes, now: float) -> None:
        self._tokens, self._at = _split(expression), 0
        self._scrapes, self._now = scrapes, now

    def evaluate(self) -> Value:
        value = self._read_binary(0)
        self._require(self._peek() is None)
        return value

    def _peek(self) -> str | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _next(self) -> str:
        token = self._peek()
        self._require(token is not None)
        self._at += 1
        return token or ""

    def _expect(self, token: str) -> None:
        self._require(self._next() == token)

    def _require(self, is_known: bool) -> None:  # noqa: FBT001 - the only thing that it is about
        if not is_known:
            raise UnknownSyntaxError(" ".join(self._tokens[: self._at + 1]))

    def _read_binary(self, level: int) -> Value:
        if level == len(_LEVELS):
            return self._read_operand()
        value = self._read_binary(level + 1)
        while (sign := self._peek()) in _LEVELS[level]:
            self._next()
            self._require(self._peek() not in {"on", "ignoring", "bool"})
            value = self._combine(sign or "", value, self._read_binary(level + 1))
        return value

    def _combine(self, sign: str, left: Value, right: Value) -> Value:
        if sign in {"or", "and", "unless"}:
            if not isinstance(left, dict) or not isinstance(right, dict):
                raise UnknownSyntaxError(f"{sign} between numbers")
            if sign == "or":
                return right | left
            return {labels: value for labels, value in left.items() if (labels in right) is (sign == "and")}
        if sign in _ARITHMETIC:
            return _pair(left, right, _ARITHMETIC[sign])
        if not isinstance(left, dict) and not isinstance(right, dict):
            raise UnknownSyntaxError("a comparison of numbers")
        compares = _COMPARISONS[sign]
        kept = _pair(left, right, lambda one, other: one if compares(one, other) else None)
        if not isinstance(left, dict):
            raise UnknownSyntaxError("a number compared with series: write it the other way round")
        return kept

    def _read_operand(self) -> Value:
        token = self._next()
        if token[0].isdigit():
            return float(token)
        if token == "(":
            value = self._read_binary(0)
            self._expect(")")
            return value
        if token in _AGGREGATIONS:
            return self._aggregate(token)
        reads = {"time": self._read_time, "histogram_quantile": self._read_quantile}
        reads |= {name: partial(self._read_rate, name) for name in ("rate", "increase")}
        return reads[token]() if token in reads else self._read_series(token)

    def _read_time(self) -> float:
        self._expect("(")
        self._expect(")")
        return self._now

    def _read_series(self, name: str) -> Vector:
        """Read a selector; return its series that the last scrape had."""
        self._require(re.fullmatch(r"[A-Za-z_:][\w:]*", name) is not None and self._peek() != "(")
        last_at = max(at for at in self._scrapes.times if at <= self._now)
        found = self._select(name, LOOK_BACK_SECONDS)
        self._require(not (self._peek() or "").startswith("["))
        return {labels: samples[-1].value for labels, samples in found.items() if samples[-1].at == last_at}

    def _aggregate(self, name: str) -> Vector:
        by: list[str] = []
        if self._peek() == "by":
            self._next()
            by = self._read_names()
        self._expect("(")
        inner = self._read_binary(0)
        self._expect(")")
        self._require(self._peek() not in {"by", "without"})
        if not isinstance(inner, dict):
            raise UnknownSyntaxError(f"{name} of a number")
        groups: dict[Labels, list[float]] = {}
        for labels, value in inner.items():
            groups.setdefault(tuple((key, text) for key, text in labels if key in by), []).append(value)
        return {labels: float(_AGGREGATIONS[name](values)) for labels, values in groups.items()}

    def _read_names(self) -> list[str]:
        self._expect("(")
        names = [self._next()]
        while self._peek() == ",":
            self._next()
            names.append(self._next())
        self._expect(")")
        return names

    def _read_rate(self, name: str) -> Vector:
        self._expect("(")
        selected = self._next()
        begin = self._at
        while not (token := self._next()).startswith("["):
            self._require(token not in {"(", ")"})
        seconds, end = _read_range(token), self._at
        self._at = begin
        found = self._select(selected, seconds)
        self._require(self._at == end - 1)
        self._at = end
        self._expect(")")
        per = seconds if name == "rate" else 1
        return {labels: _increase(samples) / per for labels, samples in found.items() if len(samples) > 1}

    def _read_quantile(self) -> Vector:
        self._expect("(")
        quantile = self._read_operand()
        self._expect(",")
        buckets = self._read_binary(0)
        self._expect(")")
        if isinstance(quantile, dict) or not isinstance(buckets, dict):
            raise UnknownSyntaxError("histogram_quantile of something else")
        groups: dict[Labels, list[tuple[float, float]]] = {}
        for labels, value in buckets.items():
            limit = float(dict(labels)["le"])
            groups.setdefault(tuple(pair for pair in labels if pair[0] != "le"), []).append((limit, value))
        return {labels: _find_quantile(quantile, sorted(pairs)) for labels, pairs in groups.items()}

    def _select(self, name: str, seconds: float) -> dict[Labels, list[Sample]]:
        """Read the matchers that follow; return the samples of the last seconds of each series."""
        matchers: list[tuple[str, str, str]] = []
        if self._peek() == "{":
            self._next()
            while self._peek() != "}":
                label, sign, text = self._next(), self._next(), self._next()
                self._require(sign in _MATCHES and text.startswith('"'))
                matchers.append((label, sign, text[1:-1]))
                if self._peek() == ",":
                    self._next()
            self._expect("}")
        found: dict[Labels, list[Sample]] = {}
        for labels, samples in self._scrapes.series.get(name, {}).items():
            known = dict(labels)
            recent = [sample for sample in samples if self._now - seconds < sample.at <= self._now]
            if recent and all(_MATCHES[sign](known.get(label, ""), text) for label, sign, text in matchers):
                found[labels] = recent
        return found


def _split(expression: str) -> list[str]:
    tokens: list[str] = []
    at = 0
    expression = expression.rstrip()
    while at < len(expression):
        match = _TOKEN.match(expression, at)
        if match is None:
            raise UnknownSyntaxError(expression[at:])
        tokens.append(match[0].strip())
        at = match.end()
    return tokens


def _read_range(token: str) -> float:
    if not token.startswith("["):
        raise UnknownSyntaxError(token)
    return float(token[1:-2]) * _UNITS[token[-2]]


def _increase(samples: Sequence[Sample]) -> float:
    """Return by how much a counter rose, over its restarts."""
    pairs = pairwise(sample.value for sample in samples)
    return sum(new - old if new >= old else new for old, new in pairs)


def _find_quantile(quantile: float, buckets: Sequence[tuple[float, float]]) -> float:
    """Return the quantile of cumulative buckets, between their limits as Prometheus does."""
    total = buckets[-1][1]
    if not total or not math.isinf(buckets[-1][0]):
        return math.nan
    rank, below, count_below = quantile * total, 0.0, 0.0
    for limit, count in buckets:
        if count >= rank:
            if math.isinf(limit):
                return below
            return below + (limit - below) * (rank - count_below) / (count - count_below)
        below, count_below = limit, count
    return below


def _pair(left: Value, right: Value, combine: Callable[[float, float], float | None]) -> Value:
    """Combine series with the same labels, or each series with a number; drop those without a counterpart."""
    if not isinstance(left, dict) and not isinstance(right, dict):
        return combine(left, right) or 0.0
    if not isinstance(left, dict):
        pairs = {labels: (left, value) for labels, value in right.items()} if isinstance(right, dict) else {}
    elif not isinstance(right, dict):
        pairs = {labels: (value, right) for labels, value in left.items()}
    else:
        pairs = {labels: (value, right[labels]) for labels, value in left.items() if labels in right}
    combined = {labels: combine(*pair) for labels, pair in pairs.items()}
    return {labels: value for labels, value in combined.items() if value is not None}
