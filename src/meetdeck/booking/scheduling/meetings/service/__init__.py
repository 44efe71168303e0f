"""Booking, changing and cancelling meetings, and their calendar files."""
