"""Damaged and joined pictures through the judgement of what a renderer may see."""

from hypothesis import given
from hypothesis import strategies as st

from meetdeck.present.render.pictures import EMPTY_SVG, defuse
from support.carriers import CARRIERS, harmless
from support.image_decks import make_png

_ADDRESS = "file:///srv/canary.png"
_PICTURES = [*harmless(make_png()).values(), *(carry(_ADDRESS)[1] for carry in CARRIERS.values())]

_positions = st.floats(0, 1, exclude_max=True)


@given(st.sampled_from(_PICTURES), st.lists(st.tuples(_positions, st.integers(0, 255)), max_size=8), _positions)
def test_wrong_bytes_and_cut_ends(picture: bytes, changes: list[tuple[float, int]], end: float) -> None:
    damaged = bytearray(picture)
    for position, value in changes:
        damaged[int(position * len(damaged))] = value
    for tried in (bytes(damaged), bytes(damaged[: int(end * len(damaged))])):
        assert defuse(defuse(tried)) == defuse(tried)


@given(st.sampled_from(_PICTURES), _positions, st.integers(0, 2**32 - 1))
def test_wrong_fields_of_records(picture: bytes, position: float, value: int) -> None:
    damaged = bytearray(picture)
    place = int(position * len(damaged)) // 4 * 4
    damaged[place : place + 4] = value.to_bytes(4, "little")
    assert defuse(defuse(bytes(damaged))) == defuse(bytes(damaged))


@given(st.sampled_from(_PICTURES), st.sampled_from(_PICTURES), _positions)
def test_a_picture_in_the_middle_of_another(outer: bytes, inner: bytes, position: float) -> None:
    place = int(position * len(outer))
    assert len(defuse(outer[:place] + inner + outer[place:])) <= max(len(EMPTY_SVG), 100_000)


@given(
    st.binary(max_size=300),
    st.sampled_from([b"", b"\1\0\0\0", b"\xd7\xcd\xc6\x9a", b"\1\0\x09\0", b"BM", b"\x1f\x8b\x08"]),
)
def test_nonsense(content: bytes, begins: bytes) -> None:
    assert defuse(begins + content)
