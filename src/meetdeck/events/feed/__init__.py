"""The feed: the events of a tenant in one order, read as they come."""
