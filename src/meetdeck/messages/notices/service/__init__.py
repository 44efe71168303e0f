"""Making notices due by events, and sending them."""
