"""Deleting meetings and reservations after their time."""
