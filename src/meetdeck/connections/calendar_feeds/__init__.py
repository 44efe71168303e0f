"""Calendars of employees for other programs: an address each, with a secret in it, that calendars subscribe to."""
