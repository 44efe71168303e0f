"""Joint searches find what trying all choices finds: when, with whom, and how many choices there are."""

from collections import Counter

import msgspec
from hypothesis import given, settings

from meetdeck.booking.slots.encode import Members, encode
from meetdeck.booking.slots.model import Calendars
from meetdeck.booking.slots.search import find_calendar_span, search_jointly
from meetdeck.booking.slots.teams import Teams
from support.slots.joint_reference import JointReference
from support.slots.random_firms import EXAMPLES, SLOW, Firm, joint_firms
from support.slots.reference import Entries


def compare(firm: Firm, entries: Entries) -> Counter[str]:
    """Search with both; return the number of slots, and those of some kinds."""
    query, organization, advisors, rooms, busy = firm
    begin, end = find_calendar_span(query, organization, advisors)
    taken, *noted = ([row for row in rows if row[1] < end and begin < row[2]] for rows in (busy, *entries))
    calendars = Calendars.from_rows(taken, noted[0], extra_open=noted[1], elsewhere=noted[2])
    slots, joint = search_jointly(query, organization, advisors, rooms, calendars)
    reference = JointReference(query, organization, advisors, rooms, busy, entries)
    found = [(slot.starts_at, slot.ends_at, slot.meeting_type, slot.employee_id) for slot in slots]
    assert found == reference.search()
    assert joint is not None or not found
    teams = Teams(joint, slots) if joint is not None else None
    items = msgspec.json.decode(b"".join(encode(slots, teams and Members(teams.render(), teams.find))))
    counts = Counter({"firms": 1, "with slots": bool(found)})
    for slot, item in zip(found, items, strict=True):
        assert item["employeeId"] == str(slot[3])
        company, options = reference.find_company(slot, reference.list_joint_places(slot)[0])
        assert item["additionalEmployees"] == [str(each) for each in company]
        assert item["additionalEmployeeOptions"] == options
        counts["slots"] += 1
        counts["with a choice"] += options > 1
    return counts


def test_joint_searches_find_what_the_reference_finds() -> None:
    counts = Counter[str]()

    @settings(max_examples=EXAMPLES * 2, deadline=None, suppress_health_check=SLOW, derandomize=EXAMPLES < 100)
    @given(joint_firms())
    def compare_any(drawn: tuple[Firm, Entries]) -> None:
        counts.update(compare(*drawn))

    compare_any()
    assert counts["with slots"] > counts["firms"] // 5, "too few firms with slots prove little"
    assert counts["with a choice"], "too few choices prove little"
