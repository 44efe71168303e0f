"""Booking for a customer, as by telephone: a search, a held time, the customer's details."""
