"""Messages that could not be delivered yet, counted."""
