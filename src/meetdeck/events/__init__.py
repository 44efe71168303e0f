"""Events of both contexts: the feed of a tenant, and giving them to those that act on them."""
