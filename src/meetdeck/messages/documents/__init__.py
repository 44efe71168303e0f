"""Documents of meetings: a deck and its PDF, made by rules."""
