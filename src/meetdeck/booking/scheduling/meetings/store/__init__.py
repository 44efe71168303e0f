"""Meetings' SQL: meetings, their rooms, their history."""
