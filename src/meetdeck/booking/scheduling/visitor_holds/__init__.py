"""Reservations that visitors of portals hold: who has how many, and how much of a day they take."""
