"""Decks: slides of a template, filled with data."""
