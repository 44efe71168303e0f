"""After calendars changed, a search finds again what it would find anew, and its JSON is the same."""

from collections.abc import Collection, Iterable
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from meetdeck.booking.slots import kept_json
from meetdeck.booking.slots.again import search_again
from meetdeck.booking.slots.encode import encode
from meetdeck.booking.slots.kept_json import KeptJson
from meetdeck.booking.slots.model import Calendars, SpanRow
from meetdeck.booking.slots.search import search, search_all
from support.slots.random_firms import EXAMPLES, SLOW, Firm, firms_with_extra_hours
from support.slots.reference import Entries
from support.slots.small_firm import ADVISOR, OFFICE, QUERY, taken

ADVISORS = [replace(ADVISOR, employee_id=UUID(int=key), resource_key=key) for key in (1, 2, 3)]


def without(rows: Iterable[SpanRow], keys: Collection[int]) -> list[SpanRow]:
    return [row for row in rows if row[0] not in keys]


def write(found: KeptJson) -> bytes:
    return b"".join(found.pieces)


@pytest.mark.parametrize("piece_bytes", [1, 500, 1 << 20])
def test_what_is_found_again_is_what_is_found_anew(monkeypatch: pytest.MonkeyPatch, piece_bytes: int) -> None:
    """Random firms, of whose people some had nothing in their calendars, or have nothing now."""
    monkeypatch.setattr(kept_json, "_PIECE_BYTES", piece_bytes)

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=SLOW, derandomize=EXAMPLES < 100)
    @given(firms_with_extra_hours(), st.frozensets(st.integers(1, 8), max_size=2))
    def compare(drawn: tuple[Firm, Entries], changed: frozenset[int]) -> None:
        (query, organization, advisors, rooms, busy), entries = drawn
        less = Entries(*(without(rows, changed) for rows in entries))
        full, empty = (
            Calendars.from_rows(rows, each.busy, extra_open=each.extra_open, elsewhere=each.elsewhere)
            for rows, each in ((busy, entries), (without(busy, changed), less))
        )
        for before, after in ((full, empty), (empty, full)):
            known = search_all(query, organization, advisors, rooms, before)
            again = None
            if known.frame is not None:
                again = search_again(known.slots, known.frame, changed, after)
            anew = b"".join(encode(search(query, organization, advisors, rooms, after)))
            json = KeptJson.write(known.slots)
            assert write(json) == b"".join(encode(known.slots))
            assert again is None or write(json.rewrite(again)) == anew
            assert write(json.rewrite(search(query, organization, advisors, rooms, after))) == anew

    compare()


def test_only_the_candidates_whose_calendars_changed_are_searched_again() -> None:
    known = search_all(QUERY, OFFICE, ADVISORS, (), Calendars())
    assert known.frame is not None
    booked = Calendars.from_rows([taken("09:00", "10:00", key) for key in (1, 2)])
    again = search_again(known.slots, known.frame, frozenset({2}), booked)
    assert again is not None
    assert np.array_equal(again.offers[:, [0, 2]], known.slots.offers[:, [0, 2]])
    assert np.flatnonzero(again.offers[:, 1] != known.slots.offers[:, 1]).tolist() == [0, 1]
    json = KeptJson.write(known.slots)
    assert len(write(json.rewrite(again))) < len(write(json))


def test_all_are_searched_anew_when_extra_hours_or_most_calendars_changed() -> None:
    known = search_all(QUERY, OFFICE, ADVISORS, (), Calendars())
    assert known.frame is not None
    later = Calendars.from_rows((), extra_open=[taken("18:00", "19:00", 2)])
    assert search_again(known.slots, known.frame, frozenset({2}), later) is None
    assert search_again(known.slots, known.frame, frozenset({1, 2}), Calendars()) is None
    extra = search_all(QUERY, OFFICE, ADVISORS, (), later)
    assert extra.frame is not None
    assert search_again(extra.slots, extra.frame, frozenset({2}), Calendars()) is None
    assert search_all(replace(QUERY, best=True), OFFICE, ADVISORS, (), Calendars()).frame is None
