"""Reservations of visitors of portals: how many each has, and how much of a day they take."""
