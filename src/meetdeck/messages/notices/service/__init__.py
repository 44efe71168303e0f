"""Making notices due when events arrive, and sending them."""
