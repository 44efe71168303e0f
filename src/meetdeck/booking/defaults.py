"""What holds for an organization that has set nothing yet; the columns' defaults say the same.

The rules: docs/api.md#organization-settings.
"""

from meetdeck.platform.durations import Duration
from meetdeck.platform.wire import TimeOfDay

OPENING_TIME = TimeOfDay(8)
CLOSING_TIME = TimeOfDay(17)
MINIMUM_BOOKING_NOTICE = Duration(hours=4)
TIME_ZONE = "Europe/Copenhagen"
