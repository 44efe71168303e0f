"""Building decks, and refusing requests with faults in terms of the request."""
