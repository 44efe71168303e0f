"""Converts iCalendar files (RFC 5545) to busy times inside a window; pure, and bounded for hostile files."""

from meetdeck.connections.icalendar.problems import CalendarRefused, Problem
from meetdeck.connections.icalendar.reading import (
    MOST_BYTES,
    MOST_OCCURRENCES,
    Reading,
    read_busy_times,
)
from meetdeck.connections.icalendar.times import BusyTime, Kind, Window

__all__ = [
    "MOST_BYTES",
    "MOST_OCCURRENCES",
    "BusyTime",
    "CalendarRefused",
    "Kind",
    "Problem",
    "Reading",
    "Window",
    "read_busy_times",
]
