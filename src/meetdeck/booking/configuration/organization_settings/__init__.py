"""Organization settings: opening hours, closing days, limits, time zone."""
