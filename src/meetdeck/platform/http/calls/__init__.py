"""A call as its handler sees it."""
