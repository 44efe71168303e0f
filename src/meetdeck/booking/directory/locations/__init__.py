"""Locations (contract section 4, V3)."""
