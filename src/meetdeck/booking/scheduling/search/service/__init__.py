"""Reading the search's input: availability, candidates, terms, working hours."""
