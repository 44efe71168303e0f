"""Wishes, freed times, and offering these to the waiting list."""
