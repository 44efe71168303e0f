"""Erasing what meetings know of their customers; the meetings themselves stay, for statistics."""
