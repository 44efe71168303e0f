"""Settings of an organization without settings of its own; the columns have the same defaults.

The rules: docs/api.md#organization-settings.
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

LONGEST_OCCUPANCY = timedelta(days=31)
"""No reservation or meeting lasts longer, so that what touches a time is read from an index by start alone."""

LONGEST_ENTRY = timedelta(days=366)
"""No calendar entry lasts longer: what touches a time is read by start, with `SHORT_ENTRY` in two parts."""

SHORT_ENTRY = timedelta(days=1)
"""Longer entries are few, and `is_long` in their table: those that touch a time are looked for apart."""
