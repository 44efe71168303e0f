"""Hall's condition, tight sets and the number of choices, against trying all choices."""

from itertools import combinations, product

import numpy as np
import pytest

from meetdeck.booking.slots.matching import (
    MOST_WAYS,
    count_people,
    count_ways,
    find_slack,
    find_tight,
    is_enough,
)


def list_ways(masks: list[int], needed: list[int]) -> set[tuple[frozenset[int], ...]]:
    """Return all choices of different people for the groups."""
    people = range(len(masks))
    each_group = [
        [frozenset(some) for some in combinations([one for one in people if masks[one] >> group & 1], count)]
        for group, count in enumerate(needed)
    ]
    return {ways for ways in product(*each_group) if len(frozenset[int]().union(*ways)) == sum(needed)}


@pytest.mark.parametrize("groups", [1, 2, 3, 4])
def test_what_is_counted_is_what_trying_all_choices_finds(groups: int) -> None:
    rng = np.random.default_rng(groups)
    needed = [1, 2, 1, 1][:groups]
    masks = rng.integers(0, 1 << groups, (6, 40), dtype=np.uint8) & rng.integers(
        0, 1 << groups, (6, 40), dtype=np.uint8
    )
    counts = count_people(masks, groups)
    slack = find_slack(counts, needed)
    enough, tight, ways = is_enough(slack), find_tight(slack), count_ways(counts, needed)
    for start in range(40):
        people = masks[:, start].tolist()
        found = list_ways(people, needed)
        assert enough[start] == bool(found)
        assert ways[start] == len(found)
        for person in range(6) if found else ():
            without = [0 if one == person else mask for one, mask in enumerate(people)]
            assert bool(people[person] & tight[start]) != bool(list_ways(without, needed))


def test_many_choices_are_counted_up_to_a_million() -> None:
    masks = np.full((1000, 1), 255, dtype=np.uint8)
    assert count_ways(count_people(masks, 8), [1] * 8).tolist() == [MOST_WAYS]
    assert count_ways(count_people(np.ones((100, 1), dtype=np.uint8), 1), [3]).tolist() == [100 * 99 * 98 // 6]


def test_two_people_who_are_only_in_one_group_each_are_both_needed() -> None:
    masks = np.array([[0b01], [0b10]], dtype=np.uint8)
    slack = find_slack(count_people(masks, 2), [1, 1])
    assert slack.tolist() == [[0, 0, 0, 0]]
    assert find_tight(slack).tolist() == [0b11]
    assert find_tight(slack, without=0).tolist() == [0b10]
