"""The memberships of employees in groups."""
