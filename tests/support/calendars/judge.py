"""Reads iCalendar files with `recurring-ical-events`, in an environment of its own; run by tests.

Each line of the input is a case: a file, a window, a zone. Each line of the output is its busy times in seconds of Unix
time, or null where the library fails.
"""

import json
import signal
import sys
from datetime import date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

import icalendar
import recurring_ical_events

UTC = timezone.utc  # noqa: UP017 - as any Python can run it


_MOST_SECONDS = 2  # of processor time for a file; rules that no day fits take minutes


def main() -> None:
    """Answer each line."""
    signal.signal(signal.SIGVTALRM, _give_up)
    for line in sys.stdin:
        case = json.loads(line)
        signal.setitimer(signal.ITIMER_VIRTUAL, _MOST_SECONDS)
        try:
            answer = read(case["file"], case["begin"], case["end"], ZoneInfo(case["zone"]))
        except Exception:  # noqa: BLE001 - whatever it raises, it has no answer
            answer = None
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        print(json.dumps(answer), flush=True)  # noqa: T201 - its answer


def _give_up(*_: object) -> None:
    raise TimeoutError


def read(text: str, begin: float, end: float, zone: ZoneInfo) -> list[tuple[float, float]]:
    """Return the times at which a file's owner is busy, those that overlap or touch as one."""
    around = [datetime.fromtimestamp(one, UTC) + timedelta(days=days) for one, days in ((begin, -2), (end, 2))]
    query = recurring_ical_events.of(icalendar.Calendar.from_ical(text), components=["VEVENT"])
    times = []
    for event in query.between(*around):
        if event.get("STATUS") == "CANCELLED" or event.get("TRANSP") == "TRANSPARENT":
            continue
        times.append((to_unix(event.start, zone), to_unix(event.end, zone)))
    joined: list[tuple[float, float]] = []
    for earliest, latest in sorted(times):
        first, last = max(earliest, begin), min(latest, end)
        if first >= last:
            continue
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return joined


def to_unix(moment: date, zone: ZoneInfo) -> float:
    """Return a date, a floating time or a moment in seconds."""
    if not isinstance(moment, datetime):
        moment = datetime.combine(moment, time(0))
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).timestamp()


main()
