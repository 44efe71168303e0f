"""More ways of offering an advisor never offer less, whatever the service groups (docs/api/advisors.md#more-ways)."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import product
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from meetdeck.booking.scheduling.search.service.terms import Consideration, GroupRules, Memberships, Ranks, Terms
from meetdeck.booking.slots.model import EVERY_TYPE, MEETING_TYPES, MeetingType

ANNA = UUID(int=1)
HOUR, MINUTE, NOTHING = timedelta(hours=1), timedelta(minutes=1), timedelta(0)
LENGTHS = (NOTHING, MINUTE, HOUR)
RIBE, ODENSE, SKAGEN = PLACES = ("Ribe", "Odense", "Skagen")
TELEPHONE = frozenset({MeetingType.TELEPHONE})
Groups = list[GroupRules]
Slot = tuple[MeetingType, timedelta, timedelta, str]

few_types = st.just(EVERY_TYPE) | st.frozensets(st.sampled_from(MeetingType), min_size=1)
groups = st.builds(
    GroupRules,
    name=st.sampled_from("ABC"),
    is_fitting=st.booleans(),
    meeting_types=few_types,
    daily_limit=st.none(),
    priority=st.integers(0, 2),
    response_time=st.sampled_from(LENGTHS),
    buffer_before=st.sampled_from(LENGTHS),
    buffer_after=st.just(NOTHING),
    level_types=few_types | st.just(frozenset[MeetingType]()),
    physical_places=st.none() | st.frozensets(st.sampled_from(PLACES), min_size=1),
    labels=st.just(("VIP",)),
)
members = st.tuples(st.lists(groups, max_size=3), st.lists(groups, max_size=3))
ranks = st.none() | st.builds(
    Ranks,
    explicit=st.integers(0, 3),
    local=st.integers(0, 3),
    groups=st.lists(st.tuples(st.sampled_from([None, "VIP"]), st.integers(1, 3)), max_size=2).map(tuple),
    place=st.sampled_from([None, RIBE]),
)
wants = st.builds(Consideration, st.booleans(), st.booleans(), st.booleans(), st.sampled_from([None, RIBE]), ranks)
MORE_WAYS = ({"is_named": True}, {"is_anybody": True}, {"by_service_group": True}, {"local_place": RIBE})


def make_group() -> GroupRules:
    """Return a group that offers everything in every search."""
    return GroupRules("G", True, EVERY_TYPE, None, 0, NOTHING, NOTHING, NOTHING)  # noqa: FBT003 - it fits


def list_terms(own: Groups, through: Groups, wanted: Consideration) -> Sequence[Terms]:
    memberships = Memberships()
    for group in own:
        memberships.add(group, [ANNA], [])
    for group in through:
        memberships.add(group, [], [ANNA])
    return memberships.list_terms(ANNA, wanted)


def offer(terms: Sequence[Terms]) -> dict[Slot, int]:
    """Return the slots that the terms offer, by type, time ahead, free time before it and place, each once.

    With the priority by which each is listed.
    """
    return {
        slot: max(each.priority for each in offering)
        for slot in product(MEETING_TYPES, LENGTHS, LENGTHS, PLACES)
        if (offering := [each for each in terms if offers(each, *slot)])
    }


def offers(terms: Terms, meeting_type: MeetingType, ahead: timedelta, free: timedelta, place: str) -> bool:
    is_physical = meeting_type is MeetingType.PHYSICAL
    return (
        meeting_type in terms.meeting_types
        and meeting_type in terms.level_types
        and terms.response_time <= ahead
        and terms.buffer_before <= free
        and terms.start_place in {None, place}
        and (not is_physical or terms.physical_places is None or place in terms.physical_places)
    )


def assert_no_less(before: dict[Slot, int], after: dict[Slot, int]) -> None:
    assert before.keys() <= after.keys()
    assert all(priority <= after[slot] for slot, priority in before.items())


@given(members, wants)
def test_a_further_way_of_asking_takes_no_slot_away(firm: tuple[Groups, Groups], wanted: Consideration) -> None:
    before = offer(list_terms(*firm, wanted))
    for more in MORE_WAYS:
        assert_no_less(before, offer(list_terms(*firm, replace(wanted, **more))))


@given(members, wants)
def test_who_is_named_is_offered_every_type_that_the_buffers_leave(
    firm: tuple[Groups, Groups], wanted: Consideration
) -> None:
    found = offer(list_terms(*firm, replace(wanted, is_named=True)))
    assert {(each, NOTHING, HOUR, place) for each in MEETING_TYPES for place in PLACES} <= found.keys()


@given(members, wants, st.integers(0, 2), groups)
def test_a_further_group_takes_no_slot_from_a_member_of_others_unless_it_wants_longer_buffers(
    firm: tuple[Groups, Groups], wanted: Consideration, place: int, more: GroupRules
) -> None:
    own, through = firm
    if own:
        more = replace(more, buffer_before=min(more.buffer_before, *(each.buffer_before for each in (*own, own[0]))))
        before = offer(list_terms(own, through, wanted))
        assert_no_less(before, offer(list_terms([*own[:place], more, *own[place:]], through, wanted)))


@given(members, wants, st.integers(0, 2), few_types)
def test_a_further_group_without_a_level_takes_no_slot_from_those_of_competence_groups(
    firm: tuple[Groups, Groups], wanted: Consideration, place: int, meeting_types: frozenset[MeetingType]
) -> None:
    own, through = firm
    more = replace(make_group(), meeting_types=meeting_types, priority=2)
    before = offer(list_terms(own, through, replace(wanted, ranks=None)))
    after = offer(list_terms(own, [*through[:place], more, *through[place:]], replace(wanted, ranks=None)))
    assert before.keys() <= after.keys()


@given(members, wants)
def test_a_higher_priority_takes_no_slot_away(firm: tuple[Groups, Groups], wanted: Consideration) -> None:
    before = offer(list_terms(*firm, wanted))
    for raised in range(3):
        own, through = (
            [replace(each, priority=each.priority + 3 * (number == raised)) for number, each in enumerate(some)]
            for some in firm
        )
        assert offer(list_terms(own, through, wanted)).keys() == before.keys()


@given(members, wants)
def test_lifting_a_level_takes_no_slot_away(firm: tuple[Groups, Groups], wanted: Consideration) -> None:
    before = offer(list_terms(*firm, wanted))
    own, through = ([replace(each, level_types=EVERY_TYPE, physical_places=None) for each in some] for some in firm)
    assert before.keys() <= offer(list_terms(own, through, wanted)).keys()


@given(members, wants)
def test_what_the_terms_offer_does_not_depend_on_the_order_of_groups(
    firm: tuple[Groups, Groups], wanted: Consideration
) -> None:
    own, through = firm
    assert offer(list_terms(own, through, wanted)) == offer(list_terms(own[::-1], through[::-1], wanted))


@given(members, wants)
def test_no_terms_cover_others_and_each_trigger_is_told_of_alone(
    firm: tuple[Groups, Groups], wanted: Consideration
) -> None:
    terms = list_terms(*firm, wanted)
    assert not any(one.covers(other) for one in terms for other in terms if one is not other)
    let_through = frozenset[MeetingType]().union(
        *(each.meeting_types for each in firm[0] or firm[1] if each.is_fitting)
    )
    for meeting_type in let_through if terms and wanted.by_service_group else ():
        assert any(meeting_type in each.meeting_types for each in terms), (
            "a trigger is blamed that lets the type through"
        )


def test_two_ways_that_offer_the_same_are_one() -> None:
    only_by_telephone = replace(make_group(), meeting_types=TELEPHONE, level_types=TELEPHONE, priority=10)
    found = list_terms([only_by_telephone], [], Consideration(is_named=True, is_anybody=True))
    assert [(each.priority, each.offered_types) for each in found] == [(10, TELEPHONE), (0, EVERY_TYPE - TELEPHONE)]


def test_a_type_that_a_trigger_lets_through_and_its_level_does_not_is_the_levels_doing() -> None:
    online = replace(make_group(), meeting_types=frozenset({MeetingType.ONLINE}))
    contradictory = replace(make_group(), meeting_types=TELEPHONE, level_types=frozenset({MeetingType.ONLINE}))
    (found,) = list_terms([online, contradictory], [], Consideration(is_anybody=True))
    assert (found.offered_types, found.meeting_types - found.level_types) == (online.meeting_types, TELEPHONE)
