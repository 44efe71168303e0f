"""Tables filled with data."""
