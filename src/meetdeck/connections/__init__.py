"""Connections to a firm's other systems: what they say becomes time slots."""
