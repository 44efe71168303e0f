"""Deleting meetings and reservations after their retention period."""
