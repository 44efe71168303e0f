"""Wishes: the waiting list of customers who found no suitable time."""
