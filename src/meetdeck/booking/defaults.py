"""Settings of an organization without settings of its own; the columns have the same defaults.

The rules: docs/api/organization.md.
"""

from datetime import timedelta

from meetdeck.platform.values import Duration, TimeOfDay

OPENING_TIME = TimeOfDay(8)
CLOSING_TIME = TimeOfDay(17)
MINIMUM_BOOKING_NOTICE = Duration(hours=4)
CHANGE_NOTICE_DELAY = Duration(minutes=1)
TIME_ZONE = "Europe/Copenhagen"
MAIN_LOCALE = "en-GB"
"""The language of texts; by default the only one."""

MOST_ADDITIONAL = 200
"""The most additional employees of a meeting or a hold: each is locked while it takes their time."""

COUNTED_BEFORE_NOTICE = timedelta(hours=1)
"""The time before the minimum notice at which `minimumSeats` are counted; customers can book until then."""

MOST_ALSO = 8
"""The most people of service groups who come along to a meeting."""

LONGEST_OCCUPANCY = timedelta(days=31)
"""The greatest length of a reservation or meeting, so that times are found in an index by start alone."""

LONGEST_ENTRY = timedelta(days=366)
"""The greatest length of a calendar entry: entries are found by start, with `SHORT_ENTRY` in two parts."""

SHORT_ENTRY = timedelta(days=1)
"""Longer entries are few, and `is_long` in their table: they are searched separately."""
