"""What service groups say about one advisor."""

from datetime import timedelta
from uuid import UUID

import pytest

from meetdeck.booking.scheduling.service_groups import EVERY_TYPE, Memberships, ServiceGroup, ServiceRules
from meetdeck.booking.slots.model import MeetingType

ANNA = UUID(int=1)
ONLINE, TELEPHONE = frozenset({MeetingType.ONLINE}), frozenset({MeetingType.TELEPHONE})
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


def make_group(
    meeting_types: frozenset[MeetingType] = EVERY_TYPE,
    *,
    is_fitting: bool = True,
    limit: timedelta | None = None,
    priority: int = 0,
    length: timedelta = timedelta(0),
) -> ServiceGroup:
    return ServiceGroup("Private banking", is_fitting, meeting_types, limit, priority, length, length, length)


def find_rules(
    *own: ServiceGroup,
    through: tuple[ServiceGroup, ...] = (),
    is_named: bool = False,
    is_of_kind: bool = True,
    by_service_group: bool = False,
) -> ServiceRules | None:
    memberships = Memberships()
    for group in own:
        memberships.add(group, [ANNA], [])
    for group in through:
        memberships.add(group, [], [ANNA])
    return memberships.find_rules(ANNA, is_named=is_named, is_of_kind=is_of_kind, by_service_group=by_service_group)


def test_who_is_in_no_service_group_is_offered_without_more_ado() -> None:
    assert find_rules() == ServiceRules()
    assert find_rules(is_of_kind=False) is None
    assert find_rules(is_of_kind=False, is_named=True) == ServiceRules()


@pytest.mark.parametrize(("is_of_kind", "by_service_group"), [(True, False), (False, True), (True, True)])
def test_of_an_advisors_own_groups_one_must_fit(is_of_kind: bool, by_service_group: bool) -> None:  # noqa: FBT001 - parameters of a test
    def find(*own: ServiceGroup) -> ServiceRules | None:
        return find_rules(*own, is_of_kind=is_of_kind, by_service_group=by_service_group)

    missing, online, telephone = make_group(is_fitting=False), make_group(ONLINE), make_group(TELEPHONE)
    assert find(missing) is None
    assert find(missing, online) == ServiceRules(ONLINE)
    assert find(online, telephone) == ServiceRules(ONLINE | TELEPHONE)


def test_an_own_member_is_not_offered_when_no_kind_asks() -> None:
    assert find_rules(make_group(), is_of_kind=False) is None


def test_competence_groups_lead_to_a_service_group_that_fits() -> None:
    ways = (make_group(TELEPHONE, is_fitting=False), make_group(ONLINE, length=HOUR))
    assert find_rules(through=ways, is_of_kind=False, by_service_group=True) == ServiceRules(ONLINE)
    assert find_rules(through=ways[:1], is_of_kind=False, by_service_group=True) is None


def test_who_is_named_is_offered_in_every_way() -> None:
    assert find_rules(make_group(ONLINE, is_fitting=False), is_named=True) == ServiceRules()


def test_the_strictest_rules_of_fitting_groups_count_and_the_limits_of_all() -> None:
    groups = (
        make_group(limit=3 * HOUR, priority=1, length=MINUTE),
        make_group(priority=7, length=2 * MINUTE),
        make_group(is_fitting=False, limit=2 * HOUR, priority=9, length=HOUR),
    )
    assert find_rules(*groups) == ServiceRules(EVERY_TYPE, 2 * HOUR, 7, 2 * MINUTE, 2 * MINUTE, 2 * MINUTE)
