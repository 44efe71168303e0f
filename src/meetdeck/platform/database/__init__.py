"""One pool, transactions of one tenant, and SQL by name."""
