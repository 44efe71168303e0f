"""Explanations: the reason why an employee is not offered."""
