"""Time slots: reservations and lists."""
