"""The calendar: an advisor's or a room's week, and the page of a meeting."""
