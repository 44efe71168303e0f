"""Rooms, and which of them are vacant (contract section 4)."""
