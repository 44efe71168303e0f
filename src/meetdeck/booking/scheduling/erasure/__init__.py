"""Erasing the personal data of customers in meetings; the meetings themselves stay, for statistics."""
