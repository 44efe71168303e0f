"""Service groups: triggers, service levels, members."""
