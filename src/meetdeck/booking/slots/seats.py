"""The seats that a meeting's room needs: the one answer for searches and meetings (docs/api/rooms-and-seats.md).

Search, booking, portals and vacancies once counted separately, so an invited customer got two chairs and a time that
the search offered was refused. A search gets the people from outside, not the `externalAttendees`, since it cannot know
which of them is the customer. Nobody guesses by name or address.
"""

from typing import Final

MOST_ATTENDEES: Final = 1_001
"""A customer, and as many external attendees as a meeting may have."""


def count_attendees(external_attendees: int, *, is_customer_among: bool) -> int:
    """Return the number of external people: the external attendees, and the customer if not one of them.

    A customer always comes, even when nobody is named.
    """
    return max(external_attendees, 1) if is_customer_among else external_attendees + 1


def count_seats(employees: int, attendees: int, *, is_physical: bool) -> int:
    """Return the seats for a meeting's employees and attendees; only employees use the room of other meetings."""
    return employees + attendees if is_physical else employees
