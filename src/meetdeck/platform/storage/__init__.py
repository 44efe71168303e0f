"""Files by key."""
