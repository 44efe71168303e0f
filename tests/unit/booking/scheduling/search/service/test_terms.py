"""The terms of service groups for an advisor."""

from datetime import timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meetdeck.booking.scheduling.search.service.terms import Consideration, GroupRules, Memberships, Terms
from meetdeck.booking.slots.model import EVERY_TYPE, MEETING_TYPES, MeetingType

ANNA = UUID(int=1)
ONLINE, TELEPHONE = frozenset({MeetingType.ONLINE}), frozenset({MeetingType.TELEPHONE})
HOUR, MINUTE, NOTHING = timedelta(hours=1), timedelta(minutes=1), timedelta(0)
ANYBODY, NAMED = Consideration(is_anybody=True), Consideration(is_named=True)
BY_GROUP = Consideration(by_service_group=True)


def make_group(
    meeting_types: frozenset[MeetingType] = EVERY_TYPE,
    *,
    is_fitting: bool = True,
    limit: timedelta | None = None,
    priority: int = 0,
    response: timedelta = NOTHING,
    buffer: timedelta = NOTHING,
) -> GroupRules:
    return GroupRules("Private banking", is_fitting, meeting_types, limit, priority, response, buffer, buffer)


def put_into(*own: GroupRules, through: tuple[GroupRules, ...] = ()) -> Memberships:
    memberships = Memberships()
    for group in own:
        memberships.add(group, [ANNA], [])
    for group in through:
        memberships.add(group, [], [ANNA])
    return memberships


def list_terms(
    *own: GroupRules, through: tuple[GroupRules, ...] = (), wanted: Consideration = ANYBODY
) -> tuple[Terms, ...]:
    return tuple(put_into(*own, through=through).list_terms(ANNA, wanted))


def test_who_is_in_no_service_group_is_offered_without_more_ado() -> None:
    assert list_terms() == list_terms(wanted=NAMED) == (Terms(),)
    assert list_terms(wanted=BY_GROUP) == list_terms(wanted=Consideration()) == ()


@pytest.mark.parametrize("wanted", [ANYBODY, BY_GROUP, Consideration(is_anybody=True, by_service_group=True)])
def test_of_an_advisors_own_groups_one_must_fit(wanted: Consideration) -> None:
    missing, online, telephone = make_group(is_fitting=False), make_group(ONLINE), make_group(TELEPHONE)
    assert list_terms(missing, wanted=wanted) == ()
    assert list_terms(missing, online, wanted=wanted) == (Terms(ONLINE),)
    assert list_terms(online, telephone, wanted=wanted) == (Terms(ONLINE | TELEPHONE),)


def test_competence_groups_lead_to_a_service_group_that_fits_with_its_level() -> None:
    ways = (make_group(TELEPHONE, is_fitting=False), make_group(ONLINE, priority=3, response=HOUR, buffer=MINUTE))
    online = Terms(ONLINE, 3, HOUR, MINUTE, MINUTE)
    assert list_terms(through=ways, wanted=BY_GROUP) == (online,)
    assert list_terms(through=ways[:1], wanted=BY_GROUP) == ()
    assert list_terms(through=ways) == (online, Terms(EVERY_TYPE - ONLINE))  # as anybody, where no group offers her


def test_who_is_named_is_offered_in_every_way_and_waits_for_nothing() -> None:
    assert list_terms(make_group(ONLINE, is_fitting=False), wanted=NAMED) == (Terms(),)
    assert list_terms(make_group(response=HOUR), wanted=NAMED) == (Terms(),)


def test_buffers_of_own_groups_count_whatever_their_triggers_say() -> None:
    buffered = make_group(is_fitting=False, buffer=HOUR)
    every_way = Terms(buffer_before=HOUR, buffer_after=HOUR)
    assert list_terms(buffered, wanted=NAMED) == list_terms(buffered, make_group()) == (every_way,)


def test_of_several_groups_each_offers_for_itself() -> None:
    slow, quick = make_group(ONLINE | TELEPHONE, priority=5, response=HOUR), make_group(TELEPHONE, priority=1)
    assert list_terms(slow, quick) == (Terms(ONLINE | TELEPHONE, 5, HOUR), Terms(TELEPHONE, 1))
    assert list_terms(make_group(response=HOUR), make_group(response=MINUTE)) == (Terms(response_time=MINUTE),)


def test_local_and_anything_else_unite() -> None:
    local = Consideration(local_place="Ribe")
    assert list_terms(wanted=local) == (Terms(start_place="Ribe"),)
    online = make_group(ONLINE)
    both = Consideration(local_place="Ribe", by_service_group=True)
    assert list_terms(online, wanted=both) == (Terms(ONLINE),)
    assert list_terms(through=(online,), wanted=both) == (Terms(ONLINE), Terms(start_place="Ribe"))


def test_the_most_permissive_limit_of_own_groups_counts_also_of_those_that_do_not_fit() -> None:
    groups = (make_group(limit=2 * HOUR), make_group(is_fitting=False, limit=3 * HOUR), make_group())
    assert put_into(*groups).find_daily_limit(ANNA) == 3 * HOUR
    assert put_into(through=groups).find_daily_limit(ANNA) is None


groups = st.builds(
    make_group,
    st.frozensets(st.sampled_from(MeetingType), min_size=1),
    is_fitting=st.booleans(),
    priority=st.integers(0, 2),
    response=st.sampled_from([NOTHING, MINUTE, HOUR]),
    buffer=st.sampled_from([NOTHING, MINUTE, HOUR]),
)
wants = st.builds(Consideration, st.booleans(), st.booleans(), st.booleans(), st.sampled_from([None, "Ribe"]))
lists_of_groups = st.lists(groups, max_size=3)


def is_offered(  # noqa: PLR0913 - the firm, the search and the slot
    own: list[GroupRules],
    through: list[GroupRules],
    wanted: Consideration,
    meeting_type: MeetingType,
    ahead: timedelta,
    free: timedelta,
    *,
    is_there: bool,
) -> bool:
    """Return whether a slot is offered: docs/api/advisors.md, docs/api/groups.md#service-triggers, each sentence.

    It starts so far `ahead`, with so much time `free` before and after it, and `is_there` where the customer is.
    """
    if any(group.buffer_before > free for group in own):
        return False
    asked_for = wanted.is_anybody or (wanted.local_place is not None and is_there)
    offering = [each for each in own or through if each.is_fitting and meeting_type in each.meeting_types]
    if (wanted.is_named or asked_for or wanted.by_service_group) and any(
        group.buffer_before <= free and (group.response_time <= ahead or wanted.is_named) for group in offering
    ):
        return True
    return not offering and (wanted.is_named or (asked_for and not own))


@given(lists_of_groups, lists_of_groups, wants)
def test_the_terms_offer_what_the_rules_say_one_by_one(
    own: list[GroupRules], through: list[GroupRules], wanted: Consideration
) -> None:
    terms = list_terms(*own, through=tuple(through), wanted=wanted)
    for meeting_type in MEETING_TYPES:
        for ahead in (NOTHING, MINUTE, HOUR):
            for free in (NOTHING, MINUTE, HOUR):
                for is_there in (False, True):
                    found = any(
                        meeting_type in each.meeting_types
                        and each.response_time <= ahead
                        and each.buffer_before <= free
                        and (each.start_place is None or is_there)
                        for each in terms
                    )
                    rules = is_offered(own, through, wanted, meeting_type, ahead, free, is_there=is_there)
                    assert found == rules, (meeting_type, ahead, free, is_there)
