"""Employees, rooms, topics, customer types, locations."""
