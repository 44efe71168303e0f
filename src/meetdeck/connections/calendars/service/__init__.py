"""The rules of calendars: allowed addresses, when they are read, and the effects of a reading."""
