"""Damaged and hostile zips: bits flipped, ends cut, pieces swapped, doubled and mixed."""

import io
import warnings
import zipfile
from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from fuzz.engine import build_all
from support.package_checker.samples import one_of_everything

_ZIP_RECORDS = (b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")


@cache
def _entries() -> tuple[tuple[str, bytes], ...]:
    with zipfile.ZipFile(io.BytesIO(one_of_everything())) as archive:
        return tuple((name, archive.read(name)) for name in archive.namelist())


_positions = st.floats(0, 1, exclude_max=True)


@given(st.lists(st.tuples(_positions, st.integers(0, 255)), min_size=1, max_size=8))
def test_wrong_bytes(changes: list[tuple[float, int]]) -> None:
    data = bytearray(one_of_everything())
    for position, value in changes:
        data[int(position * len(data))] = value
    build_all(bytes(data), {})


@given(st.sampled_from(_ZIP_RECORDS), _positions, st.integers(4, 46), st.integers(0, 2**16 - 1))
def test_wrong_fields_of_zip_records(record: bytes, which: float, offset: int, value: int) -> None:
    data = bytearray(one_of_everything())
    places = [place for place in range(len(data)) if data.startswith(record, place)]
    if places:
        start = places[int(which * len(places))] + offset
        data[start : start + 2] = value.to_bytes(2, "little")[: max(0, len(data) - start)]
    build_all(bytes(data), {})


@given(_positions, _positions, _positions)
def test_pieces_cut_out_and_put_elsewhere(first: float, second: float, third: float) -> None:
    data = one_of_everything()
    start, end = sorted((int(first * len(data)), int(second * len(data))))
    piece, rest = data[start:end], data[:start] + data[end:]
    place = int(third * len(rest))
    build_all(rest[:place] + piece + rest[place:], {})
    build_all(data[:end] + data[start:], {})
    build_all(rest, {})


@given(
    st.lists(
        st.tuples(st.sampled_from(["swap", "rename", "drop", "double", "cut"]), _positions, _positions), max_size=4
    )
)
def test_entries_swapped_renamed_dropped_and_doubled(changes: list[tuple[str, float, float]]) -> None:
    entries = list(_entries())
    for kind, first, second in changes:
        if not entries:
            break
        one, two = int(first * len(entries)), int(second * len(entries))
        (name, content), (other_name, other) = entries[one], entries[two]
        if kind == "swap":
            entries[one], entries[two] = (name, other), (other_name, content)
        elif kind == "rename":
            entries[one] = (other_name.upper() if one != two else f"../{name}", content)
        elif kind == "drop":
            del entries[one]
        elif kind == "double":
            entries.append((name, other))
        else:
            entries[one] = (name, content[: int(second * len(content))])
    build_all(_pack(entries), {})


def _pack(entries: list[tuple[str, bytes]]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Duplicate name", UserWarning)
        for name, content in entries:
            archive.writestr(name, content)
    return packed.getvalue()
