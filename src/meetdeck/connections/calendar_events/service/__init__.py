"""Writes the events of meetings into calendars, and detects events that were changed there."""
