"""Which groups an employee is in."""
