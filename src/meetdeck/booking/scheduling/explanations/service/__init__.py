"""Explaining each start of an employee's day in a search."""
