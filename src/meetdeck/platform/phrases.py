"""Sentences with values: each is English text for the API, which pages write again in their own language.

`phrase("There is no room {name}.", name=name)` returns plain English. Inside `collect`, it also records the template
and the values under that English text, so that a page that gets the text back over the API can look up what it was made
of (docs/decisions/0190). A value may be a phrase, too; `mean` records a moment, a day, a length or a thing with a page.
"""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from uuid import UUID


class Phrase(NamedTuple):
    """A sentence: its template, which is also its key in the catalogues, and its values."""

    template: str
    values: Mapping[str, object]


class Sequel(NamedTuple):
    """Consecutive texts, with a separator that is the same in each language."""

    parts: tuple[str, ...]
    between: str


class Hours(NamedTuple):
    """A time of a day, from its beginning to its end; midnight is the end of the day."""

    begin: time
    end: time


class Span(NamedTuple):
    """A time from one moment to another, both in the zone whose clock is meant."""

    begin: datetime
    end: datetime


class NamedResource(NamedTuple):
    """A resource that has a page: a kind in the API's words (`meeting`, `employee`), an id, and a name."""

    kind: str
    id: UUID
    name: str

    def __str__(self) -> str:
        """Return the name."""
        return self.name


Meaning = Phrase | Sequel | Hours | Span | NamedResource | datetime | date | timedelta
"""The meaning of a text."""

Phrases = dict[str, Meaning]
"""The meanings of texts, by their English text."""

_collected: ContextVar[Phrases | None] = ContextVar("phrases", default=None)


@contextmanager
def collect(into: Phrases) -> Generator[None]:
    """Record in `into` the meanings of the texts made inside, including those in threads and tasks begun inside."""
    token = _collected.set(into)
    try:
        yield
    finally:
        _collected.reset(token)


def phrase(template: str, /, **values: object) -> str:
    """Return an English text with its `{names}` replaced by values."""
    return mean(template.format(**values), Phrase(template, values))


def mark(template: str) -> str:
    """Return a template unchanged, to be passed to `phrase` elsewhere: marked here, it is in the catalogues."""
    return template


def join(parts: Sequence[str], between: str = " ") -> str:
    """Return consecutive texts, without the empty ones."""
    kept = tuple(part for part in parts if part)
    return mean(between.join(kept), Sequel(kept, between)) if len(kept) != 1 else kept[0]


def mean(text: str, meaning: Meaning) -> str:
    """Return an English text unchanged, and record its meaning."""
    collected = _collected.get()
    if collected is not None and text:
        collected[text] = meaning
    return text
