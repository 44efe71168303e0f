"""Time zones (contract section 4, V3)."""
