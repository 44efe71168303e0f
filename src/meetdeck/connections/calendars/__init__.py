"""Calendars of employees and rooms that other systems keep (docs/calendars.md)."""
