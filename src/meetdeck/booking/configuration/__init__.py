"""Groups, portals, schedules and the organization settings."""
