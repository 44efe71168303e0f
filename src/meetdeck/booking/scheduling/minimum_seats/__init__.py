"""Shared times whose topic needs a minimum of customers: they are counted, and cancelled if they are too few."""
