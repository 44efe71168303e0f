"""Erasing one customer's personal data, with a receipt."""
