"""Reminders of meetings: planned from the meeting's present state, and written as messages when they are due."""
