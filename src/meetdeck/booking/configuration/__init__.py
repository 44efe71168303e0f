"""How advisors are offered: groups, portals, schedules, the organization's settings."""
