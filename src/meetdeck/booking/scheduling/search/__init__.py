"""Searching free time slots."""
