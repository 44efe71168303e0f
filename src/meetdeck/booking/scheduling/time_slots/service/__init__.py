"""Reserving and listing time slots."""
