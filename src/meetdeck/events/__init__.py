"""Events of both contexts: the feed of a tenant, and passing them to subscribers."""
