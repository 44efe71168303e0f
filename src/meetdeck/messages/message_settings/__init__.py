"""Which messages a firm wants sent."""
