"""Connections to a firm's other systems: what they say becomes employees, groups and time slots."""
