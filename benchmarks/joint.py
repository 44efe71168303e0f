"""What a search for joint meetings costs beside the same search without: `python benchmarks/joint.py`.

The pure search of 1,000 advisors and 30 days, in turns: without groups, with one specialist of 200, with one of each of
three groups of 200 that share half of their people. Processor time, the least of the rounds. The search is what both
versions of the API do; naming the people, and a longer answer, is what v3 adds.
"""

from datetime import time, timedelta
from time import process_time
from typing import Final

from msgspec.structs import replace
from slot_peers.firm import DAILY_LIMIT, HOUR, NOW, TYPES, WEEKDAYS, ZONE, Size, hours_of, make_firm

from meetdeck.booking.slots.encode import Members, encode
from meetdeck.booking.slots.model import AlsoGroup, Calendars, Candidate, Organization, Query, Spans, WorkInterval
from meetdeck.booking.slots.search import search_jointly
from meetdeck.booking.slots.teams import Teams
from meetdeck.booking.slots.timestamps import to_length

SIZE: Final = Size(1000, 30)
ROUNDS: Final = 9
GOALS: Final = {"one of 200": 1.3, "three of 200": 1.8}


def make_input() -> tuple[Query, Organization, list[Candidate], Calendars]:
    """Return the input of a search of the whole firm."""
    firm = make_firm(SIZE)
    weeks = {
        hours: tuple(WorkInterval(day, *hours, frozenset(TYPES), "Aarhus") for day in WEEKDAYS)
        for hours in {hours_of(SIZE, number) for number in range(SIZE.advisors)}
    }
    advisors = [
        Candidate(employee_id, number + 1, ZONE, weeks[hours_of(SIZE, number)], DAILY_LIMIT)
        for number, employee_id in enumerate(firm.advisor_ids)
    ]
    busy = Spans(firm.booked_keys, firm.booked_at, firm.booked_at + to_length(HOUR))
    query = Query(now=NOW, starts_at=NOW, ends_at=NOW + timedelta(days=SIZE.days), duration=HOUR)
    return query, Organization(ZONE, time(8), time(17)), advisors, Calendars(busy)


def main() -> None:
    """Print the milliseconds of each search, and how many times those without groups they are."""
    query, organization, advisors, calendars = make_input()
    groups = [AlsoGroup(f"Group {one}", 1, tuple(advisors[100 * one : 100 * one + 200])) for one in range(3)]
    queries = {
        "without": query,
        "one of 200": replace(query, also=tuple(groups[:1])),
        "three of 200": replace(query, also=tuple(groups)),
    }
    least: dict[str, tuple[float, float]] = {}
    for _ in range(ROUNDS):
        for name, asked in queries.items():
            begun = process_time()
            slots, joint = search_jointly(asked, organization, advisors, (), calendars)
            searched = process_time() - begun
            teams = Teams(joint, slots) if joint is not None else None
            for _ in encode(slots, Members(teams.render(), teams.find) if teams is not None else None):
                pass
            earlier = least.get(name, (searched, process_time() - begun))
            least[name] = min(earlier[0], searched), min(earlier[1], process_time() - begun)
    print(f"{'':<14}{'search':>10}{'times':>8}{'goal':>6}{'with JSON of v3':>18}{'times':>8}")
    for name, (searched, answered) in least.items():
        times = [each / first for each, first in zip((searched, answered), least["without"], strict=True)]
        goal = GOALS.get(name, 1.0)
        print(f"{name:<14}{searched:>8.3f} s{times[0]:>8.2f}{goal:>6}{answered:>16.3f} s{times[1]:>8.2f}")


if __name__ == "__main__":
    main()
