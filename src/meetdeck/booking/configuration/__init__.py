"""The configuration of booking: groups, portals, schedules, the organization's settings."""
