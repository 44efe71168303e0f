"""Employees (contract section 4)."""
