"""Building decks, and refusing requests in their own words."""
