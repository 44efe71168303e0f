"""Meetdeck: book time with an advisor, walk in with the deck."""
