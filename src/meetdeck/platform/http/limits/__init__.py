"""How many requests, and of whom."""
