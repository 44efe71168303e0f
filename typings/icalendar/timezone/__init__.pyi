"""What Meetdeck uses of icalendar's time zones."""
