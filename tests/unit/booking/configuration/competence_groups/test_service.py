"""Circles of parents, and levels of them."""

from itertools import pairwise

import pytest

from meetdeck.booking.configuration.competence_groups.service import count_levels, find_circle


@pytest.mark.parametrize(
    ("edges", "circle"),
    [
        ("", None),
        ("a>b b>c", None),
        ("a>b a>c b>d c>d", None),  # two ways up to one group are not a circle
        ("b>c c>b", None),  # not a's
        ("a>a", "aa"),
        ("a>b b>a", "aba"),
        ("a>b b>c c>a", "abca"),
        ("b>a c>b a>d d>c", "adcba"),
        ("a>b b>c c>d d>a b>a", "aba"),  # the shortest
        ("a>b b>b b>a", "aba"),  # another circle on the way
    ],
)
def test_the_way_back_to_a_group_over_its_parents_is_found(edges: str, circle: str | None) -> None:
    found = find_circle("a", [(edge[0], edge[2]) for edge in edges.split()])
    assert found == (list(circle) if circle is not None else None)


def test_many_ways_up_are_each_gone_once() -> None:
    layers = [[f"{depth}-{number}" for number in range(20)] for depth in range(50)]
    edges = [(low, high) for one, other in pairwise(layers) for low in one for high in other]
    assert find_circle("0-0", edges) is None
    assert len(find_circle("0-0", [*edges, ("49-7", "0-0")]) or []) == 51


@pytest.mark.parametrize(
    ("edges", "levels"),
    [
        ("", 0),
        ("b>c", 0),
        ("a>b", 1),
        ("a>b a>c b>d", 2),
        ("a>d a>b b>c c>d", 3),  # by the longest way up
    ],
)
def test_levels_are_counted_by_the_longest_way_up(edges: str, levels: int) -> None:
    assert count_levels("a", [(edge[0], edge[2]) for edge in edges.split()]) == levels
