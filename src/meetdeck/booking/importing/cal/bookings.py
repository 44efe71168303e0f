"""Cal.com's future bookings as busy time of their hosts."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from meetdeck.booking.importing.cal.people import People
from meetdeck.booking.importing.cal.schemas import BookingItem
from meetdeck.booking.importing.rows import Row
from meetdeck.booking.importing.translated import Report, write_entry

_TAKES_TIME: Final = {"accepted", "pending"}


def translate_bookings(items: Iterable[BookingItem], people: People, now: datetime, report: Report) -> list[Row]:
    """Return an entry for each host of each booking that ends after now and is not cancelled or rejected."""
    entries: dict[tuple[str, datetime, datetime], Row] = {}  # an answer of another status may repeat a booking
    for row, content in items:
        if content.start.tzinfo is None or content.end.tzinfo is None:
            report.problems.add(
                row, "/start", "A booking's start and end need an offset, such as 2026-03-02T09:00:00Z."
            )
            continue
        if content.status not in _TAKES_TIME or content.end <= now:
            continue
        advice = "Bookings become busy time: their customers, titles, places and answers are left out."
        report.leave_out(row, "attendees", advice, content.title)
        if content.status == "pending":
            report.leave_out(row, "status", "Not confirmed yet, but imported as busy time.", content.title)
        addresses = [people.find_address(host.id) or host.email for host in content.hosts]
        if not all(addresses) or not addresses:
            report.leave_out(row, "hosts", "Left out: a host without an e-mail address.", content.title)
        for address in filter(None, addresses):
            entry = write_entry(address, "Busy", content.start, content.end)
            key = (address.casefold(), content.start, content.end)
            entries.setdefault(key, Row(row.file, row.line, entry, place=row.place))
    return list(entries.values())
