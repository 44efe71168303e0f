"""Booking for a customer, as at a telephone: a search, a time that is held, the customer's details."""
