"""Time slots, reservations, meetings, iCalendar."""
