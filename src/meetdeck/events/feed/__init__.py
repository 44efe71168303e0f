"""The feed: a tenant's events in one order, read as they arrive."""
