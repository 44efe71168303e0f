"""Reminders of meetings: planned from the meeting as it is, and written as messages when their time has come."""
