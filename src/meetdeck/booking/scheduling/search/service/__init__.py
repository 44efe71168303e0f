"""What the search reads: availability, candidates, terms, working hours."""
