"""Connections to a firm's other systems, from which employees, groups and busy times come."""
