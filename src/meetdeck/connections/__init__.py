"""Connections to a firm's other systems, which supply employees, groups and time slots."""
