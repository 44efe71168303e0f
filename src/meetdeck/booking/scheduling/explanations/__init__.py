"""Explanations: why an employee is not offered."""
