"""The presentation service's resources, bodies and queries."""
